//! Generates a ring and an arm as surfaces, and a checkerboard as a texture.

/// A point on a surface.
#[derive(Clone, Copy, Debug)]
pub struct Point {
    /// The position of the point in space.
    pub position: [f32; 3],
    /// The unit vector in the direction that the surface faces at the point.
    pub normal: [f32; 3],
    /// The texture coordinates on the surface, 0 to 1 in both directions.
    pub uv: [f32; 2],
}

/// A surface that consists of triangles between points.
#[derive(Clone, Debug)]
pub struct Surface {
    /// The points at the corners of the triangles. Triangles share points.
    pub points: Vec<Point>,
    /// The indices of each triangle's corners in `points`, three for each triangle.
    pub indices: Vec<u32>,
}

/// Builds a grid of points, computing each point from its texture coordinates on the surface.
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

/// Returns a ring in the plane of the x and y axes.
pub fn ring() -> Surface {
    surface(96, 48, |u, v| {
        let (a, b) = (u * std::f32::consts::TAU, v * std::f32::consts::TAU);
        let normal = [a.cos() * b.cos(), a.sin() * b.cos(), b.sin()];
        let position = [a.cos() + 0.45 * normal[0], a.sin() + 0.45 * normal[1], 0.45 * normal[2]];
        Point { position, normal, uv: [u, v] }
    })
}

/// The length of the arm along the y axis.
pub const ARM: f32 = 2.4;

/// Returns the arm: a tube along the y axis, centred on the origin.
pub fn arm() -> Surface {
    surface(48, 64, |u, v| {
        let a = u * std::f32::consts::TAU;
        let normal = [a.cos(), 0.0, a.sin()];
        Point { position: [0.3 * normal[0], (v - 0.5) * ARM, 0.3 * normal[2]], normal, uv: [u, v] }
    })
}

/// A square texture with its mip levels. Each level has half the side of the previous level.
#[derive(Clone, Debug)]
pub struct Texture {
    /// The mip levels, largest first. Each level contains its pixels row by row.
    pub levels: Vec<Vec<[u8; 4]>>,
    /// The width and height of the first mip level in pixels.
    pub side: u32,
}

/// Returns a checkerboard with `fields` squares in each direction. The texture has all mip levels.
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
