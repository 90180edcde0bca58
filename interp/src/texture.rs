//! Textures: texels of four bytes, red, green, blue and alpha, each a number from 0 to 1 in 255 steps.

use sdlbc::Dimension;

/// One mip level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Level {
    /// Texels across.
    pub width: u32,
    /// Texels down.
    pub height: u32,
    /// Slices of a 3D texture, 6 faces of a cube (+x, -x, +y, -y, +z, -z), else 1.
    pub depth: u32,
    /// Row by row from the top, slice by slice.
    pub texels: Vec<[u8; 4]>,
}

/// A texture: its largest level first. Whether the smaller ones are there is the application's business; a sampler that wants a
/// level beyond the last gets the last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Texture {
    /// 2D, 3D or cube.
    pub dimension: Dimension,
    /// At least one.
    pub levels: Vec<Level>,
}
