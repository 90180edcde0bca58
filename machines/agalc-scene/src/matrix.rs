//! Matrices, as the rows that `m44` multiplies with a column vector, and their sources: cameras, placements, bones.
//!
//! Everything is computed in f64 with `libm`, so that a scene results in the same bits on every machine. Coordinates are
//! left-handed: x to the right, y up, z away from the viewer.

#![cfg_attr(not(test), expect(clippy::indexing_slicing, reason = "indices of rows and columns are constants"))]

/// Four rows.
pub(crate) type Matrix = [[f64; 4]; 4];

pub(crate) const IDENTITY: Matrix =
    [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]];

/// Returns the matrix that applies `b` first, then `a`.
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

/// Returns the vector with length 1; `None` for zero.
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

/// Returns the sine and cosine of an angle in degrees, exact for multiples of 90.
pub(crate) fn turn(degrees: f64) -> (f64, f64) {
    match degrees.rem_euclid(360.0) {
        0.0 => (0.0, 1.0),
        90.0 => (1.0, 0.0),
        180.0 => (0.0, -1.0),
        270.0 => (-1.0, 0.0),
        _ => libm::sincos(degrees * (std::f64::consts::PI / 180.0)),
    }
}

/// A rotation about axis 0, 1 or 2, which turns the next axis in cyclic order towards the one after it.
pub(crate) fn rotation(axis: usize, degrees: f64) -> Matrix {
    let (sin, cos) = turn(degrees);
    let (a, b) = ((axis + 1) % 3, (axis + 2) % 3);
    let mut matrix = IDENTITY;
    (matrix[a][a], matrix[a][b]) = (cos, -sin);
    (matrix[b][a], matrix[b][b]) = (sin, cos);
    matrix
}

/// Returns the matrix that transforms normals: the transposed inverse of the upper left part. Its cofactors suffice, since the
/// length of a normal does not matter.
pub(crate) fn for_normals(matrix: &Matrix) -> Option<[[f64; 3]; 3]> {
    let [x, y, z] = [0, 1, 2].map(|row: usize| [matrix[row][0], matrix[row][1], matrix[row][2]]);
    let determinant = dot(x, cross(y, z));
    if determinant == 0.0 || !determinant.is_finite() {
        return None;
    }
    Some([cross(y, z), cross(z, x), cross(x, y)].map(|row| row.map(|number| number / determinant)))
}

/// The camera of a picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Camera {
    pub(crate) eye: [f64; 3],
    pub(crate) at: [f64; 3],
    pub(crate) up: [f64; 3],
    /// The vertical angle of view in degrees.
    pub(crate) fov: f64,
    pub(crate) near: f64,
    pub(crate) far: f64,
    /// Width divided by height.
    pub(crate) aspect: f64,
    /// The visible height in an orthographic projection.
    pub(crate) height: Option<f64>,
}

impl Camera {
    /// Returns the transform from the world to the camera; `None` if the camera has no direction or looks along its `up`.
    pub(crate) fn view(&self) -> Option<Matrix> {
        let z = normal(minus(self.at, self.eye))?;
        let x = normal(cross(self.up, z))?;
        let y = cross(z, x);
        let row = |axis: [f64; 3]| [axis[0], axis[1], axis[2], -dot(axis, self.eye)];
        Some([row(x), row(y), row(z), IDENTITY[3]])
    }

    /// Returns the transform from the camera to clip space.
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

    /// Returns the transform from the world to clip space.
    pub(crate) fn clip(&self) -> Option<Matrix> {
        self.view().map(|view| product(&self.projection(), &view))
    }

    /// Returns the transform from the world to the coordinates of a projected texture: x and y from 0 to 1, y down, before the
    /// division by w.
    pub(crate) fn projector(&self) -> Option<Matrix> {
        let texture = [[0.5, 0.0, 0.0, 0.5], [0.0, -0.5, 0.0, 0.5], IDENTITY[2], IDENTITY[3]];
        self.clip().map(|clip| product(&texture, &clip))
    }
}

/// Returns the matrices of a chain of bones along y, from -length/2 up. Each bone is rotated at its lower end and moves the
/// bones above it.
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
