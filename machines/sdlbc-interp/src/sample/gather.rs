//! Gathers and compares the four texels that a linear filter reads. Few shaders gather or compare, so the work is done lane by
//! lane.

use sdlbc::{Sampler, Texel};

use super::located::{LevelOf, Located, bits, has_valid_sizes, lanes};
use super::{cube, filter, level};
use crate::{Column, LANES, Level, Mask, Texture};

/// The operation on the four texels that a linear filter would read.
#[derive(Clone, Copy, Debug)]
pub enum Gathered<'a> {
    /// Returns one component of the four texels. The component is a number from 0 to 3.
    Component(Texel, usize),
    /// Returns, for each of the four texels, whether the lane's reference value is at most the texel's depth.
    Compared(&'a [f32; LANES]),
    /// Compares the lane's reference value with the depths of the four texels, and filters the four results. Without a level of
    /// detail, the first mip level is read.
    Filtered(&'a [f32; LANES], Option<LevelOf<'a>>),
}

/// Gathers or compares in the live lanes. The results of other lanes are unspecified.
#[cold]
pub(crate) fn gather(
    texture: &Texture,
    sampler: &Sampler,
    at: &Located<'_>,
    what: Gathered<'_>,
    live: Mask,
    results: &mut [Column; 4],
) {
    *results = [[0; LANES]; 4];
    if !has_valid_sizes(texture) {
        return;
    }
    let detail = if let Gathered::Filtered(_, detail) = what { detail } else { None };
    let chosen = detail.map(|detail| level::choose(texture, sampler, &at.at, detail, live));
    let chosen = chosen.filter(|chosen| chosen.several);
    let last = texture.levels.len().saturating_sub(1);
    for lane in lanes(live) {
        let place = at.at.map(|column| f32::from_bits(column[lane]));
        let layer = at.layers[lane].cast_signed();
        let compared = |texel: [f32; 4]| match what {
            Gathered::Component(..) => texel,
            Gathered::Compared(reference) | Gathered::Filtered(reference, _) => [compare(reference[lane], texel[0]); 4],
        };
        let of = |level: &Level| corners(texture, sampler, level, (place, layer, at.offset), compared);
        let (first, part) = match &chosen {
            Some(chosen) => (usize::from(chosen.first[lane]), chosen.part[lane]),
            None => (0, 0.0),
        };
        let Some(level) = texture.levels.get(first) else { continue };
        let found = match what {
            Gathered::Component(texel, component) => gathered(&of(level).texels).map(|texel_of| {
                let number = texel_of.get(component).copied().unwrap_or_default();
                match texel {
                    Texel::Float => (number / 255.0).to_bits(),
                    // At a corner of a cube, `number` is a mean of texels and may have a fraction, which is dropped.
                    _ => bits(texel, number as u8),
                }
            }),
            Gathered::Compared(_) => gathered(&of(level).texels).map(|texel| texel[0].to_bits()),
            Gathered::Filtered(..) => {
                let mut holds = filtered(sampler, &of(level));
                if let Some(next) = texture.levels.get((first + 1).min(last)).filter(|_| part > 0.0) {
                    holds += (filtered(sampler, &of(next)) - holds) * part;
                }
                [holds.to_bits(); 4]
            }
        };
        for (result, found) in results.iter_mut().zip(found) {
            result[lane] = found;
        }
    }
}

/// The four texels around a position, with components from 0 to 255, in the order in which a filter mixes them.
struct Corners {
    /// The upper left, upper right, lower left and lower right texels.
    texels: [[f32; 4]; 4],
    /// The weight of the two right texels, and the weight of the two lower texels.
    parts: [f32; 2],
    /// The texel that contains the position.
    nearest: [f32; 4],
}

/// Returns the texels in the order of a gather: from the lower left texel counterclockwise to the upper left texel.
fn gathered(&[upper_left, upper_right, lower_left, lower_right]: &[[f32; 4]; 4]) -> [[f32; 4]; 4] {
    [lower_left, lower_right, upper_right, upper_left]
}

/// Returns 1 if the reference value is at most the depth, and 0 if not. The reference value is clamped to the range from 0 to 1.
fn compare(reference: f32, depth: f32) -> f32 {
    let reference = if reference > 0.0 { reference.min(1.0) } else { 0.0 };
    f32::from(u8::from(reference <= depth / 255.0))
}

/// Returns the filtered comparison, or the comparison with the nearest texel if the sampler does not filter.
fn filtered(sampler: &Sampler, corners: &Corners) -> f32 {
    if sampler.filter == 0 {
        return corners.nearest[0];
    }
    let [a, b, c, d] = corners.texels.map(|texel| texel[0]);
    let [right, lower] = corners.parts;
    let (above, below) = (a + (b - a) * right, c + (d - c) * right);
    above + (below - above) * lower
}

/// Returns the four texels around a position. The function `of` is applied to each texel.
fn corners(
    texture: &Texture,
    sampler: &Sampler,
    level: &Level,
    (place, layer, [by_x, by_y, _]): ([f32; 3], i32, [i32; 3]),
    of: impl Fn([f32; 4]) -> [f32; 4],
) -> Corners {
    let is_cube = texture.dimension.is_cube();
    let faces = if is_cube { 6 } else { 1 };
    let layers = (level.depth / faces).max(1).cast_signed();
    let first = match texture.dimension.has_layers() {
        true => layer.clamp(0, layers - 1).cast_unsigned() * faces,
        false => 0,
    } as usize;
    let (width, height) = (level.width.cast_signed(), level.height.cast_signed());
    if is_cube {
        let (face, s, t) = cube::project(&place);
        let slice = [first, usize::try_from(face).unwrap_or(0)];
        let ([left, right], x) = filter::neighbours_on_face_of(s, width);
        let ([upper, lower], y) = filter::neighbours_on_face_of(t, width);
        let texel = |x, y| cube::texel(level, slice, x, y, &of);
        let nearest = texel(filter::nearest_texel_of(s, width, false, 0), filter::nearest_texel_of(t, width, false, 0));
        let texels = [texel(left, upper), texel(right, upper), texel(left, lower), texel(right, lower)];
        return Corners { texels, parts: [x, y], nearest };
    }
    let ([left, right], x) = filter::neighbours_of(place[0], width, sampler.wrap_u == 1, by_x);
    let ([upper, lower], y) = filter::neighbours_of(place[1], height, sampler.wrap_v == 1, by_y);
    let texel = |x: i32, y: i32| {
        let at = (first as i64 * i64::from(height) + i64::from(y)) * i64::from(width) + i64::from(x);
        let texel = usize::try_from(at).ok().and_then(|at| level.texels.get(at));
        of(texel.copied().unwrap_or_default().map(f32::from))
    };
    let nearest = texel(
        filter::nearest_texel_of(place[0], width, sampler.wrap_u == 1, by_x),
        filter::nearest_texel_of(place[1], height, sampler.wrap_v == 1, by_y),
    );
    let texels = [texel(left, upper), texel(right, upper), texel(left, lower), texel(right, lower)];
    Corners { texels, parts: [x, y], nearest }
}
