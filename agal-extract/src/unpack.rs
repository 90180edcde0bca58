//! Detects compressed streams, and decompresses them up to a limit.
//!
//! Rule: the decompressed contents never exceed the limit, regardless of the length stated in a header.

use std::io::{self, Read, Write};

use flate2::bufread::{DeflateDecoder, GzDecoder, ZlibDecoder};
use lzma_rs::decompress::{Options, UnpackedSize};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Packing {
    /// The zlib format, which `ByteArray.compress()` writes.
    Zlib,
    Gzip,
    /// A raw deflate stream, which `ByteArray.deflate()` writes.
    Deflate,
    /// The `.lzma` format, which `ByteArray.compress("lzma")` writes: five bytes of properties, eight bytes of unpacked length,
    /// and the stream (`CompressViaLzma` in avmplus' `core/ByteArrayGlue.cpp`).
    Lzma,
    /// Five bytes of LZMA properties and the stream. The properties follow the given number of other bytes, such as the packed
    /// length in a SWF.
    LzmaOfSwf(usize),
    /// The LZMA body of a SWF: five bytes of properties and a stream that may be truncated at any byte.
    Swf,
}

impl Packing {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Packing::Zlib => "zlib",
            Packing::Gzip => "gzip",
            Packing::Deflate => "deflate",
            Packing::Lzma | Packing::LzmaOfSwf(_) | Packing::Swf => "LZMA",
        }
    }

    /// Detects the compression format from the header at the start of the bytes.
    pub(crate) fn of(bytes: &[u8]) -> Option<Packing> {
        match bytes {
            [0x78, 0x01 | 0x5e | 0x9c | 0xda, ..] => Some(Packing::Zlib),
            [0x1f, 0x8b, 8, flags, ..] if flags & 0xe0 == 0 => Some(Packing::Gzip),
            // The first byte of an LZMA stream is 0.
            _ if has_properties(bytes) && has_length(bytes.get(5..)?) && bytes.get(13) == Some(&0) => {
                Some(Packing::Lzma)
            }
            _ => None,
        }
    }

    /// Returns the formats without a signature that the bytes may have.
    pub(crate) fn unmarked(bytes: &[u8]) -> Vec<Packing> {
        let is_lzma = |at: &usize| {
            let stated = bytes.first_chunk().map(|head| u32::from_le_bytes(*head));
            let rest = bytes.get(*at..).unwrap_or_default();
            let fits = *at == 0 || stated.is_some_and(|stated| rest.len().abs_diff(stated as usize) <= 5);
            fits && has_properties(rest) && rest.get(5) == Some(&0)
        };
        let lzma = [0, 4].into_iter().filter(is_lzma).map(Packing::LzmaOfSwf);
        lzma.chain(may_be_deflate(bytes).then_some(Packing::Deflate)).collect()
    }
}

/// Reports whether the bytes may begin with a deflate block (RFC 1951). The first bit marks the final block, and the next two
/// bits state the block type.
fn may_be_deflate(bytes: &[u8]) -> bool {
    let Some(&[first, a, b, c, d]) = bytes.first_chunk::<5>() else { return false };
    match first >> 1 & 3 {
        // A stored block begins with its length and the complement of the length.
        0 => [a, b] == [!c, !d],
        1 => true,
        // A block with dynamic codes begins with the number of length codes minus 257 and the number of distance codes minus 1.
        2 => first >> 3 <= 29 && a & 31 <= 29,
        _ => false,
    }
}

/// Reports whether the bytes begin with plausible LZMA properties: a byte that combines three parameters, and the window size.
/// The usual window sizes are 2^n and 3 * 2^n bytes, and 2^32 - 1.
fn has_properties(bytes: &[u8]) -> bool {
    let Some(&[first, a, b, c, d]) = bytes.first_chunk::<5>() else { return false };
    let window = u32::from_le_bytes([a, b, c, d]);
    let is_usual = window.is_power_of_two() || window % 3 == 0 && (window / 3).is_power_of_two() || window == u32::MAX;
    first < 225 && window >= 1 << 12 && is_usual
}

/// Reports whether the bytes begin with an unpacked length below 4 GiB, or with the marker for an unknown length.
fn has_length(bytes: &[u8]) -> bool {
    matches!(bytes, [_, _, _, _, 0, 0, 0, 0, ..] | [255, 255, 255, 255, 255, 255, 255, 255, ..])
}

/// The decompressed contents of a stream, and the outcome of the decompression.
#[derive(Debug)]
pub(crate) struct Unpacked {
    pub(crate) bytes: Vec<u8>,
    /// The number of bytes that the compressed stream occupies.
    pub(crate) length: usize,
    /// Whether the decompressed contents exceed the limit.
    pub(crate) is_over: bool,
    pub(crate) fault: Option<String>,
}

impl Unpacked {
    pub(crate) fn is_whole(&self) -> bool {
        !self.is_over && self.fault.is_none()
    }
}

/// Decompresses the stream at the start of the bytes, up to `most` bytes of contents.
pub(crate) fn unpack(packing: Packing, bytes: &[u8], most: usize) -> Unpacked {
    let mut out = Limited { bytes: Vec::new(), most, is_full: false };
    let mut rest = bytes;
    let result = match packing {
        Packing::Zlib => copy(ZlibDecoder::new(&mut rest), &mut out),
        Packing::Deflate => copy(DeflateDecoder::new(&mut rest), &mut out),
        Packing::Gzip => copy(GzDecoder::new(&mut rest), &mut out),
        Packing::Lzma => lzma(&mut rest, UnpackedSize::ReadFromHeader, false, &mut out),
        Packing::LzmaOfSwf(skipped) => {
            rest = bytes.get(skipped..).unwrap_or_default();
            lzma(&mut rest, UnpackedSize::UseProvided(None), false, &mut out)
        }
        Packing::Swf => lzma(&mut rest, UnpackedSize::UseProvided(None), true, &mut out),
    };
    let fault = result.err().filter(|_| !out.is_full);
    Unpacked { bytes: out.bytes, length: bytes.len() - rest.len(), is_over: out.is_full, fault }
}

fn copy(mut decoder: impl Read, out: &mut Limited) -> Result<(), String> {
    io::copy(&mut decoder, out).map(drop).map_err(|error| error.to_string())
}

/// Decompresses an LZMA stream. On return, `rest` contains the bytes after the stream.
fn lzma(rest: &mut &[u8], unpacked_size: UnpackedSize, may_end: bool, out: &mut Limited) -> Result<(), String> {
    let options = Options { unpacked_size, memlimit: Some(out.most), allow_incomplete: may_end };
    let result = lzma_rs::lzma_decompress_with_options(rest, out, &options);
    // If the decoder reports an error about its memory limit, the decoder's window is larger than the limit.
    out.is_full |= matches!(&result, Err(error) if error.to_string().contains("memory limit"));
    result.map_err(|error| error.to_string())
}

/// Returns a message about a stream that was not read because its contents exceed `most` bytes.
pub(crate) fn too_long(most: usize) -> String {
    format!("the file unpacks to more than {most} bytes, the limit for a packed file of its length, and is not read")
}

pub(crate) fn damaged(name: &str, length: usize, fault: &str) -> String {
    format!("the {name} stream is damaged after {length} bytes: {fault}")
}

struct Limited {
    bytes: Vec<u8>,
    most: usize,
    is_full: bool,
}

impl Write for Limited {
    fn write(&mut self, new: &[u8]) -> io::Result<usize> {
        let left = self.most.saturating_sub(self.bytes.len());
        if new.len() > left {
            self.bytes.extend_from_slice(new.get(..left).unwrap_or_default());
            self.is_full = true;
            return Err(io::Error::other("over the limit"));
        }
        self.bytes.extend_from_slice(new);
        Ok(new.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
