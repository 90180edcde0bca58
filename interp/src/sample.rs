//! Texture sampling, for all lanes at once.
//!
//! The rule is Vulkan's, which is also WebGPU's and OpenGL's: texel i of n covers i/n to (i + 1)/n, the origin is the upper left;
//! linear filters weigh the neighbours of a place by its distance from their centres, and take a cube's neighbours from the
//! adjoining face. A sampler's state chooses one of the functions in [`filter`] once a call, not in each lane. Whatever
//! a coordinate is (NaN, infinite, huge), some texel answers.

use sdlbc::{Dimension, Sampler};

use crate::texture::LARGEST_TEXTURE;
use crate::{LANES, Mask, Texture};

mod cube;
mod filter;
mod level;
#[cfg(test)]
mod tests;

/// Where the level of detail comes from.
#[derive(Clone, Copy, Debug)]
pub enum LevelOf<'a> {
    /// From the differences of the coordinate in its quad, one level a quad: the upper right lane less the upper left
    /// one, and the lower left less the upper left. Where one of these lanes is not live the other row or column is asked, and where
    /// that is not whole either there is no difference.
    Implicit {
        /// Added to the level.
        bias: Option<&'a [f32; LANES]>,
    },
    /// The level itself.
    Exact(&'a [f32; LANES]),
    /// From these differences of the coordinate, in each lane its own.
    Gradient {
        /// To the pixel on the right.
        dx: &'a [[f32; 3]; LANES],
        /// To the pixel below.
        dy: &'a [[f32; 3]; LANES],
    },
}

/// Samples the texture in the live lanes; the others get zeroes, and so do all of a texture that has sizes of no texture.
/// Components that a coordinate does not have are ignored.
pub fn sample(
    texture: &Texture,
    sampler: &Sampler,
    coordinate: &[[f32; 3]; LANES],
    level: LevelOf<'_>,
    live: Mask,
) -> [[f32; 4]; LANES] {
    let mut texels = [[0.0; 4]; LANES];
    if !sound(texture) {
        return texels;
    }
    let chosen = level::choose(texture, sampler, coordinate, level, live);
    filter::run(texture, sampler, coordinate, &chosen, live, &mut texels);
    texels
}

/// One texel as it is; outside of the texture or its levels, zeroes. `place` is x, y, and the slice or the face.
pub(crate) fn fetch(texture: &Texture, place: [i32; 3], level: i32) -> [f32; 4] {
    let texel = || {
        let level = texture.levels.get(usize::try_from(level).ok()?)?;
        let [x, y, z] = [u32::try_from(place[0]).ok()?, u32::try_from(place[1]).ok()?, u32::try_from(place[2]).ok()?];
        let z = if texture.dimension == Dimension::D2 { 0 } else { z };
        let inside = x < level.width && y < level.height && z < level.depth;
        let row = z as usize * level.height as usize + y as usize;
        level.texels.get(row * level.width as usize + x as usize).filter(|_| inside)
    };
    texel().map_or([0.0; 4], |texel| texel.map(|component| f32::from(component) / 255.0))
}

/// Whether the levels' sizes are such that the filters can count on them; anyone may put together a [`Texture`].
fn sound(texture: &Texture) -> bool {
    let fits = |size: u32| (1..=LARGEST_TEXTURE).contains(&size);
    texture.levels.iter().all(|level| {
        let cube = texture.dimension != Dimension::Cube || level.width == level.height;
        fits(level.width) && fits(level.height) && fits(level.depth) && cube
    })
}

/// The numbers of the live lanes.
fn lanes(mut live: Mask) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lane = live.trailing_zeros() as usize;
        live &= live.wrapping_sub(1);
        (lane < LANES).then_some(lane)
    })
}
