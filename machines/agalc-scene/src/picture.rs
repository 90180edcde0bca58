//! Pictures with four bytes per pixel, and PNG files.
//!
//! Files are written as 8-bit RGBA without metadata, so that equal pictures become equal files. Input files may be greyscale,
//! colour or palette images with 1 to 16 bits per sample.

use std::io::Cursor;

use png::{BitDepth, ColorType, Decoder, Encoder, Transformations};
use sdlbc::Scalar;
use sdlbc_interp::{Draw, Image};

use crate::error::ErrorKind;

/// The maximum width and height of a picture in pixels.
pub const LARGEST: u32 = 8192;

/// A picture, stored row by row from the top.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Picture {
    /// The width in pixels.
    pub width: u32,
    /// The height in pixels.
    pub height: u32,
    /// The red, green, blue and alpha of each pixel, row by row from the top.
    pub pixels: Vec<[u8; 4]>,
}

/// Converts a number from 0 to 1 to the nearest byte from 0 to 255. NaN becomes 0.
pub(crate) fn byte(number: f64) -> u8 {
    #[expect(clippy::cast_possible_truncation, reason = "it is in 0..256")]
    let byte = (number.clamp(0.0, 1.0) * 255.0 + 0.5) as u8;
    byte
}

impl Picture {
    /// Converts a render target of a draw to a picture. Floats are clamped to 0..1, as by [`Picture::of`]. The first three
    /// components of ints are clamped to 0..255, and the picture is opaque. Returns `None` if the render target does not exist.
    pub fn of_target(draw: &Draw, image: &Image, target: usize) -> Option<Picture> {
        let byte: fn(u32) -> u8 = match draw.scalar(target) {
            Scalar::Int => |bits| u8::try_from(bits.cast_signed().clamp(0, 255)).unwrap_or(255),
            Scalar::Uint => |bits| u8::try_from(bits).unwrap_or(255),
            _ => return Picture::of(image, target),
        };
        let pixels = image.targets.get(target)?.iter();
        let pixels =
            pixels.map(|&[r, g, b, _]| [byte(r.to_bits()), byte(g.to_bits()), byte(b.to_bits()), 255]).collect();
        Some(Picture { width: image.width, height: image.height, pixels })
    }

    /// Converts a render target of floats to a picture, and clamps the colours to 0..1. Returns `None` if the render target does
    /// not exist.
    pub fn of(image: &Image, target: usize) -> Option<Picture> {
        let pixels = image.targets.get(target)?;
        let pixels = pixels.iter().map(|pixel| pixel.map(|part| byte(f64::from(part)))).collect();
        Some(Picture { width: image.width, height: image.height, pixels })
    }

    /// Decodes a PNG file.
    ///
    /// # Errors
    /// Returns an error if the bytes are not a PNG file or if the picture is too large.
    pub fn from_png(bytes: &[u8]) -> Result<Picture, ErrorKind> {
        let bad = |why: String| ErrorKind::Png { why };
        let mut decoder = Decoder::new(Cursor::new(bytes));
        decoder.set_transformations(Transformations::EXPAND);
        let mut reader = decoder.read_info().map_err(|error| bad(error.to_string()))?;
        let (width, height) = reader.info().size();
        if width > LARGEST || height > LARGEST {
            return Err(bad(format!("it has {width}x{height} pixels, but the limit is {LARGEST}x{LARGEST}")));
        }
        let size = reader.output_buffer_size().ok_or_else(|| bad("it is too large".to_string()))?;
        let mut buffer = vec![0; size];
        let frame = reader.next_frame(&mut buffer).map_err(|error| bad(error.to_string()))?;
        let samples: Vec<u8> = match frame.bit_depth {
            BitDepth::Sixteen => {
                let pairs = buffer.as_chunks::<2>().0.iter().map(|&pair| u32::from(u16::from_be_bytes(pair)));
                pairs.map(|wide| u8::try_from((wide * 255 + 32_767) / 65_535).unwrap_or(255)).collect()
            }
            _ => buffer,
        };
        let pixels: Vec<[u8; 4]> = match frame.color_type {
            ColorType::Grayscale => samples.iter().map(|&grey| [grey, grey, grey, 255]).collect(),
            ColorType::GrayscaleAlpha => samples.as_chunks().0.iter().map(|&[grey, a]| [grey, grey, grey, a]).collect(),
            ColorType::Rgb => samples.as_chunks().0.iter().map(|&[r, g, b]| [r, g, b, 255]).collect(),
            ColorType::Rgba => samples.as_chunks().0.to_vec(),
            // If the palette exists, the EXPAND transformation has already converted the image to RGB.
            ColorType::Indexed => return Err(bad("its palette is missing".to_string())),
        };
        let count = width as usize * height as usize;
        if pixels.len() < count {
            return Err(bad("pixels are missing".to_string()));
        }
        Ok(Picture { width, height, pixels: pixels.into_iter().take(count).collect() })
    }

    /// Encodes the picture as a PNG file.
    ///
    /// # Errors
    /// Returns an error if the number of pixels is zero or does not match the picture's size.
    pub fn to_png(&self) -> Result<Vec<u8>, ErrorKind> {
        let bad = |error: png::EncodingError| ErrorKind::Png { why: error.to_string() };
        let mut bytes = Vec::new();
        let mut encoder = Encoder::new(&mut bytes, self.width, self.height);
        encoder.set_color(ColorType::Rgba);
        encoder.set_depth(BitDepth::Eight);
        let mut writer = encoder.write_header().map_err(bad)?;
        writer.write_image_data(self.pixels.as_flattened()).map_err(bad)?;
        writer.finish().map_err(bad)?;
        Ok(bytes)
    }
}
