//! Computes the built-in textures.
//!
//! The computations use only f64 sums, products, quotients and square roots, whose results are the same on every machine.

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

/// A colour as red, green, blue and alpha, from 0 to 1.
pub type Colour = [f64; 4];

/// A height map from which [`Made::Bumps`] computes normals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// A round bump in each cell.
    Dots,
    /// Bricks that rise above the mortar between them.
    Bricks,
    /// Repeating noise with four octaves.
    Noise,
    /// A pyramid with a flat top in each cell.
    Studs,
}

/// The colour grading that a [`Made::Ramp`] colour table applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grade {
    /// The table leaves colours unchanged.
    None,
    /// The table increases red and reduces blue.
    Warm,
    /// The table reduces red and increases blue.
    Cool,
    /// The table turns colours into shades of brown.
    Sepia,
    /// The table inverts each colour component.
    Invert,
    /// The table tints dark colours blue-green and light colours yellow.
    Film,
}

/// A texture that is computed from parameters.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub enum Made {
    /// A checkerboard of rectangular cells in alternating colours.
    Checker { size: [u32; 2], cells: [u32; 2], colours: Vec<Colour> },
    /// A smooth or stepped gradient through the colours, to the right or down.
    Gradient { size: [u32; 2], colours: Vec<Colour>, down: bool, steps: Option<u32> },
    /// Repeating noise that looks like clouds, coloured from a list of colours.
    Noise { size: [u32; 2], cells: u32, octaves: u32, seed: u32, colours: Vec<Colour> },
    /// A normal map that is computed from a height map.
    Bumps { size: [u32; 2], pattern: Pattern, cells: u32, strength: f64, seed: u32 },
    /// A brick wall in which every other row is shifted by half a brick.
    Bricks { size: [u32; 2], cells: u32, colours: Vec<Colour>, seed: u32 },
    /// A disc of the first colour with a soft border, on a background of the second colour.
    Disc { size: [u32; 2], radius: f64, soft: f64, colours: Vec<Colour> },
    /// A picture of hills below a sun.
    Landscape { size: [u32; 2] },
    /// A texture in which each mip level has a single colour.
    Levels { size: [u32; 2], colours: Vec<Colour> },
    /// A cube texture whose faces have one colour each and become pale toward the edges.
    Faces { size: u32, colours: Vec<Colour> },
    /// A cube texture of sky, ground and sun. `soft` states how much the horizon and the sun are blurred.
    Sky { size: u32, soft: f64 },
    /// A 3D colour table, which maps each colour to its graded colour.
    Ramp { size: u32, grade: Grade },
}

impl Made {
    /// Returns the texture's dimension: 2D, cube or 3D.
    pub fn dimension(&self) -> Dimension {
        match self {
            Made::Faces { .. } | Made::Sky { .. } => Dimension::Cube,
            Made::Ramp { .. } => Dimension::D3,
            _ => Dimension::D2,
        }
    }

    pub(crate) fn level(&self) -> Level {
        match *self {
            Made::Faces { size, ref colours } => cube(size, |face, s, t| {
                let far = (s * s).max(t * t);
                // All faces have the same colour near their edges, so filtering across an edge has no visible effect.
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

    /// Returns the mip levels of a `Levels` texture, each in a single colour.
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

/// Returns a value that rises smoothly from 0 to 1 as `x` goes from `from` to `to`.
fn smooth(from: f64, to: f64, x: f64) -> f64 {
    let part = ((x - from) / (to - from)).clamp(0.0, 1.0);
    part * part * (3.0 - 2.0 * part)
}

/// Interpolates a list of colours at a position from 0 to 1.
fn along(colours: &[Colour], at: f64) -> Colour {
    let position = at.clamp(0.0, 1.0) * colours.len().saturating_sub(1) as f64;
    let first = position.floor();
    let next = (first as usize + 1).min(colours.len().saturating_sub(1));
    mix(list(colours, first as usize), list(colours, next), position - first)
}

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

/// Returns the distance of a position from the mortar, from 0 to 1, and the column and row of the brick at that position.
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

fn height(pattern: Pattern, u: f64, v: f64, cells: u32, seed: u32) -> f64 {
    let of = |at: f64| {
        let at = at * f64::from(cells);
        (at - at.floor()) * 2.0 - 1.0
    };
    match pattern {
        // Squaring the height makes the slope of a dot 0 at its border.
        Pattern::Dots => {
            let inside = (0.64 - of(u) * of(u) - of(v) * of(v)).max(0.0);
            1.6 * inside * inside
        }
        Pattern::Bricks => bricks(u, v, cells).0 * 0.5,
        Pattern::Noise => clouds(u, v, cells, 4, seed),
        Pattern::Studs => (1.0 - of(u).abs().max(of(v).abs())).min(0.5),
    }
}

fn sky(towards: [f64; 3], soft: f64) -> Colour {
    let [x, y, z] = normal(towards).unwrap_or([0.0, 1.0, 0.0]);
    let above = mix([0.95, 0.85, 0.7, 1.0], [0.2, 0.42, 0.8, 1.0], smooth(0.0, 0.7, y));
    let below = mix([0.4, 0.36, 0.3, 1.0], [0.14, 0.17, 0.12, 1.0], smooth(0.0, -0.6, y));
    let colour = mix(below, above, smooth(-soft, soft, y));
    // The sun is above, behind and to the right of a viewer who looks along the z axis.
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

/// Returns the colour of a landscape with four rows of hills below a sun. Each row is paler than the row in front of it.
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
