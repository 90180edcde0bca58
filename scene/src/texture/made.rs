//! Built-in textures.
//!
//! Rule: computed in f64 with additions, products, quotients and square roots alone, which are the same on any machine.

#![cfg_attr(
    not(test),
    expect(
        clippy::indexing_slicing,
        clippy::cast_possible_truncation,
        reason = "components of arrays of three and four are counted by numbers that stand here; cells are whole numbers within their count"
    )
)]

use interp::Level;
use sdlbc::Dimension;

use crate::hash::unit;
use crate::matrix::normal;
use crate::picture::byte;

/// Red, green, blue and alpha, from 0 to 1.
pub type Colour = [f64; 4];

/// A height over a square, from which normals are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// A round bump in each cell.
    Dots,
    /// Bricks with joints.
    Bricks,
    /// Noise.
    Noise,
    /// Pyramids.
    Studs,
}

/// What a table of colours does to one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grade {
    /// Nothing.
    None,
    /// More red and less blue.
    Warm,
    /// Less red and more blue.
    Cool,
    /// Brown.
    Sepia,
    /// Each part turned over.
    Invert,
    /// Dark parts green, light parts yellow.
    Film,
}

/// A built-in texture.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub enum Made {
    /// Squares in turn.
    Checker { size: [u32; 2], cells: [u32; 2], colours: Vec<Colour> },
    /// From one colour to the next, to the right or down; in steps, or smoothly.
    Gradient { size: [u32; 2], colours: Vec<Colour>, down: bool, steps: Option<u32> },
    /// Clouds, repeating.
    Noise { size: [u32; 2], cells: u32, octaves: u32, seed: u32, colours: Vec<Colour> },
    /// A normal map.
    Bumps { size: [u32; 2], pattern: Pattern, cells: u32, strength: f64, seed: u32 },
    /// Bricks, one row set off against the next.
    Bricks { size: [u32; 2], cells: u32, colours: Vec<Colour>, seed: u32 },
    /// A round spot with a soft border, from the first colour within to the second outside.
    Disc { size: [u32; 2], radius: f64, soft: f64, colours: Vec<Colour> },
    /// A picture of hills under a low sun.
    Landscape { size: [u32; 2] },
    /// Each level one colour.
    Levels { size: [u32; 2], colours: Vec<Colour> },
    /// A cube with a colour a side, pale toward the edges.
    Faces { size: u32, colours: Vec<Colour> },
    /// A cube with sky, ground and sun, and how soft horizon and sun are.
    Sky { size: u32, soft: f64 },
    /// A table of colours in three dimensions.
    Ramp { size: u32, grade: Grade },
}

impl Made {
    /// Its dimension.
    pub fn dimension(&self) -> Dimension {
        match self {
            Made::Faces { .. } | Made::Sky { .. } => Dimension::Cube,
            Made::Ramp { .. } => Dimension::D3,
            _ => Dimension::D2,
        }
    }

    /// Its largest level.
    pub(crate) fn level(&self) -> Level {
        match *self {
            Made::Faces { size, .. } | Made::Sky { size, .. } => cube(size, |face, s, t| match self {
                Made::Faces { colours, .. } => {
                    let far = (s * s).max(t * t);
                    // All sides end in one colour, so that nothing depends on what is read across an edge.
                    mix(list(colours, face), [0.9, 0.9, 0.88, 1.0], smooth(0.3, 0.95, far))
                }
                Made::Sky { soft, .. } => sky(direction(face, s, t), *soft),
                _ => [0.0; 4],
            }),
            Made::Ramp { size, grade } => {
                let of = |at: u32| f64::from(at) / f64::from((size - 1).max(1));
                let places = (0..size).flat_map(|z| (0..size).flat_map(move |y| (0..size).map(move |x| [x, y, z])));
                let texels = places.map(|place| texel(graded(grade, place.map(of)))).collect();
                Level { width: size, height: size, depth: size, texels }
            }
            Made::Checker { size, .. }
            | Made::Gradient { size, .. }
            | Made::Noise { size, .. }
            | Made::Bumps { size, .. }
            | Made::Bricks { size, .. }
            | Made::Disc { size, .. }
            | Made::Landscape { size }
            | Made::Levels { size, .. } => flat(size, |u, v| self.at(u, v)),
        }
    }

    /// All levels, each of one colour.
    pub(crate) fn levels(&self) -> Vec<Level> {
        let &Made::Levels { size: [mut width, mut height], ref colours } = self else { return vec![self.level()] };
        let mut levels = Vec::new();
        loop {
            levels.push(flat([width, height], |_, _| list(colours, levels.len())));
            if width == 1 && height == 1 {
                return levels;
            }
            (width, height) = ((width / 2).max(1), (height / 2).max(1));
        }
    }

    /// The colour at a place of a flat texture.
    fn at(&self, u: f64, v: f64) -> Colour {
        match self {
            Made::Checker { cells: [across, down], colours, .. } => {
                let cell = (u * f64::from(*across)).floor() + (v * f64::from(*down)).floor();
                list(colours, cell as usize)
            }
            Made::Gradient { colours, down, steps, .. } => {
                let at = if *down { v } else { u };
                match steps {
                    Some(steps) => along(colours, (at * f64::from(*steps)).floor() / f64::from((steps - 1).max(1))),
                    None => along(colours, at),
                }
            }
            Made::Noise { cells, octaves, seed, colours, .. } => along(colours, clouds(u, v, *cells, *octaves, *seed)),
            Made::Bumps { size, pattern, cells, strength, seed } => {
                let [du, dv] = size.map(|side| 1.0 / f64::from(side));
                let height = |u: f64, v: f64| height(*pattern, u, v, *cells, *seed);
                let slope = |a: f64, b: f64, step: f64| strength * (a - b) / (2.0 * step) / f64::from(*cells);
                let x = slope(height(u - du, v), height(u + du, v), du);
                let y = slope(height(u, v - dv), height(u, v + dv), dv);
                let [x, y, z] = normal([x, y, 1.0]).unwrap_or([0.0, 0.0, 1.0]);
                [x * 0.5 + 0.5, y * 0.5 + 0.5, z * 0.5 + 0.5, 1.0]
            }
            Made::Bricks { cells, colours, seed, .. } => {
                let (joint, brick) = bricks(u, v, *cells);
                let light = 0.8 + 0.2 * unit([brick[0], brick[1], *seed]);
                let grain = 0.9 + 0.1 * clouds(u, v, *cells * 4, 3, *seed);
                let [r, g, b, a] = list(colours, 0);
                mix(list(colours, 1), [r * light * grain, g * light * grain, b * light * grain, a], joint)
            }
            Made::Disc { radius, soft, colours, .. } => {
                let far = ((u - 0.5) * (u - 0.5) + (v - 0.5) * (v - 0.5)).sqrt() * 2.0;
                mix(list(colours, 0), list(colours, 1), smooth(radius - soft, radius + soft, far))
            }
            Made::Landscape { .. } => landscape(u, v),
            Made::Levels { colours, .. } => list(colours, 0),
            Made::Faces { .. } | Made::Sky { .. } | Made::Ramp { .. } => [0.0; 4],
        }
    }
}

fn texel(colour: Colour) -> [u8; 4] {
    colour.map(byte)
}

fn flat([width, height]: [u32; 2], at: impl Fn(f64, f64) -> Colour) -> Level {
    let middle = |at: u32, side: u32| (f64::from(at) + 0.5) / f64::from(side);
    let places = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
    let texels = places.map(|(x, y)| texel(at(middle(x, width), middle(y, height)))).collect();
    Level { width, height, depth: 1, texels }
}

fn cube(size: u32, at: impl Fn(usize, f64, f64) -> Colour) -> Level {
    let faces = (0..6).map(|face| flat([size, size], |u, v| at(face, u * 2.0 - 1.0, v * 2.0 - 1.0)));
    Level { width: size, height: size, depth: 6, texels: faces.flat_map(|face| face.texels).collect() }
}

/// Where a place of a face lies.
fn direction(face: usize, s: f64, t: f64) -> [f64; 3] {
    match face {
        0 => [1.0, -t, -s],
        1 => [-1.0, -t, s],
        2 => [s, 1.0, t],
        3 => [s, -1.0, -t],
        4 => [s, -t, 1.0],
        _ => [-s, -t, -1.0],
    }
}

fn list(colours: &[Colour], at: usize) -> Colour {
    colours.get(at % colours.len().max(1)).copied().unwrap_or([1.0; 4])
}

fn mix(a: Colour, b: Colour, part: f64) -> Colour {
    [0, 1, 2, 3].map(|i| a[i] + (b[i] - a[i]) * part)
}

/// From 0 to 1 while `x` goes from `from` to `to`.
fn smooth(from: f64, to: f64, x: f64) -> f64 {
    let part = ((x - from) / (to - from)).clamp(0.0, 1.0);
    part * part * (3.0 - 2.0 * part)
}

/// A colour on the way through a list.
fn along(colours: &[Colour], at: f64) -> Colour {
    let way = at.clamp(0.0, 1.0) * colours.len().saturating_sub(1) as f64;
    let first = way.floor();
    let next = (first as usize + 1).min(colours.len().saturating_sub(1));
    mix(list(colours, first as usize), list(colours, next), way - first)
}

/// Noise that repeats, from 0 to 1, of so many octaves.
fn clouds(u: f64, v: f64, cells: u32, octaves: u32, seed: u32) -> f64 {
    let (mut sum, mut all, mut weight, mut cells) = (0.0, 0.0, 1.0, cells);
    for octave in 0..octaves {
        sum += weight * lattice(u, v, cells, seed.wrapping_add(octave));
        all += weight;
        weight *= 0.5;
        cells = cells.saturating_mul(2);
    }
    sum / all
}

fn lattice(u: f64, v: f64, cells: u32, seed: u32) -> f64 {
    let (x, y) = (u * f64::from(cells), v * f64::from(cells));
    let (left, top) = (x.floor(), y.floor());
    let corner = |dx: f64, dy: f64| {
        let wrap = |at: f64| at.rem_euclid(f64::from(cells)) as u32;
        unit([wrap(left + dx), wrap(top + dy), seed])
    };
    let (s, t) = (smooth(0.0, 1.0, x - left), smooth(0.0, 1.0, y - top));
    let upper = corner(0.0, 0.0) + (corner(1.0, 0.0) - corner(0.0, 0.0)) * s;
    let lower = corner(0.0, 1.0) + (corner(1.0, 1.0) - corner(0.0, 1.0)) * s;
    upper + (lower - upper) * t
}

/// How much of a brick there is at a place, 0 in a joint, and which brick.
fn bricks(u: f64, v: f64, cells: u32) -> (f64, [u32; 2]) {
    let rows = f64::from(cells) * 2.0;
    let row = (v * rows).floor();
    let shift = if row.rem_euclid(2.0) == 0.0 { 0.0 } else { 0.5 };
    let x = u * f64::from(cells) + shift;
    let (s, t) = (x - x.floor(), v * rows - row);
    let near = (s.min(1.0 - s) * 2.0).min(t.min(1.0 - t));
    let wrap = |at: f64, count: f64| at.rem_euclid(count) as u32;
    (smooth(0.04, 0.12, near), [wrap(x.floor(), f64::from(cells)), wrap(row, rows)])
}

/// The height of a pattern, from 0 to 1.
fn height(pattern: Pattern, u: f64, v: f64, cells: u32, seed: u32) -> f64 {
    let of = |at: f64| {
        let at = at * f64::from(cells);
        (at - at.floor()) * 2.0 - 1.0
    };
    match pattern {
        // Squared, so that it ends flat.
        Pattern::Dots => {
            let inside = (0.64 - of(u) * of(u) - of(v) * of(v)).max(0.0);
            1.6 * inside * inside
        }
        Pattern::Bricks => bricks(u, v, cells).0 * 0.5,
        Pattern::Noise => clouds(u, v, cells, 4, seed),
        Pattern::Studs => (1.0 - of(u).abs().max(of(v).abs())).min(0.5),
    }
}

/// The sky in a direction.
fn sky(towards: [f64; 3], soft: f64) -> Colour {
    let [x, y, z] = normal(towards).unwrap_or([0.0, 1.0, 0.0]);
    let above = mix([0.95, 0.85, 0.7, 1.0], [0.2, 0.42, 0.8, 1.0], smooth(0.0, 0.7, y));
    let below = mix([0.4, 0.36, 0.3, 1.0], [0.14, 0.17, 0.12, 1.0], smooth(0.0, -0.6, y));
    let colour = mix(below, above, smooth(-soft, soft, y));
    // The sun stands to the right behind who looks along z.
    let sun = x * 0.48 + y * 0.6 - z * 0.64;
    let glow = mix(colour, [1.0, 0.9, 0.7, 1.0], 0.6 * smooth(0.8, 1.0, sun));
    mix(glow, [1.0, 1.0, 0.95, 1.0], smooth(0.985 - 0.4 * soft, 0.985, sun))
}

fn graded(grade: Grade, [r, g, b]: [f64; 3]) -> Colour {
    let grey = 0.299 * r + 0.587 * g + 0.114 * b;
    let [r, g, b] = match grade {
        Grade::None => [r, g, b],
        Grade::Warm => [r * 0.85 + 0.15, g * 0.92 + 0.05, b * 0.75],
        Grade::Cool => [r * 0.75, g * 0.92 + 0.04, b * 0.85 + 0.15],
        Grade::Sepia => [grey * 1.1 + 0.04, grey * 0.92 + 0.02, grey * 0.7],
        Grade::Invert => [1.0 - r, 1.0 - g, 1.0 - b],
        Grade::Film => {
            let tint = along(&[[0.0, 0.22, 0.32, 1.0], [0.3, 0.5, 0.5, 1.0], [1.0, 0.92, 0.6, 1.0]], grey);
            [r * 0.25 + tint[0] * 0.75, g * 0.25 + tint[1] * 0.75, b * 0.25 + tint[2] * 0.75]
        }
    };
    [r, g, b, 1.0]
}

/// Hills in four rows, each paler than the one in front of it, under a sun.
fn landscape(u: f64, v: f64) -> Colour {
    let mut colour = along(&[[0.16, 0.25, 0.5, 1.0], [0.85, 0.55, 0.45, 1.0], [1.0, 0.85, 0.55, 1.0]], v * 1.6);
    let (x, y) = (u - 0.68, v - 0.36);
    let far = (x * x + y * y).sqrt();
    colour = mix(colour, [1.0, 0.95, 0.75, 1.0], 0.5 * smooth(0.35, 0.08, far));
    colour = mix(colour, [1.0, 0.98, 0.85, 1.0], smooth(0.1, 0.085, far));
    for hill in 0..4u32 {
        let near = f64::from(hill) / 3.0;
        let ridge = 0.5 + 0.13 * f64::from(hill) - 0.22 * clouds(u, 0.5, 2 + hill, 4, 90 + hill * 7);
        let shade = mix([0.62, 0.5, 0.55, 1.0], [0.1, 0.16, 0.12, 1.0], near);
        let lit = mix(shade, [0.3, 0.34, 0.16, 1.0], 0.4 * near * smooth(ridge, ridge + 0.3, v));
        colour = mix(colour, lit, smooth(ridge - 0.004, ridge + 0.004, v));
    }
    colour
}
