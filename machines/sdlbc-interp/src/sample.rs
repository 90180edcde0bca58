//! Texture sampling, for all lanes at once.
//!
//! The rules of Vulkan, WebGPU and OpenGL apply: texel i of n covers i/n to (i + 1)/n, and the origin is the upper left. Linear
//! filters weight neighbouring texels by the distance from their centres; at the edges of a cube's face they read the adjoining
//! face. A sampler's state selects one of the functions in [`filter`] once per call, not in each lane. Every coordinate (NaN,
//! infinite, huge) results in some texel.

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

/// Samples the texture in the live lanes. The other lanes get zeroes, and all lanes do if the texture's sizes are invalid.
/// Components that the coordinate does not have are ignored. For an array texture, the first layer is sampled.
pub fn sample(
    texture: &Texture,
    sampler: &Sampler,
    coordinate: &[[f32; 3]; LANES],
    level: LevelOf<'_>,
    live: Mask,
) -> [[f32; 4]; LANES] {
    sample_layers(texture, sampler, coordinate, (&[0; LANES], [0; 3]), level, live)
}

/// Samples like [`sample`], but in a layer of an array texture, and with an offset in texels along each axis.
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

/// Gathers or compares the texels that a linear filter reads, in the live lanes. Returns the bits of the results. Layers and
/// offset are as for [`sample_layers`].
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

/// Returns one texel, unfiltered, as the bits of its components; zeroes outside the texture or its levels. `place` is x, y, and
/// the slice, face or layer.
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

/// The sizes of a level; zeroes if the texture does not have it.
pub(crate) fn sizes(texture: &Texture, level: i32) -> [u32; 3] {
    let level = usize::try_from(level).ok().and_then(|level| texture.levels.get(level));
    let layers = if texture.dimension == Dimension::CubeArray { 6 } else { 1 };
    level.map_or([0; 3], |level| [level.width, level.height, level.depth / layers])
}
