//! Samples textures, for all lanes at once.
//!
//! The rules of Vulkan, WebGPU and OpenGL apply: texel i of n covers i/n to (i + 1)/n, and the origin is the upper left corner.
//! Linear filters weight neighbouring texels by the distance to the texels' centres. At the edges of a cube's face, linear
//! filters also read the adjoining face. The sampler's state selects a function of the module [`filter`] once for all lanes. Every
//! coordinate selects some texel, even if the coordinate is NaN, infinite or huge.

use sdlbc::{Dimension, Sampler, Texel};

pub(crate) use columns::in_columns;
pub use gather::Gathered;
pub(crate) use gather::gather;
pub use located::LevelOf;
pub(crate) use located::Located;
use located::{bits, lanes};

use crate::simd::Simd;
use crate::{Column, LANES, Mask, Texture};

mod columns;
mod cube;
mod filter;
mod gather;
mod level;
mod located;
#[cfg(test)]
mod tests;

/// Samples the texture in the live lanes, and returns zeroes in all other lanes. If the texture's sizes are invalid, all lanes
/// are zero. Components of `coordinate` beyond the texture's dimension are ignored. For an array texture, the first layer is
/// sampled.
pub fn sample(
    texture: &Texture,
    sampler: &Sampler,
    coordinate: &[[f32; 3]; LANES],
    level: LevelOf<'_>,
    live: Mask,
) -> [[f32; 4]; LANES] {
    sample_layers(texture, sampler, coordinate, (&[0; LANES], [0; 3]), level, live)
}

/// Samples like [`sample`], with a layer of an array texture for each lane and an offset in texels along each axis.
pub fn sample_layers(
    texture: &Texture,
    sampler: &Sampler,
    coordinate: &[[f32; 3]; LANES],
    (layers, offset): (&Column, [i32; 3]),
    level: LevelOf<'_>,
    live: Mask,
) -> [[f32; 4]; LANES] {
    let [x, y, z]: [Column; 3] = [0, 1, 2].map(|axis| coordinate.map(|at| at[axis].to_bits()));
    let mut columns = [[0; LANES]; 4];
    let located = Located { at: [&x, &y, &z], layers, offset };
    (Simd::best().sample)(texture, sampler, &located, level, live, &mut columns);
    let mut texels = [[0.0; 4]; LANES];
    for lane in lanes(live) {
        texels[lane] = columns.map(|column| f32::from_bits(column[lane]));
    }
    texels
}

/// In the live lanes, gathers or compares the texels that a linear filter would read, and returns the bits of the results.
/// `layers` and `offset` work as in [`sample_layers`].
pub fn gather_layers(
    texture: &Texture,
    sampler: &Sampler,
    coordinate: &[[f32; 3]; LANES],
    (layers, offset): (&Column, [i32; 3]),
    what: Gathered<'_>,
    live: Mask,
) -> [Column; 4] {
    let [x, y, z]: [Column; 3] = [0, 1, 2].map(|axis| coordinate.map(|at| at[axis].to_bits()));
    let mut columns = [[0; LANES]; 4];
    gather(texture, sampler, &Located { at: [&x, &y, &z], layers, offset }, what, live, &mut columns);
    columns
}

/// Returns the bits of one unfiltered texel's components, or zeroes outside the texture and its levels. `place` contains x, y,
/// and the slice, face or layer.
pub(crate) fn fetch(texture: &Texture, texel: Texel, place: [i32; 3], level: i32) -> [u32; 4] {
    let kind = texel;
    let texel = || {
        let level = texture.levels.get(usize::try_from(level).ok()?)?;
        let [x, y, z] = [u32::try_from(place[0]).ok()?, u32::try_from(place[1]).ok()?, u32::try_from(place[2]).ok()?];
        let z = if texture.dimension == Dimension::D2 { 0 } else { z };
        let inside = x < level.width && y < level.height && z < level.depth;
        let row = z as usize * level.height as usize + y as usize;
        level.texels.get(row * level.width as usize + x as usize).filter(|_| inside)
    };
    texel().map_or([0; 4], |texel| texel.map(|component| bits(kind, component)))
}

/// Returns the width, the height, and the depth or number of layers of a mip level, or zeroes if the texture lacks the level.
pub(crate) fn sizes(texture: &Texture, level: i32) -> [u32; 3] {
    let level = usize::try_from(level).ok().and_then(|level| texture.levels.get(level));
    let layers = if texture.dimension == Dimension::CubeArray { 6 } else { 1 };
    level.map_or([0; 3], |level| [level.width, level.height, level.depth / layers])
}
