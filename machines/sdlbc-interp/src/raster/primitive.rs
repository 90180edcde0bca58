//! Triangles and points on the screen, in integers: the pixels that they cover, and the weights of their vertices there.
//!
//! Positions are in 1/256 pixel. The edge from p to q has the value (q - p) x (position - p) at a position. It is positive on
//! the right, which is inside for a front face. All values fit into 53 bits, so that both i64 and f64 represent them exactly.

use super::vertices::Vertices;
use crate::Cull;

/// Fraction bits of a position.
const BITS: u32 = 8;

/// Units per pixel.
const PARTS: i64 = 1 << BITS;

/// The farthest that a position can be from the origin, in pixels.
const FARTHEST: f64 = 65_536.0;

/// Maps clip space to the screen.
pub(super) struct Viewport {
    width: u32,
    height: u32,
    /// The unit that positions are rounded to, in 1/256 pixel.
    grain: f64,
    /// The guard band: x and y may be this many times w; 1 is the edge of the screen.
    pub(super) guard: [f64; 2],
}

/// A primitive on the screen.
pub(super) enum Primitive {
    /// A triangle whose area is not zero.
    Triangle(Box<Triangle>),
    /// A point within the picture.
    Point(Point),
}

/// A triangle; its vertices are in clockwise order.
pub(super) struct Triangle {
    /// The vertices of the triangle.
    pub(super) corners: [usize; 3],
    /// The provoking vertex, which supplies the flat varyings.
    pub(super) provoking: usize,
    /// Whether the triangle is front-facing.
    pub(super) front: bool,
    /// The edge opposite each vertex.
    edges: [Edge; 3],
    /// 1 / the sum of all edges' values, which is the same everywhere.
    scale: f64,
    /// Each vertex's depth.
    pub(super) depth: [f32; 3],
    /// Each vertex's 1 / w.
    pub(super) inverse_w: [f32; 3],
    /// The range of columns of pixels that the triangle can cover.
    columns: (i64, i64),
    /// The range of rows of pixels that the triangle can cover.
    pub(super) rows: (u32, u32),
}

/// The values of an edge at the centres of pixels.
#[derive(Clone, Copy)]
struct Edge {
    /// The exact value at the upper left pixel of the picture.
    origin: f64,
    /// The increase per pixel to the right and down.
    step: [f64; 2],
    /// The origin, less one if the edge itself is outside, in units of 256, rounded down. With the steps below, the value is
    /// negative for exactly those pixels that are outside, because a pixel changes a value by a multiple of 256.
    start: i64,
    /// The increase per pixel to the right, in the same unit.
    across: i64,
    /// The increase per pixel down.
    down: i64,
}

/// A point.
pub(super) struct Point {
    /// The vertex of the point.
    pub(super) vertex: usize,
    /// The column of the pixel.
    pub(super) x: u32,
    /// The row of the pixel.
    pub(super) y: u32,
    /// The depth of the point.
    pub(super) depth: f32,
    /// The value of 1 / w.
    pub(super) inverse_w: f32,
}

impl Viewport {
    /// Creates a viewport for positions with `bits` fraction bits, at most eight.
    pub(super) fn new(width: u32, height: u32, bits: u32) -> Viewport {
        // Positions inside the guard band are at most FARTHEST minus half the picture's size from the picture's centre.
        let guard = |size: u32| 2.0 * FARTHEST / f64::from(size.max(1)) - 1.0;
        let grain = f64::from(1u32 << BITS.saturating_sub(bits));
        Viewport { width, height, grain, guard: [guard(width), guard(height)] }
    }

    /// Whether there are too few pixels for threads to be worthwhile.
    pub(super) fn is_small(&self) -> bool {
        u64::from(self.width) * u64::from(self.height) < 1 << 12
    }

    /// Returns the screen position, depth and 1 / w of a position.
    fn project(&self, [x, y, z, w]: [f32; 4]) -> ([i64; 2], f32, f32) {
        let (half_width, half_height) = (0.5 * self.width as f32, 0.5 * self.height as f32);
        let place = [x / w * half_width + half_width, half_height - y / w * half_height];
        (place.map(|place| snap(place, self.grain)), z / w, 1.0 / w)
    }

    /// Returns a point, if it is visible.
    pub(super) fn point(&self, store: &Vertices, vertex: usize) -> Option<Primitive> {
        let position = store.position(vertex);
        let [x, y, z, w] = position;
        let inside = w > 0.0 && w.is_finite() && x.abs() <= w && y.abs() <= w && (0.0..=w).contains(&z);
        if !inside {
            return None;
        }
        let (place, depth, inverse_w) = self.project(position);
        let [x, y] = place.map(|place| u32::try_from(place >> BITS).ok());
        let (x, y) = (x.filter(|&x| x < self.width)?, y.filter(|&y| y < self.height)?);
        Some(Primitive::Point(Point { vertex, x, y, depth, inverse_w }))
    }

    /// Returns a triangle, unless it covers nothing or is culled.
    pub(super) fn triangle(
        &self,
        store: &Vertices,
        mut corners: [usize; 3],
        provoking: usize,
        cull: Cull,
    ) -> Option<Primitive> {
        let mut projected = corners.map(|corner| self.project(store.position(corner)));
        let [a, b, c] = projected.map(|(place, ..)| place);
        let area = (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]);
        let front = area > 0;
        let culled = matches!((cull, front), (Cull::Back, false) | (Cull::Front, true));
        if area == 0 || culled {
            return None;
        }
        if !front {
            corners.swap(1, 2);
            projected.swap(1, 2);
        }
        let places = projected.map(|(place, ..)| place);
        let range = |axis: usize, size: u32| {
            let of = places.map(|place| place[axis]);
            // A pixel's centre is half a pixel from its left or top edge.
            let first = (of[0].min(of[1]).min(of[2]) + PARTS / 2 - 1) >> BITS;
            let end = ((of[0].max(of[1]).max(of[2]) - PARTS / 2) >> BITS) + 1;
            (first.max(0), end.min(i64::from(size)))
        };
        let (columns, rows) = (range(0, self.width), range(1, self.height));
        if columns.0 >= columns.1 || rows.0 >= rows.1 {
            return None;
        }
        Some(Primitive::Triangle(Box::new(Triangle {
            corners,
            provoking,
            front,
            edges: [(1, 2), (2, 0), (0, 1)].map(|(from, to)| Edge::new(places[from], places[to])),
            scale: 1.0 / area.abs() as f64,
            depth: projected.map(|(_, depth, _)| depth),
            inverse_w: projected.map(|(.., inverse_w)| inverse_w),
            columns,
            rows: (rows.0 as u32, rows.1 as u32),
        })))
    }
}

/// Rounds a coordinate to the nearest multiple of the grain.
fn snap(x: f32, grain: f64) -> i64 {
    let parts = (f64::from(x) * (PARTS as f64 / grain) + 0.5).floor() * grain;
    parts.clamp(-FARTHEST * 512.0, FARTHEST * 512.0) as i64
}

impl Edge {
    fn new(from: [i64; 2], to: [i64; 2]) -> Edge {
        let (x, y) = (to[0] - from[0], to[1] - from[1]);
        let half = PARTS / 2;
        let origin = x * (half - from[1]) - y * (half - from[0]);
        // On screen, a left edge goes up and a top edge goes to the right.
        let covered = y < 0 || (y == 0 && x > 0);
        let step = [(-y * PARTS) as f64, (x * PARTS) as f64];
        Edge { origin: origin as f64, step, start: (origin - i64::from(!covered)) >> BITS, across: -y, down: x }
    }
}

impl Triangle {
    /// Returns the range of pixels of a row that the triangle covers.
    pub(super) fn span(&self, row: i64) -> (i64, i64) {
        let (mut first, mut end) = self.columns;
        for edge in &self.edges {
            let value = edge.start + edge.down * row;
            match edge.across {
                0 if value < 0 => return (0, 0),
                0 => {}
                across if across > 0 => first = first.max(-value.div_euclid(across)),
                across => end = end.min(value.div_euclid(-across) + 1),
            }
        }
        if first < end { (first, end) } else { (0, 0) }
    }

    /// Returns the weights of the vertices on the screen at the four pixels of a quad.
    #[inline(always)]
    pub(super) fn weights(&self, x: u32, y: u32) -> [[f32; 4]; 3] {
        let (x, y) = (f64::from(x), f64::from(y));
        let of = |edge: &Edge| {
            let value = edge.origin + edge.step[0] * x + edge.step[1] * y;
            let below = value + edge.step[1];
            let weight = |value: f64| (value * self.scale) as f32;
            [weight(value), weight(value + edge.step[0]), weight(below), weight(below + edge.step[0])]
        };
        [of(&self.edges[0]), of(&self.edges[1]), of(&self.edges[2])]
    }
}

impl Primitive {
    /// Returns the range of rows that the primitive can cover.
    pub(super) fn rows(&self) -> (u32, u32) {
        match self {
            Primitive::Triangle(triangle) => triangle.rows,
            Primitive::Point(point) => (point.y, point.y + 1),
        }
    }

    /// Whether the primitive is front-facing.
    pub(super) fn front(&self) -> bool {
        match self {
            Primitive::Triangle(triangle) => triangle.front,
            Primitive::Point(_) => true,
        }
    }
}
