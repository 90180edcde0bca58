//! The coordinates and layers at which lanes read a texture, and the source of the LOD, for all sampling functions.

use sdlbc::{Dimension, Texel};

use crate::texture::{LARGEST_TEXTURE, MOST_TEXELS};
use crate::{Column, LANES, Level, Mask, Texture};

/// The source of the LOD.
#[derive(Clone, Copy, Debug)]
pub enum LevelOf<'a> {
    /// Computed from the differences of the coordinate, once for each quad: upper right minus upper left lane, and lower left
    /// minus upper left lane. If one of these lanes is not live, the other row or column is used; if that is incomplete too,
    /// the difference is zero.
    Implicit {
        /// The bias that is added to the LOD.
        bias: Option<&'a [f32; LANES]>,
    },
    /// The LOD itself.
    Exact(&'a [f32; LANES]),
    /// Computed from these differences of the coordinate, in each lane.
    Gradient {
        /// The difference to the pixel on the right.
        dx: &'a [[f32; 3]; LANES],
        /// The difference to the pixel below.
        dy: &'a [[f32; 3]; LANES],
    },
}

/// A float in every lane.
pub(super) type Floats = [f32; LANES];

/// The x, y and z of a vector in every lane.
pub(crate) type Vectors<'a> = [&'a Column; 3];

/// The place where a texture is read.
pub(crate) struct Located<'a> {
    /// A coordinate in every lane.
    pub(crate) at: Vectors<'a>,
    /// A layer in every lane, for array textures only.
    pub(crate) layers: &'a Column,
    /// The offset in texels along each axis, added before wrapping: up to eight, and zero for a cube.
    pub(crate) offset: [i32; 3],
}

/// The bits of a component of a texel.
pub(super) fn bits(texel: Texel, component: u8) -> u32 {
    match texel {
        Texel::Float | Texel::Depth => (f32::from(component) / 255.0).to_bits(),
        Texel::Int => i32::from(component.cast_signed()).cast_unsigned(),
        Texel::Uint => u32::from(component),
    }
}

/// Whether the sizes of all levels are valid, as the filters require. The fields of a [`Texture`] are public, so they may have any
/// value.
pub(super) fn has_valid_sizes(texture: &Texture) -> bool {
    let fits = |size: u32| (1..=LARGEST_TEXTURE).contains(&size);
    let right = |level: &Level| {
        let cube = !texture.dimension.is_cube() || level.width == level.height;
        let whole = texture.dimension != Dimension::CubeArray || level.depth.is_multiple_of(6);
        fits(level.width)
            && fits(level.height)
            && fits(level.depth)
            && cube
            && whole
            && level.texel_count() <= MOST_TEXELS
    };
    !texture.levels.is_empty() && texture.levels.iter().all(right)
}

/// Iterates over the numbers of the live lanes.
pub(super) fn lanes(mut live: Mask) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lane = live.trailing_zeros() as usize;
        live &= live.wrapping_sub(1);
        (lane < LANES).then_some(lane)
    })
}
