//! The filters, one function for each dimension, filter and wrap mode.
//!
//! Texels are mixed as numbers from 0 to 255 and divided once at the end, so that an unmixed texel is exactly what
//! [`fetch`](super::fetch) returns. Sizes are from 1 to [`LARGEST_TEXTURE`](crate::LARGEST_TEXTURE).

use sdlbc::{Dimension, Sampler};

use super::level::Chosen;
use super::{cube, lanes};
use crate::{LANES, Level, Mask, Texture};

/// Samples the live lanes at their levels.
pub(super) fn run(
    texture: &Texture,
    sampler: &Sampler,
    coordinate: &[[f32; 3]; LANES],
    chosen: &Chosen,
    live: Mask,
    texels: &mut [[f32; 4]; LANES],
) {
    // Each arm is a separate loop, with its filter inlined.
    macro_rules! each {
        ($filter:expr) => {
            each(texture, coordinate, chosen, live, texels, $filter)
        };
    }
    let linear = sampler.filter != 0;
    let (u, v) = (sampler.wrap_u == 1, sampler.wrap_v == 1);
    match (texture.dimension, linear, u, v) {
        (Dimension::D2, false, false, false) => each!(nearest::<false, false, false>),
        (Dimension::D2, false, false, true) => each!(nearest::<false, true, false>),
        (Dimension::D2, false, true, false) => each!(nearest::<true, false, false>),
        (Dimension::D2, false, true, true) => each!(nearest::<true, true, false>),
        (Dimension::D2, true, false, false) => each!(linear_2d::<false, false>),
        (Dimension::D2, true, false, true) => each!(linear_2d::<false, true>),
        (Dimension::D2, true, true, false) => each!(linear_2d::<true, false>),
        (Dimension::D2, true, true, true) => each!(linear_2d::<true, true>),
        (Dimension::D3, false, false, false) => each!(nearest::<false, false, true>),
        (Dimension::D3, false, false, true) => each!(nearest::<false, true, true>),
        (Dimension::D3, false, true, false) => each!(nearest::<true, false, true>),
        (Dimension::D3, false, true, true) => each!(nearest::<true, true, true>),
        (Dimension::D3, true, false, false) => each!(linear_3d::<false, false>),
        (Dimension::D3, true, false, true) => each!(linear_3d::<false, true>),
        (Dimension::D3, true, true, false) => each!(linear_3d::<true, false>),
        (Dimension::D3, true, true, true) => each!(linear_3d::<true, true>),
        (Dimension::Cube, false, _, _) => each!(nearest_cube),
        (Dimension::Cube, true, _, _) => each!(linear_cube),
    }
}

/// Applies a filter to each live lane's level, and mixes in the next level if it has a weight.
#[inline(always)]
fn each(
    texture: &Texture,
    coordinate: &[[f32; 3]; LANES],
    chosen: &Chosen,
    live: Mask,
    texels: &mut [[f32; 4]; LANES],
    filter: impl Fn(&Level, &[f32; 3]) -> [f32; 4],
) {
    for lane in lanes(live) {
        let first = usize::from(chosen.first[lane]);
        let Some(level) = texture.levels.get(first) else { continue };
        let mut mixed = filter(level, &coordinate[lane]);
        let part = chosen.part[lane];
        if part > 0.0
            && let Some(next) = texture.levels.get(first + 1)
        {
            mixed = mix(mixed, filter(next, &coordinate[lane]), part);
        }
        texels[lane] = mixed.map(|component| component / 255.0);
    }
}

/// Mixes `a` and `b`, with weight `part` for `b`.
#[inline(always)]
fn mix(a: [f32; 4], b: [f32; 4], part: f32) -> [f32; 4] {
    std::array::from_fn(|i| a[i] + (b[i] - a[i]) * part)
}

/// Clamps a number to a range; NaN becomes its lower end.
#[inline(always)]
fn hold(x: f32, low: f32, high: f32) -> f32 {
    let x = if x > low { x } else { low };
    if x < high { x } else { high }
}

/// Returns the largest integer that is not above `x`, whose magnitude is below 2^22.
#[inline(always)]
fn floor(x: f32) -> i32 {
    // From 2^23 on an f32 has no fraction: the sum is rounded to the nearest integer, which is in its lowest bits.
    const BIG: f32 = 12_582_912.0;
    let sum = x + BIG;
    let nearest = sum.to_bits() as i32 - BIG.to_bits() as i32;
    nearest - i32::from(sum - BIG > x)
}

/// Returns the fraction of a repeating coordinate, from 0 to 1; 1 only through rounding.
#[inline(always)]
fn fraction(u: f32) -> f32 {
    if u.abs() < 4_194_304.0 {
        u - floor(u) as f32
    } else if u.is_finite() {
        u - u.floor()
    } else {
        0.0
    }
}

/// Returns the texel, of `size` along one axis, that contains `u`.
#[inline(always)]
fn one<const REPEAT: bool>(u: f32, size: u32) -> usize {
    let length = size as f32;
    let place = if REPEAT { fraction(u) } else { u } * length;
    (floor(hold(place, 0.0, length)) as usize).min(size as usize - 1)
}

/// Returns the two texels whose centres are on either side of `u`, and the weight of the second.
#[inline(always)]
fn two<const REPEAT: bool>(u: f32, size: u32) -> (usize, usize, f32) {
    let length = size as f32;
    let last = size as i32 - 1;
    let place = if REPEAT { fraction(u) } else { u } * length - 0.5;
    let place = hold(place, -1.0, length);
    let first = floor(place);
    let part = place - first as f32;
    let (first, second) = if REPEAT {
        (if first < 0 { last } else { first.min(last) }, if first >= last { 0 } else { first + 1 })
    } else {
        (first.clamp(0, last), (first + 1).clamp(0, last))
    };
    (first as usize, second as usize, part)
}

/// Returns a texel as 0 to 255.
#[inline(always)]
fn read(level: &Level, place: usize) -> [f32; 4] {
    level.texels.get(place).copied().unwrap_or_default().map(f32::from)
}

#[inline(always)]
fn nearest<const U: bool, const V: bool, const DEEP: bool>(level: &Level, at: &[f32; 3]) -> [f32; 4] {
    let (x, y) = (one::<U>(at[0], level.width), one::<V>(at[1], level.height));
    let z = if DEEP { one::<U>(at[2], level.depth) } else { 0 };
    read(level, (z * level.height as usize + y) * level.width as usize + x)
}

/// Mixes four texels of one slice, weighted by distance.
#[inline(always)]
fn slice(level: &Level, begin: usize, x: (usize, usize, f32), y: (usize, usize, f32)) -> [f32; 4] {
    let width = level.width as usize;
    let (above, below) = (begin + y.0 * width, begin + y.1 * width);
    let above = mix(read(level, above + x.0), read(level, above + x.1), x.2);
    let below = mix(read(level, below + x.0), read(level, below + x.1), x.2);
    mix(above, below, y.2)
}

#[inline(always)]
fn linear_2d<const U: bool, const V: bool>(level: &Level, at: &[f32; 3]) -> [f32; 4] {
    slice(level, 0, two::<U>(at[0], level.width), two::<V>(at[1], level.height))
}

#[inline(always)]
fn linear_3d<const U: bool, const V: bool>(level: &Level, at: &[f32; 3]) -> [f32; 4] {
    let (x, y, z) = (two::<U>(at[0], level.width), two::<V>(at[1], level.height), two::<U>(at[2], level.depth));
    let area = level.width as usize * level.height as usize;
    mix(slice(level, z.0 * area, x, y), slice(level, z.1 * area, x, y), z.2)
}

#[inline(always)]
fn nearest_cube(level: &Level, at: &[f32; 3]) -> [f32; 4] {
    let (face, s, t) = cube::project(at);
    let row = face * level.height as usize + one::<false>(t, level.height);
    read(level, row * level.width as usize + one::<false>(s, level.width))
}

#[inline(always)]
fn linear_cube(level: &Level, at: &[f32; 3]) -> [f32; 4] {
    let (face, s, t) = cube::project(at);
    let length = level.width as f32;
    let (x, y) = (hold(s * length - 0.5, -0.5, length - 0.5), hold(t * length - 0.5, -0.5, length - 0.5));
    let (left, above) = (floor(x), floor(y));
    let (across, down) = (x - left as f32, y - above as f32);
    let last = level.width as i32 - 1;
    if left >= 0 && above >= 0 && left < last && above < last {
        let area = level.width as usize * level.width as usize;
        let pair = |first: i32, part| (first as usize, first as usize + 1, part);
        return slice(level, face * area, pair(left, across), pair(above, down));
    }
    let texel = |x, y| cube::texel(level, face, x, y);
    let top = mix(texel(left, above), texel(left + 1, above), across);
    mix(top, mix(texel(left, above + 1), texel(left + 1, above + 1), across), down)
}
