//! Selects the mip levels to read, and their weights.
//!
//! The LOD is log2 of the longer of the two coordinate differences, in texels of the first level. The length of a difference is
//! computed exactly, although graphics APIs permit approximations. For a cube, the coordinate is the position on the face, and
//! its differences are computed from the derivative of the projection.

use sdlbc::{Dimension, Sampler};

use super::cube;
use super::located::{Floats, LevelOf, Vectors, lanes};
use crate::{LANES, Level, Mask, Texture};

/// The mip levels that each lane reads: the level `first`, and the next level with the weight `part`.
pub(super) struct Chosen {
    pub(super) first: [u8; LANES],
    /// The weight of the next level, which is zero if a lane reads only one level.
    pub(super) part: Floats,
    /// Whether any lane may read a level other than the first level.
    pub(super) several: bool,
}

/// Selects the mip levels of the live lanes.
#[inline(always)]
pub(super) fn choose(
    texture: &Texture,
    sampler: &Sampler,
    coordinate: &Vectors<'_>,
    level: LevelOf<'_>,
    live: Mask,
) -> Chosen {
    let mut chosen = Chosen { first: [0; LANES], part: [0.0; LANES], several: false };
    let Some((base, 2..)) = texture.levels.first().map(|base| (base, texture.levels.len())) else {
        return chosen;
    };
    chosen.several = sampler.mip == 1 || sampler.mip == 2;
    let last = f32::from(u8::try_from(texture.levels.len() - 1).unwrap_or(u8::MAX));
    if !chosen.several {
        return chosen;
    }
    let lods = detail(texture.dimension, base, coordinate, level, live);
    if sampler.mip == 1 {
        for (first, lod) in chosen.first.iter_mut().zip(lods) {
            *first = hold(lod + 0.5, last) as u8;
        }
    } else {
        for ((first, part), lod) in chosen.first.iter_mut().zip(&mut chosen.part).zip(lods) {
            let lod = hold(lod, last);
            *first = lod as u8;
            *part = lod - f32::from(*first);
        }
    }
    chosen
}

/// Clamps an LOD to the range from zero to the last level, and maps NaN to zero.
fn hold(lod: f32, last: f32) -> f32 {
    let lod = if lod > 0.0 { lod } else { 0.0 };
    if lod < last { lod } else { last }
}

#[inline(always)]
fn detail(dimension: Dimension, base: &Level, coordinate: &Vectors<'_>, level: LevelOf<'_>, live: Mask) -> Floats {
    let size =
        [base.width as f32, base.height as f32, if dimension == Dimension::D3 { base.depth as f32 } else { 0.0 }];
    match level {
        LevelOf::Exact(lod) => *lod,
        LevelOf::Gradient { dx, dy } => {
            let mut squares = [0.0; LANES];
            for lane in lanes(live) {
                squares[lane] = longer(dimension, size, &vector(coordinate, lane), &dx[lane], &dy[lane]);
            }
            details(&squares)
        }
        LevelOf::Implicit { bias } => {
            let mut squares = of_whole_quads(dimension, size, coordinate);
            for (number, square) in squares.iter_mut().enumerate() {
                let there = live >> (4 * number) & 0b1111;
                if there != 0b1111 {
                    *square = of_quad(dimension, size, coordinate, 4 * number, there);
                }
            }
            let of_quads = details(&squares);
            let mut lod = [0.0; LANES];
            for (lane, lod) in lod.iter_mut().enumerate() {
                *lod = of_quads[lane / 4] + bias.map_or(0.0, |bias| bias[lane]);
            }
            lod
        }
    }
}

#[inline(always)]
fn vector(vectors: &Vectors<'_>, lane: usize) -> [f32; 3] {
    let [x, y, z] = vectors;
    [f32::from_bits(x[lane]), f32::from_bits(y[lane]), f32::from_bits(z[lane])]
}

/// Returns the square of the longer coordinate difference in each quad, as if all lanes of the quads were live.
#[inline(always)]
fn of_whole_quads(dimension: Dimension, size: [f32; 3], coordinate: &Vectors<'_>) -> [f32; LANES / 4] {
    // The outer loop is over the axes, so that the inner loop reads one column.
    let (mut at, mut dx, mut dy) = ([[0.0; LANES / 4]; 3], [[0.0; LANES / 4]; 3], [[0.0; LANES / 4]; 3]);
    for (axis, column) in coordinate.iter().enumerate() {
        for (number, quad) in column.as_chunks::<4>().0.iter().enumerate() {
            let from = f32::from_bits(quad[0]);
            at[axis][number] = from;
            dx[axis][number] = f32::from_bits(quad[1]) - from;
            dy[axis][number] = f32::from_bits(quad[2]) - from;
        }
    }
    let mut squares = [0.0; LANES / 4];
    for (number, square) in squares.iter_mut().enumerate() {
        let vector = |[x, y, z]: &[[f32; LANES / 4]; 3]| [x[number], y[number], z[number]];
        *square = longer(dimension, size, &vector(&at), &vector(&dx), &vector(&dy));
    }
    squares
}

/// Returns the square of the longer coordinate difference in the quad that begins at the lane `first`. Only some lanes of the
/// quad are live.
fn of_quad(dimension: Dimension, size: [f32; 3], coordinate: &Vectors<'_>, first: usize, there: u64) -> f32 {
    let lane = |i: usize| vector(coordinate, first + i);
    let difference = |a: usize, b: usize| std::array::from_fn(|i| lane(b)[i] - lane(a)[i]);
    let both = |a: usize, b: usize| (there >> a) & (there >> b) & 1 == 1;
    let first_of = |pairs: [(usize, usize); 2]| {
        pairs.into_iter().find(|&(a, b)| both(a, b)).map_or([0.0; 3], |(a, b)| difference(a, b))
    };
    let (across, down) = (first_of([(0, 1), (2, 3)]), first_of([(0, 2), (1, 3)]));
    longer(dimension, size, &lane(there.trailing_zeros() as usize & 3), &across, &down)
}

/// Returns the square of the longer of two coordinate differences at a position, in texels. An axis whose size is zero is
/// ignored.
#[inline(always)]
fn longer(dimension: Dimension, size: [f32; 3], at: &[f32; 3], dx: &[f32; 3], dy: &[f32; 3]) -> f32 {
    let square = |d: &[f32; 3]| {
        let [x, y, z] = match dimension {
            Dimension::D2 | Dimension::D2Array => [d[0] * size[0], d[1] * size[1], 0.0],
            Dimension::D3 => [d[0] * size[0], d[1] * size[1], d[2] * size[2]],
            Dimension::Cube | Dimension::CubeArray => {
                let [s, t] = cube::difference(at, d);
                [s * size[0], t * size[1], 0.0]
            }
        };
        x * x + y * y + z * z
    };
    let (across, down) = (square(dx), square(dy));
    if across > down { across } else { down }
}

#[inline(always)]
fn details<const N: usize>(squares: &[f32; N]) -> [f32; N] {
    let mut all = [0.0; N];
    for (lod, square) in all.iter_mut().zip(squares) {
        *lod = 0.5 * log2(*square);
    }
    all
}

/// Returns log2 of a positive finite number, accurate to the last bits of an f32 and identical on every machine. The result
/// is below -100 for zero, subnormal numbers and NaN, and above 100 for infinity.
#[inline(always)]
fn log2(x: f32) -> f32 {
    let x = if x > f32::MIN_POSITIVE { x } else { f32::MIN_POSITIVE };
    // x = m * 2^e, with m from sqrt(1/2) to sqrt(2). The logarithm of m is a series in (m - 1) / (m + 1).
    let bits = x.to_bits();
    let half = std::f32::consts::FRAC_1_SQRT_2.to_bits();
    let exponent = (bits.wrapping_sub(half) as i32) >> 23;
    let m = f32::from_bits(bits.wrapping_sub((exponent << 23) as u32));
    let t = (m - 1.0) / (m + 1.0);
    let square = t * t;
    let series = 1.0 + square * (1.0 / 3.0 + square * (1.0 / 5.0 + square * (1.0 / 7.0 + square * (1.0 / 9.0))));
    exponent as f32 + 2.0 * std::f32::consts::LOG2_E * t * series
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_logarithm_is_accurate_to_the_last_bits() {
        let mut x = f32::MIN_POSITIVE;
        while x < f32::MAX / 2.0 {
            let wanted = f64::from(x).log2();
            let error = (f64::from(super::log2(x)) - wanted).abs();
            assert!(error <= 2e-7 * wanted.abs().max(1.0), "{x}: {} and {wanted}", super::log2(x));
            x *= 1.003;
        }
        for x in [0.0, -1.0, f32::NAN, f32::NEG_INFINITY, 1e-40] {
            assert!(super::log2(x) < -100.0, "{x}");
        }
        assert!(super::log2(f32::INFINITY) > 100.0);
        assert_eq!(
            [super::log2(1.0), super::log2(2.0), super::log2(1024.0), super::log2(0.25)],
            [0.0, 1.0, 10.0, -2.0]
        );
    }
}
