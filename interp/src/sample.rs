//! A placeholder until textures are sampled.

use crate::{LANES, Mask, Texture};
use sdlbc::Sampler;

#[derive(Clone, Copy)]
pub(crate) enum LevelOf<'a> {
    Implicit { bias: Option<&'a [f32; LANES]> },
    Exact(&'a [f32; LANES]),
    Gradient { dx: &'a [[f32; 3]; LANES], dy: &'a [[f32; 3]; LANES] },
}

pub(crate) fn sample(
    texture: &Texture,
    _sampler: &Sampler,
    coordinate: &[[f32; 3]; LANES],
    level: LevelOf<'_>,
    _live: Mask,
) -> [[f32; 4]; LANES] {
    // The base level's nearest texel: whatever the level is asked to be.
    match level {
        LevelOf::Implicit { bias } => _ = bias,
        LevelOf::Exact(level) => _ = level,
        LevelOf::Gradient { dx, dy } => _ = (dx, dy),
    }
    coordinate.map(|c| {
        let Some(level) = texture.levels.first() else { return [0.0; 4] };
        let at = |c: f32, size: u32| (c * size as f32).floor().clamp(0.0, size as f32 - 1.0) as i32;
        fetch(texture, [at(c[0], level.width), at(c[1], level.height), 0], 0)
    })
}

pub(crate) fn fetch(texture: &Texture, place: [i32; 3], level: i32) -> [f32; 4] {
    let found = || {
        let level = texture.levels.get(usize::try_from(level).ok()?)?;
        let [x, y, z] = place.map(|c| u32::try_from(c).unwrap_or(u32::MAX));
        if x >= level.width || y >= level.height || z >= level.depth {
            return None;
        }
        level.texels.get(((z * level.height + y) * level.width + x) as usize)
    };
    found().map_or([0.0; 4], |texel| texel.map(|c| f32::from(c) / 255.0))
}
