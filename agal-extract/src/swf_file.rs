//! Reads SWF files: decompresses the body, detects truncated files, and reads tags.

use std::borrow::Cow;
use std::collections::HashMap;
use std::rc::Rc;

use swf::extensions::ReadSwfExt;
use swf::read::Reader;

use crate::unpack::{Packing, damaged, too_long, unpack};

/// The name of the compression, the bytes after the eight-byte header, and a description of any damage.
pub(crate) type Body<'b> = (&'static str, Cow<'b, [u8]>, Option<String>);

/// Decompresses the body of a SWF file to at most `most` bytes.
pub(crate) fn body_of(bytes: &[u8], most: usize) -> Result<Body<'_>, String> {
    let packed = bytes.get(8..).ok_or("the SWF's header is cut off")?;
    let (name, found) = match bytes.first() {
        Some(b'C') => ("zlib", unpack(Packing::Zlib, packed, most)),
        // In a SWF, the packed length precedes the LZMA properties. No unpacked length follows the properties, so the stream ends
        // with an end marker.
        Some(b'Z') => ("LZMA", unpack(Packing::Swf, packed.get(4..).ok_or("the SWF's header is cut off")?, most)),
        _ => {
            let length = u32::from_le_bytes([4, 5, 6, 7].map(|at| bytes.get(at).copied().unwrap_or_default()));
            let length = usize::try_from(length).unwrap_or(usize::MAX).saturating_sub(8);
            let problem = (packed.len() < length)
                .then(|| format!("the SWF is cut off: only {} of its {length} bytes are present", packed.len()));
            return Ok(("uncompressed", Cow::Borrowed(packed), problem));
        }
    };
    if found.is_over {
        return Err(too_long(most));
    }
    let problem = found.fault.map(|fault| damaged(name, found.bytes.len(), &fault));
    Ok((name, Cow::Owned(found.bytes), problem))
}

/// Returns the length of the SWF file at the start of the bytes. Returns `None` unless the contents have the length that the
/// header states and consist of tags, the last of which is an end tag. `left` is the number of bytes that may still be unpacked;
/// decompression reduces this number.
pub(crate) fn length_of_whole(bytes: &[u8], left: &mut usize) -> Option<usize> {
    let &[first, _, _, version @ 1..=99, a, b, c, d] = bytes.first_chunk::<8>()? else { return None };
    let length = usize::try_from(u32::from_le_bytes([a, b, c, d])).ok()?.checked_sub(8)?;
    let packed = bytes.get(8..)?;
    let (body, end) = match first {
        b'F' => (Cow::Borrowed(packed.get(..length)?), length.checked_add(8)?),
        _ if length > *left => return None,
        b'C' => {
            let found = unpack(Packing::Zlib, packed, length);
            (Cow::Owned(found.bytes), found.length.checked_add(8)?)
        }
        _ => {
            // The packed length in the SWF header excludes the five bytes of LZMA properties.
            let stated = usize::try_from(u32::from_le_bytes(*packed.first_chunk::<4>()?)).ok()?;
            let stream = packed.get(4..)?.get(..stated.checked_add(5)?)?;
            (Cow::Owned(unpack(Packing::Swf, stream, length).bytes), stated.checked_add(17)?)
        }
    };
    if first != b'F' {
        *left = left.saturating_sub(body.len());
    }
    (body.len() == length && has_tags(&body, version)).then_some(end)
}

/// Reports whether the body of a SWF file is a valid list of tags that contains a frame or code and ends with an end tag.
fn has_tags(body: &[u8], version: u8) -> bool {
    let mut reader = Reader::new(body, version);
    if reader.read_rectangle().is_err() || reader.read_u32().is_err() {
        return false;
    }
    let mut has_contents = false;
    loop {
        match reader.read_tag_code_and_length() {
            Ok((0, _)) => return has_contents,
            Ok((code, length)) if reader.read_slice(length).is_ok() => has_contents |= matches!(code, 1 | 72 | 82),
            _ => return false,
        }
    }
}

/// Reads the class names of SWF characters. If a character has several names, the first name is kept.
pub(crate) fn read_symbols(reader: &mut Reader<'_>, symbols: &mut HashMap<u16, Rc<str>>) {
    for _ in 0..reader.read_u16().unwrap_or_default() {
        let (Ok(id), Ok(name)) = (reader.read_u16(), reader.read_str()) else { break };
        symbols.entry(id).or_insert_with(|| String::from_utf8_lossy(name.as_bytes()).into());
    }
}

/// Reports whether the bytes may contain AGAL bytecode, because both magic bytes of a header occur at the right distance.
pub(crate) fn may_have_bytecode(bytes: &[u8]) -> bool {
    bytes.windows(7).any(|window| matches!(window, [0xa0, _, _, _, _, 0xa1, 0 | 1]))
}
