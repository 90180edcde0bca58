//! Textures in a form that every device accepts.

use sdlbc::Dimension;
use sdlbc_interp::Texture;

use crate::Failure;

/// Returns the black texture that a draw reads from a slot without a texture.
pub(super) fn black(dimension: Dimension) -> Texture {
    Texture::plain(dimension, [0.0; 4])
}

/// Converts the level's depths to 16-bit numbers, each stored as two bytes.
pub(super) fn depths(level: &sdlbc_interp::Level) -> Vec<[u8; 2]> {
    // A step of an 8-bit depth is 257 steps of a 16-bit depth, so both bytes are the same.
    level.texels.iter().map(|texel| [texel[0]; 2]).collect()
}

/// Checks that a texture can be uploaded: each level contains the number of texels that its size requires, and is half as
/// large as the previous level.
pub(super) fn check_texture(texture: &Texture) -> Result<(), Failure> {
    let Some(first) = texture.levels.first() else { return Err(Failure::Broken("a texture without levels".into())) };
    for (number, level) in texture.levels.iter().enumerate() {
        let halved = |size: u32| (size >> number).max(1);
        let depth = if texture.dimension == Dimension::D3 { halved(first.depth) } else { first.depth };
        let expected = (halved(first.width), halved(first.height), depth);
        let texels = level.width as usize * level.height as usize * level.depth as usize;
        if (level.width, level.height, level.depth) != expected || level.texels.len() != texels {
            return Err(Failure::Broken(format!(
                "level {number} of a texture is not half the size of the previous one"
            )));
        }
    }
    Ok(())
}
