//! Built-in textures.
//!
//! They are computed in f64 with only additions, products, quotients and square roots, whose results are the same on every machine.

#![cfg_attr(
    not(test),
    expect(
        clippy::indexing_slicing,
        clippy::cast_possible_truncation,
        reason = "indices into arrays of three and four are constants; cells are integers within their count"
    )
)]

use sdlbc::Dimension;
use sdlbc_interp::Level;

use crate::matrix::normal;
use crate::number::unit;
use crate::picture::byte;

/// Red, green, blue and alpha, from 0 to 1.
pub type Colour = [f64; 4];

/// A height map from which normals are computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// A round bump in each cell.
    Dots,
    /// Bricks with mortar.
    Bricks,
    /// Noise.
    Noise,
    /// Pyramids.
    Studs,
}

/// The grading that a colour table applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grade {
    /// No change.
    None,
    /// More red and less blue.
    Warm,
    /// Less red and more blue.
    Cool,
    /// Brown.
    Sepia,
    /// Each component inverted.
    Invert,
    /// Dark colours green, light colours yellow.
    Film,
}

/// A built-in texture.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub enum Made {
    /// Alternating rectangles.
    Checker { size: [u32; 2], cells: [u32; 2], colours: Vec<Colour> },
    /// A gradient through the colours, to the right or down, in steps or smooth.
    Gradient { size: [u32; 2], colours: Vec<Colour>, down: bool, steps: Option<u32> },
    /// Repeating clouds.
    Noise { size: [u32; 2], cells: u32, octaves: u32, seed: u32, colours: Vec<Colour> },
    /// A normal map.
    Bumps { size: [u32; 2], pattern: Pattern, cells: u32, strength: f64, seed: u32 },
    /// Bricks, with every other row shifted.
    Bricks { size: [u32; 2], cells: u32, colours: Vec<Colour>, seed: u32 },
    /// A round spot with a soft border, in the first colour, on the second.
    Disc { size: [u32; 2], radius: f64, soft: f64, colours: Vec<Colour> },
    /// A picture of hills below a sun.
    Landscape { size: [u32; 2] },
    /// A texture whose mip levels have one colour each.
    Levels { size: [u32; 2], colours: Vec<Colour> },
    /// A cube with one colour per face, pale toward the edges.
    Faces { size: u32, colours: Vec<Colour> },
    /// A cube with sky, ground and sun; `soft` blurs the horizon and the sun.
    Sky { size: u32, soft: f64 },
    /// A 3D colour table.
    Ramp { size: u32, grade: Grade },
}

impl Made {
    /// Returns the dimension of the texture.
    pub fn dimension(&self) -> Dimension {
        match self {
            Made::Faces { .. } | Made::Sky { .. } => Dimension::Cube,
            Made::Ramp { .. } => Dimension::D3,
            _ => Dimension::D2,
        }
    }

    /// Returns the largest level of the texture.
    pub(crate) fn level(&self) -> Level {
        match *self {
            Made::Faces { size, ref colours } => cube(size, |face, s, t| {
                let far = (s * s).max(t * t);
                // All faces have the same colour at their edges, so that filtering across edges does not matter.
                mix(list(colours, face), [0.9, 0.9, 0.88, 1.0], smooth(0.3, 0.95, far))
            }),
            Made::Sky { size, soft } => cube(size, |face, s, t| sky(direction(face, s, t), soft)),
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

    /// Returns all levels, each in one colour.
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

    /// Returns the colour at a position of a flat texture.
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

/// Returns the direction of a position on a face.
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

/// Rises smoothly from 0 to 1 while `x` goes from `from` to `to`.
fn smooth(from: f64, to: f64, x: f64) -> f64 {
    let part = ((x - from) / (to - from)).clamp(0.0, 1.0);
    part * part * (3.0 - 2.0 * part)
}

/// Interpolates in a list of colours.
fn along(colours: &[Colour], at: f64) -> Colour {
    let position = at.clamp(0.0, 1.0) * colours.len().saturating_sub(1) as f64;
    let first = position.floor();
    let next = (first as usize + 1).min(colours.len().saturating_sub(1));
    mix(list(colours, first as usize), list(colours, next), position - first)
}

/// Repeating noise from 0 to 1 with several octaves.
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

/// Returns the brick at a position, and the distance of the position from the mortar, from 0 to 1.
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

/// Returns the height of a pattern, from 0 to 1.
fn height(pattern: Pattern, u: f64, v: f64, cells: u32, seed: u32) -> f64 {
    let of = |at: f64| {
        let at = at * f64::from(cells);
        (at - at.floor()) * 2.0 - 1.0
    };
    match pattern {
        // Squared, so that the slope is 0 at the border.
        Pattern::Dots => {
            let inside = (0.64 - of(u) * of(u) - of(v) * of(v)).max(0.0);
            1.6 * inside * inside
        }
        Pattern::Bricks => bricks(u, v, cells).0 * 0.5,
        Pattern::Noise => clouds(u, v, cells, 4, seed),
        Pattern::Studs => (1.0 - of(u).abs().max(of(v).abs())).min(0.5),
    }
}

/// Returns the colour of the sky in a direction.
fn sky(towards: [f64; 3], soft: f64) -> Colour {
    let [x, y, z] = normal(towards).unwrap_or([0.0, 1.0, 0.0]);
    let above = mix([0.95, 0.85, 0.7, 1.0], [0.2, 0.42, 0.8, 1.0], smooth(0.0, 0.7, y));
    let below = mix([0.4, 0.36, 0.3, 1.0], [0.14, 0.17, 0.12, 1.0], smooth(0.0, -0.6, y));
    let colour = mix(below, above, smooth(-soft, soft, y));
    // The sun is behind the right shoulder of a viewer who looks along z.
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

/// Four rows of hills, each paler than the one in front of it, below a sun.
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
