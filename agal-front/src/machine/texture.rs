//! Textures, and what is read from them: plain, exact and slow.
//!
//! The origin of a texture is its upper left corner. A level of detail is the binary logarithm of the larger of the two
//! lengths, in texels, by which the coordinate changes to the right and downward. Faces of cubes meet without a seam. The
//! conventions are those that Direct3D, Vulkan and OpenGL have in common.

#![expect(
    clippy::indexing_slicing,
    reason = "lanes, components and axes are counted over arrays of as many; a component of a swizzle has two bits"
)]
#![expect(
    clippy::cast_possible_truncation,
    reason = "what is cut is a float, which is rounded and held within the texture before; texels are 32-bit floats"
)]

use sdlbc::Dimension;

use super::{LevelOf, Lookup, Quad};
use crate::token::Sampler;

/// One mip level.
#[derive(Clone, Debug, PartialEq)]
pub struct Level {
    /// Texels across.
    pub width: u32,
    /// Texels down.
    pub height: u32,
    /// Slices of a 3D texture, 6 faces of a cube (+x, -x, +y, -y, +z, -z), else 1.
    pub depth: u32,
    /// Row by row from the top, slice by slice. What is missing is zero.
    pub texels: Vec<[f32; 4]>,
}

impl Level {
    /// A level of texels of four bytes, each a number from 0 to 1 in 255 steps.
    pub fn from_bytes(width: u32, height: u32, depth: u32, texels: &[[u8; 4]]) -> Level {
        let number = |byte: u8| f32::from(byte) / 255.0;
        Level { width, height, depth, texels: texels.iter().map(|texel| texel.map(number)).collect() }
    }

    fn texel(&self, x: u32, y: u32, z: u32) -> [f64; 4] {
        let at = (z as usize * self.height as usize + y as usize) * self.width as usize + x as usize;
        self.texels.get(at).map_or([0.0; 4], |texel| texel.map(f64::from))
    }
}

/// A texture: its largest level first. A level beyond the last is the last.
#[derive(Clone, Debug, PartialEq)]
pub struct Texture {
    /// 2D, 3D or cube.
    pub dimension: Dimension,
    /// At least one, or all is zero.
    pub levels: Vec<Level>,
}

impl Texture {
    /// A texture of one texel, which is the same everywhere.
    pub fn plain(dimension: Dimension, texel: [f32; 4]) -> Texture {
        let depth = if dimension == Dimension::Cube { 6 } else { 1 };
        Texture { dimension, levels: vec![Level { width: 1, height: 1, depth, texels: vec![texel; depth as usize] }] }
    }

    /// What a texture opcode reads, in each invocation.
    pub(super) fn sample(&self, lookup: &Lookup) -> Quad {
        if self.dimension != dimension(lookup.sampler) {
            return Quad::default();
        }
        let exact = |coordinates: [[f32; 3]; 4]| coordinates.map(|coordinate| coordinate.map(f64::from));
        let points = exact(lookup.coordinates);
        std::array::from_fn(|lane| {
            let level = match lookup.level {
                LevelOf::Given(levels) => f64::from(levels[lane]),
                LevelOf::Neighbours(coordinates) => self.level(&exact(coordinates), lane),
            };
            self.at(lookup.sampler, points[lane], level + f64::from(lookup.bias)).map(|component| component as f32)
        })
    }

    /// The level of detail that follows from the neighbours of an invocation.
    fn level(&self, points: &[[f64; 3]; 4], lane: usize) -> f64 {
        let difference = |to: usize, from: usize| std::array::from_fn(|i| points[to][i] - points[from][i]);
        let (row, column) = (lane & 2, lane & 1);
        let across = self.texels_in(points[lane], difference(row | 1, row));
        let down = self.texels_in(points[lane], difference(2 | column, column));
        across.max(down).log2()
    }

    /// The length in texels of a change of the coordinate.
    fn texels_in(&self, point: [f64; 3], change: [f64; 3]) -> f64 {
        let Some(level) = self.levels.first() else { return 0.0 };
        let (width, height, depth) = (f64::from(level.width), f64::from(level.height), f64::from(level.depth));
        let lengths = match self.dimension {
            Dimension::Cube => {
                // How the point moves on its face: the quotient's derivative.
                let face = face_of(point);
                let [s, t, major] = on_face(face, point);
                let [ds, dt, dmajor] = on_face(face, change);
                let moved = |s: f64, ds: f64| (ds * major - s * dmajor) / (major * major) * 0.5;
                [moved(s, ds) * width, moved(t, dt) * height, 0.0]
            }
            Dimension::D3 => [change[0] * width, change[1] * height, change[2] * depth],
            _ => [change[0] * width, change[1] * height, 0.0],
        };
        lengths.iter().map(|length| length * length).sum::<f64>().sqrt()
    }

    /// The colour at a point and a level of detail.
    fn at(&self, sampler: Sampler, point: [f64; 3], level: f64) -> [f64; 4] {
        let last = self.levels.len().saturating_sub(1);
        // What is no number is the largest level.
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

/// The dimension that a sampler reads.
pub(super) fn dimension(sampler: Sampler) -> Dimension {
    match sampler.dimension {
        1 => Dimension::Cube,
        2 => Dimension::D3,
        _ => Dimension::D2,
    }
}

/// The two texels along an axis between which a coordinate lies, and how far it is to the second.
fn texels_of(coordinate: f64, size: u32, repeats: bool, linear: bool) -> (u32, u32, f64) {
    let size = size.max(1);
    let coordinate = if repeats { coordinate - coordinate.floor() } else { coordinate.clamp(-1.0, 2.0) };
    let coordinate = if coordinate.is_nan() { 0.0 } else { coordinate };
    let place = coordinate * f64::from(size) - if linear { 0.5 } else { 0.0 };
    let first = place.floor();
    let within = |texel: i64| match repeats {
        true => texel.rem_euclid(i64::from(size)) as u32,
        false => texel.clamp(0, i64::from(size) - 1) as u32,
    };
    let fraction = if linear { place - first } else { 0.0 };
    (within(first as i64), within(first as i64 + 1), fraction)
}

/// What is so far on the way from the first of two to the second, which is not asked for where it does not count.
fn between(share: f64, of: impl Fn(bool) -> [f64; 4]) -> [f64; 4] {
    if share == 0.0 { of(false) } else { mix(of(false), of(true), share) }
}

fn mix(a: [f64; 4], b: [f64; 4], share: f64) -> [f64; 4] {
    std::array::from_fn(|i| a[i] * (1.0 - share) + b[i] * share)
}

/// The face of a cube that a direction meets. On an edge z goes before y, and y before x.
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

/// A direction in the axes of a face: s to the right, t downward, and the one that points out of it.
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

/// The direction of a point of a face's plane.
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

/// The face that a direction meets, and where, in texels.
fn in_texels(level: &Level, direction: [f64; 3]) -> (u32, f64, f64) {
    let face = face_of(direction);
    let [s, t, major] = on_face(face, direction);
    let place = |of: f64, size: u32| {
        let place = (of / major + 1.0) * 0.5 * f64::from(size);
        if place.is_nan() { f64::from(size) * 0.5 } else { place }
    };
    (face, place(s, level.width), place(t, level.height))
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
    // Three faces meet in a corner of the cube, so one of the four texels does not exist: it is the others' mean.
    let there: Vec<[f64; 4]> = texels.iter().copied().flatten().collect();
    let mean = std::array::from_fn(|i| there.iter().map(|texel| texel[i]).sum::<f64>() / there.len().max(1) as f64);
    let [a, b, c, d] = texels.map(|texel| texel.unwrap_or(mean));
    mix(mix(a, b, x - left), mix(c, d, x - left), y - top)
}

/// A texel of a face or, where one coordinate lies outside of it, of the face beside it; none where both do.
fn cube_texel(level: &Level, face: u32, x: f64, y: f64) -> Option<[f64; 4]> {
    let (width, height) = (f64::from(level.width), f64::from(level.height));
    let outside = |place: f64, size: f64| place < 0.0 || place >= size;
    let (face, x, y) = match (outside(x, width), outside(y, height)) {
        (false, false) => (face, x, y),
        (true, true) => return None,
        // The plane of the face goes on outside of it; what is seen through the middle of a texel there is the neighbour's.
        _ => in_texels(level, from_face(face, (x + 0.5) / width * 2.0 - 1.0, (y + 0.5) / height * 2.0 - 1.0)),
    };
    Some(face_texel(level, face, x, y))
}

/// The texel of a face around a point, held within the face.
fn face_texel(level: &Level, face: u32, x: f64, y: f64) -> [f64; 4] {
    let held = |place: f64, size: u32| place.floor().clamp(0.0, f64::from(size.max(1)) - 1.0) as u32;
    level.texel(held(x, level.width), held(y, level.height), face)
}
