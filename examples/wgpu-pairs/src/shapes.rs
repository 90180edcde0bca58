//! The shapes: a ring and an arm, as points of a surface, and a checkerboard as the texture.

/// A point of a surface.
#[derive(Clone, Copy, Debug)]
pub struct Point {
    /// The position in space.
    pub position: [f32; 3],
    /// The direction in which the surface faces.
    pub normal: [f32; 3],
    /// The coordinates on the surface, 0 to 1 in both directions.
    pub uv: [f32; 2],
}

/// A surface: points, and the triangles between them.
#[derive(Clone, Debug)]
pub struct Surface {
    /// The points.
    pub points: Vec<Point>,
    /// Indices of points, three for each triangle.
    pub indices: Vec<u32>,
}

/// A grid of points, each of which is made from its place on the surface.
fn surface(across: u16, down: u16, point: impl Fn(f32, f32) -> Point) -> Surface {
    let (mut points, mut indices) = (Vec::new(), Vec::new());
    for (y, x) in (0..=down).flat_map(|y| (0..=across).map(move |x| (y, x))) {
        points.push(point(f32::from(x) / f32::from(across), f32::from(y) / f32::from(down)));
    }
    let row = u32::from(across) + 1;
    for (y, x) in (0..u32::from(down)).flat_map(|y| (0..u32::from(across)).map(move |x| (y, x))) {
        let corner = y * row + x;
        indices.extend([corner, corner + 1, corner + row, corner + 1, corner + row + 1, corner + row]);
    }
    Surface { points, indices }
}

/// A ring in the plane of x and y.
pub fn ring() -> Surface {
    surface(96, 48, |u, v| {
        let (a, b) = (u * std::f32::consts::TAU, v * std::f32::consts::TAU);
        let normal = [a.cos() * b.cos(), a.sin() * b.cos(), b.sin()];
        let position = [a.cos() + 0.45 * normal[0], a.sin() + 0.45 * normal[1], 0.45 * normal[2]];
        Point { position, normal, uv: [u, v] }
    })
}

/// The length of the arm.
pub const ARM: f32 = 2.4;

/// A tube along the axis y, around the origin.
pub fn arm() -> Surface {
    surface(48, 64, |u, v| {
        let a = u * std::f32::consts::TAU;
        let normal = [a.cos(), 0.0, a.sin()];
        Point { position: [0.3 * normal[0], (v - 0.5) * ARM, 0.3 * normal[2]], normal, uv: [u, v] }
    })
}

/// A picture with its mip levels, each of which has half the side of the previous one.
#[derive(Clone, Debug)]
pub struct Texture {
    /// The levels, row by row.
    pub levels: Vec<Vec<[u8; 4]>>,
    /// The side of the first level.
    pub side: u32,
}

/// A checkerboard with the given number of fields in both directions.
pub fn checker(fields: u32, colours: [[u8; 4]; 2]) -> Texture {
    let side = 256;
    let places = (0..side).flat_map(|y| (0..side).map(move |x| (x, y)));
    let colour = |(x, y): (u32, u32)| colours[usize::from((x * fields / side + y * fields / side) % 2 == 1)];
    let mut levels = vec![places.map(colour).collect::<Vec<_>>()];
    let mut last = side;
    while last > 1 {
        let (half, from) = (last / 2, &levels[levels.len() - 1]);
        let texel = |(x, y): (u32, u32)| {
            let corners =
                [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(dx, dy)| from[((2 * y + dy) * last + 2 * x + dx) as usize]);
            std::array::from_fn(|part| (corners.iter().map(|corner| u32::from(corner[part])).sum::<u32>() / 4) as u8)
        };
        let level = (0..half).flat_map(|y| (0..half).map(move |x| (x, y))).map(texel).collect();
        levels.push(level);
        last = half;
    }
    Texture { levels, side }
}
