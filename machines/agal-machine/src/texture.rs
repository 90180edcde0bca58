//! Textures and texture filtering. The code is simple and exact, but not fast.
//!
//! The origin of a texture is its upper left corner. The level of detail is the base-2 logarithm of a length in texels: the
//! length of the coordinate's horizontal or vertical derivative, whichever is longer. Cube faces are filtered seamlessly. The
//! conventions for textures follow Direct3D, Vulkan and OpenGL.

#![expect(clippy::indexing_slicing, reason = "lanes, axes and sources are counted within the arrays' lengths")]
#![expect(
    clippy::cast_possible_truncation,
    reason = "floats are rounded and clamped to the texture before they become integers; texels are 32-bit floats"
)]

use std::collections::BTreeMap;

use agal_front::token::Sampler;

use super::{Environment, LevelOfDetail, Lookup, Quad};

/// The dimension of a texture: 2D, 3D or cube.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dimension {
    /// A texture with width and height.
    D2,
    /// A texture with width, height and depth.
    D3,
    /// A cube texture with six square faces.
    Cube,
}

impl Dimension {
    /// Returns the dimension of the textures that a sampler reads. Rectangle textures count as 2D.
    pub(super) fn of(sampler: Sampler) -> Dimension {
        match sampler.dimension {
            1 => Dimension::Cube,
            2 => Dimension::D3,
            _ => Dimension::D2,
        }
    }

    /// Returns the number of components in a texture coordinate.
    pub(super) fn coordinates(self) -> usize {
        match self {
            Dimension::D2 => 2,
            Dimension::D3 | Dimension::Cube => 3,
        }
    }
}

/// A mip level of a texture.
#[derive(Clone, Debug, PartialEq)]
pub struct Level {
    /// The width in texels.
    pub width: u32,
    /// The height in texels.
    pub height: u32,
    /// The number of slices: the depth of a 3D texture, 6 for a cube texture, and otherwise 1. The faces of a cube are in the
    /// order +x, -x, +y, -y, +z, -z.
    pub depth: u32,
    /// The texels, slice by slice, and row by row from the top in each slice. Missing texels are zero.
    pub texels: Vec<[f32; 4]>,
}

impl Level {
    /// Builds a mip level from texels of four bytes. The bytes 0 to 255 become components from 0 to 1.
    pub fn from_bytes(width: u32, height: u32, depth: u32, texels: &[[u8; 4]]) -> Level {
        let number = |byte: u8| f32::from(byte) / 255.0;
        Level { width, height, depth, texels: texels.iter().map(|texel| texel.map(number)).collect() }
    }

    fn texel(&self, x: u32, y: u32, z: u32) -> [f64; 4] {
        let at = (z as usize * self.height as usize + y as usize) * self.width as usize + x as usize;
        self.texels.get(at).map_or([0.0; 4], |texel| texel.map(f64::from))
    }
}

/// A texture with its mip levels. If the level of detail is beyond the last mip level, the last mip level is read.
#[derive(Clone, Debug, PartialEq)]
pub struct Texture {
    /// The texture's dimension: 2D, 3D or cube.
    pub dimension: Dimension,
    /// The mip levels, the largest first. A texture without mip levels reads as zero.
    pub levels: Vec<Level>,
}

impl Texture {
    /// Creates a texture with the same texel everywhere.
    pub fn plain(dimension: Dimension, texel: [f32; 4]) -> Texture {
        let depth = if dimension == Dimension::Cube { 6 } else { 1 };
        Texture { dimension, levels: vec![Level { width: 1, height: 1, depth, texels: vec![texel; depth as usize] }] }
    }

    /// Returns the result of a lookup in each invocation.
    pub(super) fn sample(&self, lookup: &Lookup) -> Quad {
        if self.dimension != Dimension::of(lookup.sampler) {
            return Quad::default();
        }
        let exact = |coordinates: [[f32; 3]; 4]| coordinates.map(|coordinate| coordinate.map(f64::from));
        let points = exact(lookup.coordinates);
        std::array::from_fn(|lane| {
            let level = match lookup.level {
                LevelOfDetail::Explicit(levels) => f64::from(levels[lane]),
                LevelOfDetail::Implicit(coordinates) => self.level(&exact(coordinates), lane),
            };
            self.at(lookup.sampler, points[lane], level + f64::from(lookup.bias)).map(|component| component as f32)
        })
    }

    /// Returns the implicit level of detail for an invocation.
    fn level(&self, points: &[[f64; 3]; 4], lane: usize) -> f64 {
        let difference = |to: usize, from: usize| std::array::from_fn(|i| points[to][i] - points[from][i]);
        let (row, column) = (lane & 2, lane & 1);
        let across = self.texels_in(points[lane], difference(row | 1, row));
        let down = self.texels_in(points[lane], difference(2 | column, column));
        across.max(down).log2()
    }

    /// Returns how many texels the coordinate moves if it changes by `change` at `point`.
    fn texels_in(&self, point: [f64; 3], change: [f64; 3]) -> f64 {
        let Some(level) = self.levels.first() else { return 0.0 };
        let (width, height, depth) = (f64::from(level.width), f64::from(level.height), f64::from(level.depth));
        let lengths = match self.dimension {
            Dimension::Cube => {
                // The quotient rule gives the movement of the point on the cube's face.
                let face = face_of(point);
                let [s, t, major] = on_face(face, point);
                let [ds, dt, dmajor] = on_face(face, change);
                let moved = |s: f64, ds: f64| (ds * major - s * dmajor) / (major * major) * 0.5;
                [moved(s, ds) * width, moved(t, dt) * height, 0.0]
            }
            Dimension::D3 => [change[0] * width, change[1] * height, change[2] * depth],
            Dimension::D2 => [change[0] * width, change[1] * height, 0.0],
        };
        lengths.iter().map(|length| length * length).sum::<f64>().sqrt()
    }

    /// Returns the colour at a point for a level of detail.
    fn at(&self, sampler: Sampler, point: [f64; 3], level: f64) -> [f64; 4] {
        let last = self.levels.len().saturating_sub(1);
        // A NaN level of detail selects the largest mip level.
        let level = if level > 0.0 { level.min(last as f64) } else { 0.0 };
        let of = |index: usize| match self.levels.get(index.min(last)) {
            Some(level) => self.in_level(level, sampler, point),
            None => [0.0; 4],
        };
        match sampler.mip {
            0 => of(0),
            1 => of((level + 0.5).floor() as usize),
            _ => between(level.fract(), |next| of(level as usize + usize::from(next))),
        }
    }

    fn in_level(&self, level: &Level, sampler: Sampler, point: [f64; 3]) -> [f64; 4] {
        let linear = sampler.filter != 0;
        if self.dimension == Dimension::Cube {
            return in_cube(level, linear, point);
        }
        let repeats = [matches!(sampler.wrap, 1 | 3), matches!(sampler.wrap, 1 | 2), matches!(sampler.wrap, 1 | 3)];
        let sizes = [level.width, level.height, if self.dimension == Dimension::D3 { level.depth } else { 1 }];
        let [x, y, z] = [0, 1, 2].map(|axis| texels_of(point[axis], sizes[axis], repeats[axis], linear));
        let of = |axis: (u32, u32, f64), next: bool| if next { axis.1 } else { axis.0 };
        let texel = |next: [bool; 3]| level.texel(of(x, next[0]), of(y, next[1]), of(z, next[2]));
        between(z.2, |c| between(y.2, |b| between(x.2, |a| texel([a, b, c]))))
    }
}

/// Maps sampler numbers to textures. A sampler reads zeroes if its texture is missing or has a different dimension.
impl Environment for BTreeMap<u32, Texture> {
    fn texels(&self, lookup: &Lookup) -> Quad {
        let texture = self.get(&u32::from(lookup.sampler.number));
        texture.map_or(Quad::default(), |texture| texture.sample(lookup))
    }
}

/// Returns the two texels next to a coordinate on one axis, and the weight of the second texel.
fn texels_of(coordinate: f64, size: u32, repeats: bool, linear: bool) -> (u32, u32, f64) {
    let size = size.max(1);
    let coordinate = if repeats { coordinate - coordinate.floor() } else { coordinate.clamp(-1.0, 2.0) };
    let coordinate = if coordinate.is_nan() { 0.0 } else { coordinate };
    let position = coordinate * f64::from(size) - if linear { 0.5 } else { 0.0 };
    let first = position.floor();
    let within = |texel: i64| match repeats {
        true => texel.rem_euclid(i64::from(size)) as u32,
        false => texel.clamp(0, i64::from(size) - 1) as u32,
    };
    let fraction = if linear { position - first } else { 0.0 };
    (within(first as i64), within(first as i64 + 1), fraction)
}

/// Interpolates between `of(false)` and `of(true)`. A weight of 0 skips the computation of `of(true)`.
fn between(weight: f64, of: impl Fn(bool) -> [f64; 4]) -> [f64; 4] {
    if weight == 0.0 { of(false) } else { mix(of(false), of(true), weight) }
}

fn mix(a: [f64; 4], b: [f64; 4], weight: f64) -> [f64; 4] {
    std::array::from_fn(|i| a[i] * (1.0 - weight) + b[i] * weight)
}

/// Returns the cube face that a direction points to. On an edge, z takes precedence over y, and y over x.
fn face_of([x, y, z]: [f64; 3]) -> u32 {
    let (ax, ay, az) = (x.abs(), y.abs(), z.abs());
    if az >= ax && az >= ay {
        4 + u32::from(z < 0.0)
    } else if ay >= ax {
        2 + u32::from(y < 0.0)
    } else {
        u32::from(x < 0.0)
    }
}

/// Returns a direction in a face's coordinates: s to the right, t downward, and the outward normal.
fn on_face(face: u32, [x, y, z]: [f64; 3]) -> [f64; 3] {
    match face {
        0 => [-z, -y, x],
        1 => [z, -y, -x],
        2 => [x, z, y],
        3 => [x, -z, -y],
        4 => [x, -y, z],
        _ => [-x, -y, -z],
    }
}

/// Returns the direction of a point in a face's plane.
fn from_face(face: u32, s: f64, t: f64) -> [f64; 3] {
    match face {
        0 => [1.0, -t, -s],
        1 => [-1.0, -t, s],
        2 => [s, 1.0, t],
        3 => [s, -1.0, -t],
        4 => [s, -t, 1.0],
        _ => [-s, -t, -1.0],
    }
}

/// Returns the face that a direction points to, and the point on the face in texels.
fn in_texels(level: &Level, direction: [f64; 3]) -> (u32, f64, f64) {
    let face = face_of(direction);
    let [s, t, major] = on_face(face, direction);
    let position = |of: f64, size: u32| {
        let position = (of / major + 1.0) * 0.5 * f64::from(size);
        if position.is_nan() { f64::from(size) * 0.5 } else { position }
    };
    (face, position(s, level.width), position(t, level.height))
}

fn in_cube(level: &Level, linear: bool, direction: [f64; 3]) -> [f64; 4] {
    let (face, x, y) = in_texels(level, direction);
    if !linear {
        return face_texel(level, face, x, y);
    }
    let (x, y) = (x - 0.5, y - 0.5);
    let (left, top) = (x.floor(), y.floor());
    let corners = [(left, top), (left + 1.0, top), (left, top + 1.0), (left + 1.0, top + 1.0)];
    let texels = corners.map(|(x, y)| cube_texel(level, face, x, y));
    // Three faces meet at a corner of the cube, so one of the four texels is missing there. The mean of the other three texels
    // replaces the missing texel.
    let existing: Vec<[f64; 4]> = texels.iter().copied().flatten().collect();
    let mean =
        std::array::from_fn(|i| existing.iter().map(|texel| texel[i]).sum::<f64>() / existing.len().max(1) as f64);
    let [a, b, c, d] = texels.map(|texel| texel.unwrap_or(mean));
    mix(mix(a, b, x - left), mix(c, d, x - left), y - top)
}

/// Returns a texel of a face, or of the adjacent face if one coordinate is outside the face; `None` if both coordinates are
/// outside.
fn cube_texel(level: &Level, face: u32, x: f64, y: f64) -> Option<[f64; 4]> {
    let (width, height) = (f64::from(level.width), f64::from(level.height));
    let outside = |at: f64, size: f64| at < 0.0 || at >= size;
    let (face, x, y) = match (outside(x, width), outside(y, height)) {
        (false, false) => (face, x, y),
        (true, true) => return None,
        // Projects the texel's centre from the extended plane of the face onto the adjacent face.
        _ => in_texels(level, from_face(face, (x + 0.5) / width * 2.0 - 1.0, (y + 0.5) / height * 2.0 - 1.0)),
    };
    Some(face_texel(level, face, x, y))
}

/// Returns the texel of a face at a point. The point is clamped to the face.
fn face_texel(level: &Level, face: u32, x: f64, y: f64) -> [f64; 4] {
    let clamped = |at: f64, size: u32| at.floor().clamp(0.0, f64::from(size.max(1)) - 1.0) as u32;
    level.texel(clamped(x, level.width), clamped(y, level.height), face)
}
