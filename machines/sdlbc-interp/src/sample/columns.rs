//! Samples textures column by column. [`Simd`](crate::simd::Simd) compiles `in_columns` for several kinds of processors.

use sdlbc::Sampler;

use super::located::{LevelOf, Located, has_valid_sizes};
use super::{filter, level as lod};
use crate::{Column, LANES, Mask, Texture};

/// Samples like [`sample`](super::sample), with a column for each component. The results of lanes that are not live are
/// unspecified.
#[inline(always)]
pub(crate) fn in_columns(
    texture: &Texture,
    sampler: &Sampler,
    coordinate: &Located<'_>,
    level: LevelOf<'_>,
    live: Mask,
    texels: &mut [Column; 4],
) {
    if !has_valid_sizes(texture) {
        *texels = [[0; LANES]; 4];
        return;
    }
    let chosen = lod::choose(texture, sampler, &coordinate.at, level, live);
    filter::run(texture, sampler, coordinate, &chosen, live, texels);
}
