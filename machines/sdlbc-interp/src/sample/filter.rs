//! Implements the texture filters.
//!
//! The filters work on [`GROUP`] lanes at a time, in loops over lanes that vectorise. They compute the texels' positions, read
//! the texels lane by lane, and mix the texels component by component.
//!
//! Texels are mixed as numbers from 0 to 255 and divided once at the end, so an unmixed texel is exactly the result of
//! [`fetch`](super::fetch). Sizes are from 1 to [`LARGEST_TEXTURE`](crate::LARGEST_TEXTURE).

use sdlbc::{Dimension, Sampler, number};

use super::cube;
use super::level::Chosen;
use super::located::Located;
use crate::{Column, LANES, Level, Mask, Texture};

const GROUP: usize = 16;

/// A float for each lane of a group.
type Part = [f32; GROUP];

/// An integer for each lane of a group.
type Whole = [i32; GROUP];

/// A texel for each lane of a group, with four components in the bytes of a word.
type Texels = [u32; GROUP];

/// Computes an element for each lane of a group. Unlike `std::array::from_fn`, which is compiled separately, this function is
/// always inlined and so is compiled for the target features of its caller.
#[inline(always)]
fn each<T: Copy + Default>(element: impl Fn(usize) -> T) -> [T; GROUP] {
    let mut all = [T::default(); GROUP];
    for (lane, one) in all.iter_mut().enumerate() {
        *one = element(lane);
    }
    all
}

/// The mip level that each lane reads, with the level's sizes.
struct Levels<'a> {
    width: Whole,
    height: Whole,
    depth: Whole,
    of: [&'a Level; GROUP],
}

/// Samples the live lanes at their mip levels. The results of other lanes are unspecified.
#[inline(always)]
pub(super) fn run(
    texture: &Texture,
    sampler: &Sampler,
    at: &Located<'_>,
    chosen: &Chosen,
    live: Mask,
    texels: &mut [Column; 4],
) {
    let last = u8::try_from(texture.levels.len().saturating_sub(1)).unwrap_or(u8::MAX);
    let Some(first) = Levels::of(texture, &[0; GROUP]) else { return };
    for begin in (0..LANES).step_by(GROUP) {
        let live = live >> begin & ((1 << GROUP) - 1);
        if live == 0 {
            continue;
        }
        let mut place = [[0.0; GROUP]; 3];
        for (place, column) in place.iter_mut().zip(&at.at) {
            *place = each(|lane| f32::from_bits(column[begin + lane]));
        }
        let layer = match texture.dimension.has_layers() {
            true => each(|lane| at.layers[begin + lane].cast_signed()),
            false => [0; GROUP],
        };
        let mut numbers = [0; GROUP];
        let mut passes = 1;
        let weight = &chosen.part.as_chunks::<GROUP>().0[begin / GROUP];
        if chosen.several {
            // Lanes that are not live read the mip level of a live lane, so that most groups read a single level.
            let some = chosen.first[begin + live.trailing_zeros() as usize];
            numbers = each(|lane| if live >> lane & 1 == 1 { chosen.first[begin + lane] } else { some });
            passes += u8::from(weight.iter().any(|&weight| weight > 0.0));
        }
        let mut mixed = [[0.0; GROUP]; 4];
        for pass in 0..passes {
            let own;
            let mut levels = &first;
            if chosen.several {
                own = Levels::of(texture, &each(|lane| numbers[lane].saturating_add(pass).min(last)));
                levels = own.as_ref().unwrap_or(&first);
            }
            let read = filter(texture.dimension, sampler, levels, &(place, layer), at.offset);
            for (mixed, read) in mixed.iter_mut().zip(&read) {
                *mixed = if pass == 0 { *read } else { mix(mixed, read, weight) };
            }
        }
        for (column, mixed) in texels.iter_mut().zip(&mixed) {
            for lane in 0..GROUP {
                column[begin + lane] = (mixed[lane] / 255.0).to_bits();
            }
        }
    }
}

impl<'a> Levels<'a> {
    /// Returns the mip levels with the given numbers, or `None` if the texture lacks one of the levels.
    #[inline(always)]
    fn of(texture: &'a Texture, numbers: &[u8; GROUP]) -> Option<Levels<'a>> {
        let level = |lane: usize| texture.levels.get(usize::from(numbers[lane]));
        let first = level(0)?;
        let mut levels = Levels {
            width: [first.width.cast_signed(); GROUP],
            height: [first.height.cast_signed(); GROUP],
            depth: [first.depth.cast_signed(); GROUP],
            of: [first; GROUP],
        };
        if *numbers != [numbers[0]; GROUP] {
            for lane in 0..GROUP {
                let level = level(lane)?;
                levels.width[lane] = level.width.cast_signed();
                levels.height[lane] = level.height.cast_signed();
                levels.depth[lane] = level.depth.cast_signed();
                levels.of[lane] = level;
            }
        }
        Some(levels)
    }

    /// Returns the index of the first slice of each lane's layer. Each layer has `faces` slices. Layer numbers out of range are
    /// clamped.
    #[inline(always)]
    fn layers(&self, layer: &Whole, faces: i32) -> Whole {
        each(|lane| layer[lane].clamp(0, (self.depth[lane] / faces - 1).max(0)) * faces)
    }

    /// Reads the texel at a row and a column in each lane. The rows of all slices and faces are numbered consecutively.
    #[inline(always)]
    fn read(&self, row: &Whole, column: &Whole) -> Texels {
        let place = each(|lane| row[lane].wrapping_mul(self.width[lane]).wrapping_add(column[lane]).cast_unsigned());
        each(|lane| u32::from_le_bytes(self.of[lane].texels.get(place[lane] as usize).copied().unwrap_or_default()))
    }
}

/// Filters a texture in each lane, and returns the components from 0 to 255.
#[inline(always)]
fn filter(
    dimension: Dimension,
    sampler: &Sampler,
    levels: &Levels<'_>,
    (at, layer): &([Part; 3], Whole),
    [by_x, by_y, by_z]: [i32; 3],
) -> [Part; 4] {
    let (repeat_u, repeat_v) = (sampler.wrap_u == 1, sampler.wrap_v == 1);
    let linear = sampler.filter != 0;
    if dimension.is_cube() {
        return of_cube(dimension, levels, at, layer, linear);
    }
    let deep = dimension == Dimension::D3;
    if !linear {
        let (x, mut y) = (
            nearest_texel(&at[0], &levels.width, repeat_u, by_x),
            nearest_texel(&at[1], &levels.height, repeat_v, by_y),
        );
        if deep {
            y = row(&nearest_texel(&at[2], &levels.depth, repeat_u, by_z), &levels.height, &y);
        } else if dimension == Dimension::D2Array {
            y = row(&levels.layers(layer, 1), &levels.height, &y);
        }
        let texels = levels.read(&y, &x);
        return components(&texels);
    }
    let (x, y) =
        (neighbours(&at[0], &levels.width, repeat_u, by_x), neighbours(&at[1], &levels.height, repeat_v, by_y));
    if dimension == Dimension::D2Array {
        let of = levels.layers(layer, 1);
        let [first, second] = [row(&of, &levels.height, &y.first), row(&of, &levels.height, &y.second)];
        return slice(levels, &x, &Neighbours { first, second, part: y.part });
    }
    if !deep {
        return slice(levels, &x, &y);
    }
    let z = neighbours(&at[2], &levels.depth, repeat_u, by_z);
    let of = |z: &Whole| {
        let [first, second] = [row(z, &levels.height, &y.first), row(z, &levels.height, &y.second)];
        slice(levels, &x, &Neighbours { first, second, part: y.part })
    };
    let (mut nearer, farther) = (of(&z.first), of(&z.second));
    for (nearer, farther) in nearer.iter_mut().zip(&farther) {
        *nearer = mix(nearer, farther, &z.part);
    }
    nearer
}

#[inline(always)]
fn row(slice: &Whole, height: &Whole, row: &Whole) -> Whole {
    each(|lane| slice[lane] * height[lane] + row[lane])
}

/// The texel before and the texel after a coordinate along an axis, and the weight of the second texel.
struct Neighbours {
    first: Whole,
    second: Whole,
    part: Part,
}

/// Mixes four texels of one slice with the weights of a bilinear filter.
#[inline(always)]
fn slice(levels: &Levels<'_>, x: &Neighbours, y: &Neighbours) -> [Part; 4] {
    let above = [levels.read(&y.first, &x.first), levels.read(&y.first, &x.second)];
    let below = [levels.read(&y.second, &x.first), levels.read(&y.second, &x.second)];
    let mut mixed = [[0.0; GROUP]; 4];
    for (mixed, shift) in mixed.iter_mut().zip([0, 8, 16, 24]) {
        let above = mix(&floats(&above[0], shift), &floats(&above[1], shift), &x.part);
        let below = mix(&floats(&below[0], shift), &floats(&below[1], shift), &x.part);
        *mixed = mix(&above, &below, &y.part);
    }
    mixed
}

#[inline(always)]
fn of_cube(dimension: Dimension, levels: &Levels<'_>, at: &[Part; 3], layer: &Whole, linear: bool) -> [Part; 4] {
    let (mut face, mut s, mut t) = ([0; GROUP], [0.0; GROUP], [0.0; GROUP]);
    for lane in 0..GROUP {
        (face[lane], s[lane], t[lane]) = cube::project(&[at[0][lane], at[1][lane], at[2][lane]]);
    }
    // `of` is the slice that contains each lane's face.
    let mut of = face;
    if dimension == Dimension::CubeArray {
        let first = levels.layers(layer, 6);
        of = each(|lane| first[lane] + face[lane]);
    }
    if !linear {
        let y = row(&of, &levels.height, &nearest_texel(&t, &levels.height, false, 0));
        let texels = levels.read(&y, &nearest_texel(&s, &levels.width, false, 0));
        return components(&texels);
    }
    let (x, y) = (neighbours_on_face(&s, &levels.width), neighbours_on_face(&t, &levels.width));
    let within = |two: &Neighbours, lane: usize| two.first[lane] >= 0 && two.second[lane] < levels.width[lane];
    let edge = each(|lane| !(within(&x, lane) & within(&y, lane)));
    let mut mixed = slice(
        levels,
        &Neighbours { first: at_least_zero(&x.first), second: at_least_zero(&x.second), part: x.part },
        &Neighbours {
            first: row(&of, &levels.width, &at_least_zero(&y.first)),
            second: row(&of, &levels.width, &at_least_zero(&y.second)),
            part: y.part,
        },
    );
    for lane in (0..GROUP).filter(|&lane| edge[lane]) {
        let slice = [of[lane] - face[lane], face[lane]].map(|number| usize::try_from(number).unwrap_or(0));
        let texel = |x, y| cube::texel(levels.of[lane], slice, x, y, |texel| texel);
        let along = |y| mix_one(texel(x.first[lane], y), texel(x.second[lane], y), x.part[lane]);
        let texel = mix_one(along(y.first[lane]), along(y.second[lane]), y.part[lane]);
        for (component, mixed) in mixed.iter_mut().enumerate() {
            mixed[lane] = texel[component];
        }
    }
    mixed
}

#[inline(always)]
fn at_least_zero(texels: &Whole) -> Whole {
    each(|lane| texels[lane].max(0))
}

#[inline(always)]
fn components(texels: &Texels) -> [Part; 4] {
    let mut all = [[0.0; GROUP]; 4];
    for (component, shift) in all.iter_mut().zip([0, 8, 16, 24]) {
        *component = floats(texels, shift);
    }
    all
}

#[inline(always)]
fn floats(texels: &Texels, shift: u32) -> Part {
    each(|lane| (texels[lane] >> shift & 255).cast_signed() as f32)
}

/// Interpolates from `a` to `b`. `part` is the weight of `b`.
#[inline(always)]
fn mix(a: &Part, b: &Part, part: &Part) -> Part {
    each(|lane| a[lane] + (b[lane] - a[lane]) * part[lane])
}

fn mix_one(a: [f32; 4], b: [f32; 4], part: f32) -> [f32; 4] {
    std::array::from_fn(|i| a[i] + (b[i] - a[i]) * part)
}

/// Clamps a number to a range, and maps NaN to the lower end of the range.
#[inline(always)]
fn clamp(x: f32, low: f32, high: f32) -> f32 {
    let x = if x > low { x } else { low };
    if x < high { x } else { high }
}

/// Returns the largest integer that is at most `x`. The magnitude of `x` must be below 2^22.
#[inline(always)]
fn floor(x: f32) -> i32 {
    // The sum is at least 2^23, where an f32 has no fraction, so its lowest bits contain the nearest integer.
    const BIG: f32 = 12_582_912.0;
    let sum = x + BIG;
    let nearest = sum.to_bits() as i32 - BIG.to_bits() as i32;
    nearest - i32::from(sum - BIG > x)
}

/// Reduces repeating coordinates to their fractions, which are from 0 to 1. Only rounding can make a fraction exactly 1.
#[inline(always)]
fn wrapped(u: &Part, repeat: bool) -> Part {
    if repeat {
        each(|lane| if u[lane].abs() < f32::INFINITY { u[lane] - number::floor(u[lane]) } else { 0.0 })
    } else {
        *u
    }
}

/// Returns the index of the texel that contains each coordinate, along an axis with `size` texels. The offset `by` is added to
/// the index before the index is wrapped or clamped.
#[inline(always)]
fn nearest_texel(u: &Part, size: &Whole, repeat: bool, by: i32) -> Whole {
    if by != 0 {
        return nearest_texel_moved(u, size, repeat, by);
    }
    let u = wrapped(u, repeat);
    each(|lane| {
        let length = size[lane] as f32;
        floor(clamp(u[lane] * length, 0.0, length)).min(size[lane] - 1)
    })
}

/// The distance in texels beyond which a position outside a texture no longer affects the result, even with an offset of eight
/// texels.
const FAR: f32 = 16.0;

/// Implements [`nearest_texel`] for a nonzero offset. Offsets are rare, so the function is compiled only once.
#[cold]
#[inline(never)]
fn nearest_texel_moved(u: &Part, size: &Whole, repeat: bool, by: i32) -> Whole {
    let u = wrapped(u, repeat);
    each(|lane| {
        let length = size[lane] as f32;
        moved(floor(clamp(u[lane] * length, -FAR, length + FAR)), by, size[lane], repeat)
    })
}

/// Implements [`neighbours`] for a nonzero offset.
#[cold]
#[inline(never)]
fn neighbours_moved(u: &Part, size: &Whole, repeat: bool, by: i32) -> Neighbours {
    let u = wrapped(u, repeat);
    let place: Part = each(|lane| {
        let length = size[lane] as f32;
        clamp(u[lane] * length - 0.5, -FAR, length + FAR)
    });
    let below = each(|lane| floor(place[lane]));
    let texel = |lane: usize, by: i32| moved(below[lane], by, size[lane], repeat);
    Neighbours {
        first: each(|lane| texel(lane, by)),
        second: each(|lane| texel(lane, by + 1)),
        part: each(|lane| place[lane] - below[lane] as f32),
    }
}

/// Adds the offset `by` to a texel index, and wraps or clamps the sum to the axis, which has `size` texels.
fn moved(texel: i32, by: i32, size: i32, repeat: bool) -> i32 {
    if repeat { (texel + by).rem_euclid(size) } else { (texel + by).clamp(0, size - 1) }
}

/// For each coordinate along an axis, returns the two texels with centres on either side of the coordinate. The offset
/// `by` is added to both indices before they are wrapped or clamped.
#[inline(always)]
fn neighbours(u: &Part, size: &Whole, repeat: bool, by: i32) -> Neighbours {
    if by != 0 {
        return neighbours_moved(u, size, repeat, by);
    }
    let u = wrapped(u, repeat);
    let place: Part = each(|lane| {
        let length = size[lane] as f32;
        clamp(u[lane] * length - 0.5, -1.0, length)
    });
    let below = each(|lane| floor(place[lane]));
    let part = each(|lane| place[lane] - below[lane] as f32);
    let last = |lane: usize| size[lane] - 1;
    let (first, second) = if repeat {
        (
            each(|lane| if below[lane] < 0 { last(lane) } else { below[lane].min(last(lane)) }),
            each(|lane| if below[lane] >= last(lane) { 0 } else { below[lane] + 1 }),
        )
    } else {
        (each(|lane| below[lane].max(0).min(last(lane))), each(|lane| (below[lane] + 1).max(0).min(last(lane))))
    };
    Neighbours { first, second, part }
}

/// For each position along an axis of a cube's face, returns the texel before and the texel after the position. At an edge of the
/// face, the index of one texel is -1 or `size`.
#[inline(always)]
fn neighbours_on_face(s: &Part, size: &Whole) -> Neighbours {
    let place: Part = each(|lane| {
        let length = size[lane] as f32;
        clamp(s[lane] * length - 0.5, -0.5, length - 0.5)
    });
    let first = each(|lane| floor(place[lane]));
    let part = each(|lane| place[lane] - first[lane] as f32);
    Neighbours { first, second: each(|lane| first[lane] + 1), part }
}

/// Returns the result of [`nearest_texel`] for one coordinate.
pub(super) fn nearest_texel_of(u: f32, size: i32, repeat: bool, by: i32) -> i32 {
    nearest_texel(&[u; GROUP], &[size; GROUP], repeat, by)[0]
}

/// Returns the two texels that [`neighbours`] finds for one coordinate, and the weight of the second texel.
pub(super) fn neighbours_of(u: f32, size: i32, repeat: bool, by: i32) -> ([i32; 2], f32) {
    let Neighbours { first, second, part } = neighbours(&[u; GROUP], &[size; GROUP], repeat, by);
    ([first[0], second[0]], part[0])
}

/// Returns the two texels that [`neighbours_on_face`] finds for one position, and the weight of the second texel.
pub(super) fn neighbours_on_face_of(s: f32, size: i32) -> ([i32; 2], f32) {
    let Neighbours { first, second, part } = neighbours_on_face(&[s; GROUP], &[size; GROUP]);
    ([first[0], second[0]], part[0])
}
