//! Defines how the sampling functions receive coordinates, layers and the source of the LOD.

use sdlbc::{Dimension, Texel};

use crate::texture::{LARGEST_TEXTURE, MOST_TEXELS};
use crate::{Column, LANES, Level, Mask, Texture};

/// The source of the LOD that selects mip levels.
#[derive(Clone, Copy, Debug)]
pub enum LevelOf<'a> {
    /// The LOD is computed once for each quad from the differences of the coordinate between lanes: upper right minus upper left,
    /// and lower left minus upper left. If a difference involves a lane that is not live, the lower row or the right column is
    /// used instead. If the lower row or the right column is incomplete too, the difference is zero.
    Implicit {
        /// The bias that is added to the LOD in each lane.
        bias: Option<&'a [f32; LANES]>,
    },
    /// The LOD in each lane.
    Exact(&'a [f32; LANES]),
    /// The LOD is computed in each lane from the given differences of the coordinate.
    Gradient {
        /// The difference between the pixel on the right and this pixel.
        dx: &'a [[f32; 3]; LANES],
        /// The difference between the pixel below and this pixel.
        dy: &'a [[f32; 3]; LANES],
    },
}

/// A float for each lane.
pub(super) type Floats = [f32; LANES];

pub(crate) type Vectors<'a> = [&'a Column; 3];

/// The positions at which the lanes read a texture.
pub(crate) struct Located<'a> {
    /// The coordinate in each lane.
    pub(crate) at: Vectors<'a>,
    /// The layer in each lane, for array textures only.
    pub(crate) layers: &'a Column,
    /// The offset in texels along each axis, which is added before wrapping. The offset is at most eight texels, and zero for a
    /// cube.
    pub(crate) offset: [i32; 3],
}

/// Returns the bits of a texel's component as a value of the texel type.
pub(super) fn bits(texel: Texel, component: u8) -> u32 {
    match texel {
        Texel::Float | Texel::Depth => (f32::from(component) / 255.0).to_bits(),
        Texel::Int => i32::from(component.cast_signed()).cast_unsigned(),
        Texel::Uint => u32::from(component),
    }
}

/// Reports whether the sizes of all mip levels are valid, as the filters require. The fields of a [`Texture`] are public, so the
/// sizes may have any value.
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

pub(super) fn lanes(mut live: Mask) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lane = live.trailing_zeros() as usize;
        live &= live.wrapping_sub(1);
        (lane < LANES).then_some(lane)
    })
}
