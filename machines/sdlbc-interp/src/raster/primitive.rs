//! Computes, in integers, the pixels that triangles and points cover on the screen, and the weights of the vertices at these
//! pixels.
//!
//! Positions are in units of 1/256 pixel. At a position, the edge from p to q has the value (q - p) x (position - p). The value
//! is positive to the right of the edge, which is the inside of a front face. All values fit into 53 bits, so both i64 and f64
//! represent them exactly.

use super::vertices::Vertices;
use crate::Cull;

/// The number of fraction bits of a position.
const BITS: u32 = 8;

/// The number of position units per pixel.
const PARTS: i64 = 1 << BITS;

/// The maximum distance of a position from the origin, in pixels.
const FARTHEST: f64 = 65_536.0;

/// Maps clip space to the screen.
pub(super) struct Viewport {
    width: u32,
    height: u32,
    /// The unit to which positions are rounded, as a multiple of 1/256 pixel.
    grain: f64,
    /// The guard band: the largest allowed ratios of x and y to w. A ratio of 1 is the edge of the screen.
    pub(super) guard: [f64; 2],
}

pub(super) enum Primitive {
    Triangle(Box<Triangle>),
    Point(Point),
}

/// A triangle whose vertices are in clockwise order on the screen.
pub(super) struct Triangle {
    pub(super) corners: [usize; 3],
    /// The provoking vertex, which supplies the flat varyings.
    pub(super) provoking: usize,
    pub(super) front: bool,
    edges: [Edge; 3],
    scale: f64,
    pub(super) depth: [f32; 3],
    pub(super) inverse_w: [f32; 3],
    /// The range of pixel columns that the triangle can cover.
    columns: (i64, i64),
    /// The range of pixel rows that the triangle can cover.
    pub(super) rows: (u32, u32),
}

#[derive(Clone, Copy)]
struct Edge {
    /// The edge's exact value at the centre of the picture's upper left pixel.
    origin: f64,
    /// The increases in the edge's value per pixel to the right and per pixel downward.
    step: [f64; 2],
    /// The edge's value at the upper left pixel in units of 256, rounded down. Before rounding, 1 is subtracted if positions
    /// exactly on the edge count as outside. Values computed from `start`, `across` and `down` are negative at a pixel
    /// if and only if the pixel is outside, because the exact value changes by a multiple of 256 from pixel to pixel.
    start: i64,
    /// The increase in the edge's value per pixel to the right, in units of 256.
    across: i64,
    /// The increase in the edge's value per pixel downward, in units of 256.
    down: i64,
}

pub(super) struct Point {
    pub(super) vertex: usize,
    pub(super) x: u32,
    pub(super) y: u32,
    pub(super) depth: f32,
    pub(super) inverse_w: f32,
}

impl Viewport {
    pub(super) fn new(width: u32, height: u32, bits: u32) -> Viewport {
        // Within the guard band, a position's distance from the picture's centre is at most FARTHEST minus half the picture's
        // size.
        let guard = |size: u32| 2.0 * FARTHEST / f64::from(size.max(1)) - 1.0;
        let grain = f64::from(1u32 << BITS.saturating_sub(bits));
        Viewport { width, height, grain, guard: [guard(width), guard(height)] }
    }

    /// Reports whether the picture has too few pixels to benefit from several threads.
    pub(super) fn is_small(&self) -> bool {
        u64::from(self.width) * u64::from(self.height) < 1 << 12
    }

    fn project(&self, [x, y, z, w]: [f32; 4]) -> ([i64; 2], f32, f32) {
        let (half_width, half_height) = (0.5 * self.width as f32, 0.5 * self.height as f32);
        let place = [x / w * half_width + half_width, half_height - y / w * half_height];
        (place.map(|place| snap(place, self.grain)), z / w, 1.0 / w)
    }

    /// Returns the point at a vertex, or `None` if the point is not visible.
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

    /// Returns the triangle with the given vertices, or `None` if the triangle covers nothing or is culled.
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

fn snap(x: f32, grain: f64) -> i64 {
    let parts = (f64::from(x) * (PARTS as f64 / grain) + 0.5).floor() * grain;
    parts.clamp(-FARTHEST * 512.0, FARTHEST * 512.0) as i64
}

impl Edge {
    fn new(from: [i64; 2], to: [i64; 2]) -> Edge {
        let (x, y) = (to[0] - from[0], to[1] - from[1]);
        let half = PARTS / 2;
        let origin = x * (half - from[1]) - y * (half - from[0]);
        // On the screen, a triangle's left edges go up and its top edge goes to the right.
        let covered = y < 0 || (y == 0 && x > 0);
        let step = [(-y * PARTS) as f64, (x * PARTS) as f64];
        Edge { origin: origin as f64, step, start: (origin - i64::from(!covered)) >> BITS, across: -y, down: x }
    }
}

impl Triangle {
    /// Returns the range of pixels that the triangle covers in a row.
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

    /// Returns the screen-space weights of the vertices at the four pixels of a quad.
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
    pub(super) fn rows(&self) -> (u32, u32) {
        match self {
            Primitive::Triangle(triangle) => triangle.rows,
            Primitive::Point(point) => (point.y, point.y + 1),
        }
    }

    pub(super) fn front(&self) -> bool {
        match self {
            Primitive::Triangle(triangle) => triangle.front,
            Primitive::Point(_) => true,
        }
    }
}
