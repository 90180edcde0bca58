//! Matrices, and the cameras, placements and bones that define matrices. A matrix is stored as the rows that `m44` multiplies by
//! a column vector.
//!
//! All numbers are computed in f64 with `libm`, so that a scene results in the same bits on every machine. Coordinates are
//! left-handed: x points right, y points up, and z points away from the viewer.

#![cfg_attr(not(test), expect(clippy::indexing_slicing, reason = "indices of rows and columns are constants"))]

pub(crate) type Matrix = [[f64; 4]; 4];

pub(crate) const IDENTITY: Matrix =
    [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]];

/// Returns the matrix that applies `b` first and `a` second.
pub(crate) fn product(a: &Matrix, b: &Matrix) -> Matrix {
    a.map(|row| std::array::from_fn(|column| (0..4).map(|i| row[i] * b[i][column]).sum()))
}

pub(crate) fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(crate) fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

pub(crate) fn minus(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// Returns the vector scaled to length 1; `None` for the zero vector.
pub(crate) fn normal(a: [f64; 3]) -> Option<[f64; 3]> {
    let length = dot(a, a).sqrt();
    (length > 0.0 && length.is_finite()).then(|| a.map(|x| x / length))
}

pub(crate) fn translation(by: [f64; 3]) -> Matrix {
    let mut matrix = IDENTITY;
    (0..3).for_each(|i| matrix[i][3] = by[i]);
    matrix
}

pub(crate) fn scaling(by: [f64; 3]) -> Matrix {
    let mut matrix = IDENTITY;
    (0..3).for_each(|i| matrix[i][i] = by[i]);
    matrix
}

/// Returns the sine and cosine of an angle in degrees. The results are exact for multiples of 90.
pub(crate) fn turn(degrees: f64) -> (f64, f64) {
    match degrees.rem_euclid(360.0) {
        0.0 => (0.0, 1.0),
        90.0 => (1.0, 0.0),
        180.0 => (0.0, -1.0),
        270.0 => (-1.0, 0.0),
        _ => libm::sincos(degrees * (std::f64::consts::PI / 180.0)),
    }
}

/// Returns a rotation about axis 0, 1 or 2. For these axes, a positive angle turns y towards z, z towards x, and x towards y,
/// respectively.
pub(crate) fn rotation(axis: usize, degrees: f64) -> Matrix {
    let (sin, cos) = turn(degrees);
    let (a, b) = ((axis + 1) % 3, (axis + 2) % 3);
    let mut matrix = IDENTITY;
    (matrix[a][a], matrix[a][b]) = (cos, -sin);
    (matrix[b][a], matrix[b][b]) = (sin, cos);
    matrix
}

/// Returns the matrix that transforms normals: the inverse transpose of the upper left 3x3 part. Returns `None` if the 3x3 part
/// is singular.
pub(crate) fn for_normals(matrix: &Matrix) -> Option<[[f64; 3]; 3]> {
    let [x, y, z] = [0, 1, 2].map(|row: usize| [matrix[row][0], matrix[row][1], matrix[row][2]]);
    let determinant = dot(x, cross(y, z));
    if determinant == 0.0 || !determinant.is_finite() {
        return None;
    }
    Some([cross(y, z), cross(z, x), cross(x, y)].map(|row| row.map(|number| number / determinant)))
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Camera {
    pub(crate) eye: [f64; 3],
    pub(crate) at: [f64; 3],
    pub(crate) up: [f64; 3],
    /// The vertical angle of view in degrees.
    pub(crate) fov: f64,
    pub(crate) near: f64,
    pub(crate) far: f64,
    /// The picture's width divided by its height.
    pub(crate) aspect: f64,
    /// The visible height in an orthographic projection; `None` for a perspective projection.
    pub(crate) height: Option<f64>,
}

impl Camera {
    /// Returns the transform from world space to camera space; `None` if the camera looks at its own position or along its `up`
    /// vector.
    pub(crate) fn view(&self) -> Option<Matrix> {
        let z = normal(minus(self.at, self.eye))?;
        let x = normal(cross(self.up, z))?;
        let y = cross(z, x);
        let row = |axis: [f64; 3]| [axis[0], axis[1], axis[2], -dot(axis, self.eye)];
        Some([row(x), row(y), row(z), IDENTITY[3]])
    }

    /// Returns the transform from camera space to clip space.
    pub(crate) fn projection(&self) -> Matrix {
        let depth = self.far - self.near;
        if let Some(height) = self.height {
            let scale = 2.0 / height;
            let mut matrix = scaling([scale / self.aspect, scale, 1.0 / depth]);
            matrix[2][3] = -self.near / depth;
            return matrix;
        }
        let (sin, cos) = turn(self.fov / 2.0);
        let scale = cos / sin;
        [
            [scale / self.aspect, 0.0, 0.0, 0.0],
            [0.0, scale, 0.0, 0.0],
            [0.0, 0.0, self.far / depth, -self.near * self.far / depth],
            [0.0, 0.0, 1.0, 0.0],
        ]
    }

    /// Returns the transform from world space to clip space.
    pub(crate) fn clip(&self) -> Option<Matrix> {
        self.view().map(|view| product(&self.projection(), &view))
    }

    /// Returns the transform from world space to the coordinates of a projected texture, before the division by w. Within the
    /// texture, x and y range from 0 to 1, and y points down.
    pub(crate) fn projector(&self) -> Option<Matrix> {
        let texture = [[0.5, 0.0, 0.0, 0.5], [0.0, -0.5, 0.0, 0.5], IDENTITY[2], IDENTITY[3]];
        self.clip().map(|clip| product(&texture, &clip))
    }
}

/// Returns the matrices for a chain of bones along the y axis. The chain begins at y = -length/2. Each bone except the first is
/// rotated about its lower end, and the bones above it move with it.
pub(crate) fn bones(count: u32, length: f64, bend: [f64; 3]) -> Vec<Matrix> {
    let step = length / f64::from(count);
    let mut matrix = IDENTITY;
    let turned = product(&rotation(2, bend[2]), &product(&rotation(1, bend[1]), &rotation(0, bend[0])));
    (0..count)
        .map(|bone| {
            let end = -length / 2.0 + step * f64::from(bone);
            if bone > 0 {
                let there = product(&turned, &translation([0.0, -end, 0.0]));
                matrix = product(&matrix, &product(&translation([0.0, end, 0.0]), &there));
            }
            matrix
        })
        .collect()
}
