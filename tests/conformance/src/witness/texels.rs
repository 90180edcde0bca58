//! Converts storage textures to and from the memory layout of devices.

use sdlbc::Format;
use sdlbc_interp::StorageTexture;

use super::interface::half;

/// The representation of a component in a storage texture format.
#[derive(Clone, Copy, Debug)]
enum Held {
    Unorm8,
    Snorm8,
    Half,
    /// An integer: its size in bytes, and whether it is signed.
    Whole(usize, bool),
    /// Any component of 32 bits.
    Word,
}

fn held(format: Format) -> Held {
    match format {
        Format::Rgba8Unorm => Held::Unorm8,
        Format::Rgba8Snorm => Held::Snorm8,
        Format::Rgba8Uint => Held::Whole(1, false),
        Format::Rgba8Sint => Held::Whole(1, true),
        Format::Rgba16Uint => Held::Whole(2, false),
        Format::Rgba16Sint => Held::Whole(2, true),
        Format::Rgba16Float => Held::Half,
        _ => Held::Word,
    }
}

/// Returns the size of a texel in bytes.
pub(super) fn size(format: Format) -> usize {
    let component = match held(format) {
        Held::Unorm8 | Held::Snorm8 => 1,
        Held::Half => 2,
        Held::Whole(bytes, _) => bytes,
        Held::Word => 4,
    };
    component * usize::from(format.components())
}

/// Returns a storage texture's texels as bytes, row by row.
pub(super) fn packed(image: &StorageTexture) -> Vec<u8> {
    let format = image.format();
    let component = |&bits: &u32| match held(format) {
        Held::Unorm8 => vec![(f32::from_bits(bits) * 255.0).round() as u8],
        Held::Snorm8 => vec![((f32::from_bits(bits) * 127.0).round() as i8).cast_unsigned()],
        Held::Half => half(f32::from_bits(bits)).to_ne_bytes().to_vec(),
        Held::Whole(bytes, _) => bits.to_le_bytes()[..bytes].to_vec(),
        Held::Word => bits.to_ne_bytes().to_vec(),
    };
    let components = usize::from(format.components());
    image.texels().iter().flat_map(|texel| texel[..components].iter().flat_map(component)).collect()
}

/// Returns a storage texture with the format and size of `like` and the texels in `bytes`.
pub(super) fn unpacked(like: &StorageTexture, bytes: &[u8]) -> Option<StorageTexture> {
    let (format, [width, height, depth]) = (like.format(), like.size());
    let component = |bytes: &[u8]| match (held(format), bytes) {
        (Held::Unorm8, &[byte]) => (f32::from(byte) / 255.0).to_bits(),
        (Held::Snorm8, &[byte]) => (f32::from(byte.cast_signed()) / 127.0).max(-1.0).to_bits(),
        (Held::Half, &[a, b]) => number(u16::from_ne_bytes([a, b])).to_bits(),
        (Held::Whole(_, true), &[byte]) => i32::from(byte.cast_signed()).cast_unsigned(),
        (Held::Whole(_, true), &[a, b]) => i32::from(i16::from_le_bytes([a, b])).cast_unsigned(),
        (_, bytes) => bytes.iter().rev().fold(0, |bits, &byte| bits << 8 | u32::from(byte)),
    };
    let places = (0..depth).flat_map(|z| (0..height).flat_map(move |y| (0..width).map(move |x| [x, y, z])));
    let mut image = StorageTexture::new(format, like.size())?;
    let bytes_of_one = size(format) / usize::from(format.components());
    for (place, texel) in places.zip(bytes.chunks_exact(size(format))) {
        let mut components = [0; 4];
        for (to, from) in components.iter_mut().zip(texel.chunks(bytes_of_one)) {
            *to = component(from);
        }
        image.set(place.map(u32::cast_signed), components);
    }
    Some(image)
}

/// Converts the bits of a half-precision number to a float.
fn number(half: u16) -> f32 {
    let (exponent, fraction) = (i32::from(half >> 10 & 0x1f), f32::from(half & 0x3ff) / 1024.0);
    let size = match exponent {
        0 => fraction * (-14f32).exp2(),
        31 if fraction == 0.0 => f32::INFINITY,
        31 => f32::NAN,
        _ => (1.0 + fraction) * ((exponent - 15) as f32).exp2(),
    };
    if half >> 15 == 1 { -size } else { size }
}

#[cfg(test)]
mod tests {
    use sdlbc::Scalar;

    use super::*;

    #[test]
    fn texels_are_the_same_after_they_were_packed() {
        for format in Format::ALL {
            let mut image = StorageTexture::new(format, [3, 2, 2]).expect("it is small");
            let texels = match format.scalar() {
                Scalar::Float => {
                    [[0.25f32, 1.0, 0.0, 0.5], [-0.75, 0.1, 7e5, -3.0]].map(|texel| texel.map(f32::to_bits))
                }
                _ => [[u32::MAX - 6, 200, 3, 70_000], [1, 2, 3, 4]],
            };
            for (at, texel) in texels.into_iter().enumerate() {
                image.set([at as i32, 1, 1], texel);
            }
            let bytes = packed(&image);
            assert_eq!(bytes.len(), 12 * size(format), "{format:?}");
            assert_eq!(unpacked(&image, &bytes).expect("it is small").texels(), image.texels(), "{format:?}");
        }
    }

    #[test]
    fn halfs_are_read_as_they_are_written() {
        for value in [0.0, 1.0, -2.5, 65504.0, 2f32.powi(-24), -2f32.powi(-14), f32::INFINITY] {
            assert_eq!(number(half(value)).to_bits(), value.to_bits());
        }
        assert!(number(half(f32::NAN)).is_nan());
    }
}
