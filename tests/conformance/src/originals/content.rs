//! What a pipeline binds: the same bytes for the original and for its translation.

use rspirv::spirv::{Dim, ImageFormat};

use super::interface::{Block, Image, Scalar};

/// Returns a number between 0 and 1 that depends on three keys.
fn noise(seed: u32, place: u32, index: u32) -> f32 {
    let mut word = seed.wrapping_mul(0x9e37_79b9) ^ place.wrapping_mul(0x85eb_ca6b) ^ index.wrapping_mul(0xc2b2_ae35);
    word ^= word >> 15;
    word = word.wrapping_mul(0x2c1b_3c6d);
    word ^= word >> 12;
    word = word.wrapping_mul(0x297a_2d39);
    word ^= word >> 15;
    (word >> 8) as f32 / (1 << 24) as f32
}

/// Returns a scalar of a type: floats from -0.75 to 2.25, in steps that are exact, and ints from 0 to 7.
pub fn scalar(ty: Scalar, seed: u32, place: u32, index: u32) -> u32 {
    let value = noise(seed, place, index);
    match ty {
        Scalar::Float => ((value * 192.0).floor() / 64.0 - 0.75).to_bits(),
        Scalar::Int | Scalar::Uint => (value * 8.0) as u32,
    }
}

/// Returns a component of an attribute. Floats have no exact steps, so that no rounding decides a comparison between vertices.
pub fn attribute(ty: Scalar, seed: u32, place: u32, index: u32) -> u32 {
    match ty {
        Scalar::Float => (noise(seed, place, index) * 3.0 - 0.75).to_bits(),
        other => scalar(other, seed, place, index),
    }
}

/// Returns the bytes of a block.
pub fn block(block: &Block, seed: u32, place: u32) -> Vec<u8> {
    let mut bytes = vec![0; block.size as usize];
    for (&at, &ty) in &block.scalars {
        if let Some(word) = bytes.get_mut(at as usize..at as usize + 4) {
            word.copy_from_slice(&scalar(ty, seed, place, at).to_le_bytes());
        }
    }
    bytes
}

/// The extent of images: the width and height, and the depth of images with three dimensions.
pub const EXTENT: u32 = 16;

/// Returns the extent and the number of layers of an image.
pub fn extent(image: Image) -> ([u32; 3], u32) {
    let layers = if image.arrayed { 4 } else { 1 };
    match image.dim {
        Dim::Dim1D => ([EXTENT, 1, 1], layers),
        Dim::Dim3D => ([EXTENT; 3], 1),
        Dim::DimCube => ([EXTENT, EXTENT, 1], 6 * if image.arrayed { 2 } else { 1 }),
        _ => ([EXTENT, EXTENT, 1], layers),
    }
}

/// Returns the number of levels of a texture.
pub fn levels(image: Image) -> u32 {
    if image.dim == Dim::Dim3D { 2 } else { 4 }
}

/// Returns the texels of a level of a texture, each of whose components is a byte: a float from 0 to 1 in 255 steps, or an int.
/// `key` is the seed and the place of the texture. A depth is the first component.
pub fn texture(scalar: Scalar, count: u32, (seed, place): (u32, u32), level: u32) -> Vec<[u8; 4]> {
    let byte = |index: u32| match scalar {
        // No depth is 1: interp clamps references to it, as for depths in bytes, and the device, whose depths are floats, does not.
        Scalar::Float => (noise(seed, place + 4099 * level, index) * 255.0) as u8,
        other => self::scalar(other, seed, place + 4099 * level, index) as u8,
    };
    (0..count).map(|at| [0, 1, 2, 3].map(|lane| byte(4 * at + lane))).collect()
}

/// The encoding of a texel's component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// A float of 32 bits.
    Float,
    /// A float of 16 bits.
    Half,
    /// A byte or half-word from 0 to 1 or from -1 to 1, of this many bits.
    Norm(u32),
    /// An int of this many bits.
    Int(u32),
}

impl Encoding {
    /// Returns the number of bytes of a component.
    pub const fn bytes(self) -> usize {
        match self {
            Encoding::Float => 4,
            Encoding::Half => 2,
            Encoding::Norm(bits) | Encoding::Int(bits) => bits as usize / 8,
        }
    }
}

/// Returns the encoding and the number of components of a storage image's format; `None` for a format that is not compared.
pub fn encoding(image: Image) -> Option<(Encoding, u32)> {
    use ImageFormat as F;
    Some(match image.format {
        F::Rgba32f => (Encoding::Float, 4),
        F::Rg32f => (Encoding::Float, 2),
        F::R32f => (Encoding::Float, 1),
        F::Rgba16f => (Encoding::Half, 4),
        F::Rg16f => (Encoding::Half, 2),
        F::R16f => (Encoding::Half, 1),
        F::Rgba8 | F::Rgba8Snorm => (Encoding::Norm(8), 4),
        F::Rg8 | F::Rg8Snorm => (Encoding::Norm(8), 2),
        F::R8 | F::R8Snorm => (Encoding::Norm(8), 1),
        F::Rgba32i | F::Rgba32ui => (Encoding::Int(32), 4),
        F::Rg32i | F::Rg32ui => (Encoding::Int(32), 2),
        F::R32i | F::R32ui => (Encoding::Int(32), 1),
        F::Rgba16i | F::Rgba16ui => (Encoding::Int(16), 4),
        F::Rgba8i | F::Rgba8ui => (Encoding::Int(8), 4),
        _ => return None,
    })
}

/// Returns the bytes of an image's texels. `count` is the number of components of all texels.
pub fn texels(encoding: Encoding, count: u32, seed: u32, place: u32) -> Vec<u8> {
    (0..count)
        .flat_map(|index| {
            let word = match encoding {
                Encoding::Float => noise(seed, place, index).to_bits(),
                // 0x3800 to 0x3bff are the halfs from 0.5 to 1.
                Encoding::Half => 0x3800 + (noise(seed, place, index) * 1023.0) as u32,
                Encoding::Norm(_) => (noise(seed, place, index) * 127.0) as u32,
                Encoding::Int(_) => scalar(Scalar::Uint, seed, place, index),
            };
            word.to_le_bytes().into_iter().take(encoding.bytes()).collect::<Vec<u8>>()
        })
        .collect()
}

/// Returns the number of a half's bits.
pub(super) fn half(word: u32) -> f64 {
    let (exponent, fraction) = (word >> 10 & 31, f64::from(word & 1023));
    let sign = if word >> 15 == 0 { 1.0 } else { -1.0 };
    match exponent {
        0 => sign * fraction * (-24f64).exp2(),
        31 if fraction != 0.0 => f64::NAN,
        31 => sign * f64::INFINITY,
        _ => sign * (1024.0 + fraction) * (f64::from(exponent) - 25.0).exp2(),
    }
}

/// Returns the bits of a half, which is given as a float.
pub(super) fn half_bits(float: f32) -> u32 {
    let (bits, magnitude) = (float.to_bits(), float.abs());
    let half = match magnitude {
        _ if float.is_nan() => 0x7e00,
        _ if magnitude.is_infinite() => 0x7c00,
        _ if magnitude < 2f32.powi(-14) => (magnitude * 2f32.powi(24)) as u32,
        _ => ((bits & 0x7fff_ffff) >> 13) - (112 << 10),
    };
    bits >> 31 << 15 | half
}
