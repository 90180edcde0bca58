//! Matrices as lists of rows, as the AGAL operations `m44`, `m34` and `m33` read them from registers.

/// A point or direction in space: x, y and z.
pub type Vector = [f32; 3];

/// The three rows of a matrix that rotates and shifts points.
pub type Placement = [[f32; 4]; 3];

/// The four rows of a projective matrix, such as the projection of a camera.
pub type Projection = [[f32; 4]; 4];

fn dot(a: Vector, b: Vector) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn cross([a, b, c]: Vector, [d, e, f]: Vector) -> Vector {
    [b * f - c * e, c * d - a * f, a * e - b * d]
}

/// Returns the vector of length 1 with the same direction.
pub fn unit(vector: Vector) -> Vector {
    let length = dot(vector, vector).sqrt();
    vector.map(|part| part / length)
}

/// Returns the product of two matrices. The product first applies `first` to a point, and then `second`.
pub fn after<const ROWS: usize>(second: [[f32; 4]; ROWS], first: Placement) -> [[f32; 4]; ROWS] {
    let [x, y, z] = first;
    second.map(|[a, b, c, d]| {
        let column = |i: usize| a * x[i] + b * y[i] + c * z[i];
        [column(0), column(1), column(2), column(3) + d]
    })
}

/// Returns a rotation about the x axis, followed by a rotation about the y axis. The angles are in radians.
pub fn turned(x: f32, y: f32) -> Placement {
    let about_x = [[1.0, 0.0, 0.0, 0.0], [0.0, x.cos(), -x.sin(), 0.0], [0.0, x.sin(), x.cos(), 0.0]];
    let about_y = [[y.cos(), 0.0, y.sin(), 0.0], [0.0, 1.0, 0.0, 0.0], [-y.sin(), 0.0, y.cos(), 0.0]];
    after(about_y, about_x)
}

/// Returns a rotation about the axis through `pivot` that is parallel to the z axis. The angle is in radians.
pub fn bent(pivot: Vector, angle: f32) -> Placement {
    let [x, y, z] = pivot;
    let turn = [[angle.cos(), -angle.sin(), 0.0, 0.0], [angle.sin(), angle.cos(), 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]];
    let back = [[1.0, 0.0, 0.0, x], [0.0, 1.0, 0.0, y], [0.0, 0.0, 1.0, z]];
    let there = [[1.0, 0.0, 0.0, -x], [0.0, 1.0, 0.0, -y], [0.0, 0.0, 1.0, -z]];
    after(back, after(turn, there))
}

/// Returns the projection from the world to clip space for a camera at `eye` that looks at the origin with a field of view of 45
/// degrees.
pub fn camera(eye: Vector) -> Projection {
    let forward = unit(eye.map(|part| -part));
    let right = unit(cross([0.0, 1.0, 0.0], forward));
    let up = cross(forward, right);
    let row = |axis: Vector| [axis[0], axis[1], axis[2], -dot(axis, eye)];
    let scale = 1.0 / (std::f32::consts::PI / 8.0).tan();
    let (near, far) = (0.1, 100.0);
    let depth = far / (far - near);
    let forward = row(forward);
    let mut z = forward.map(|part| part * depth);
    z[3] -= near * depth;
    [row(right).map(|part| part * scale), row(up).map(|part| part * scale), z, forward]
}
