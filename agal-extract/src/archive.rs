//! Recognises files that contain other files uncompressed: tar archives, programs followed by a SWF, and signed SWFs.

use std::borrow::Cow;
use std::ops::Range;

/// Whether bytes begin with the header of a file in a tar archive, with a correct checksum.
pub(crate) fn is_tar(bytes: &[u8]) -> bool {
    let mut archive = tar::Archive::new(bytes);
    archive.entries().is_ok_and(|mut entries| entries.next().is_some_and(|entry| entry.is_ok()))
}

/// Kind of an executable program, from its first bytes.
pub(crate) fn executable(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        [b'M', b'Z', ..] if bytes.len() > 64 => Some("a Windows program"),
        [0x7f, b'E', b'L', b'F', ..] => Some("an ELF program"),
        [0xce | 0xcf, 0xfa, 0xed, 0xfe, ..] | [0xfe, 0xed, 0xfa, 0xce | 0xcf, ..] => Some("a Mach-O program"),
        // The last byte is the number of architectures. In a Java class it belongs to the version, and is at least 45.
        [0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 1..=30, ..] => Some("a Mach-O program"),
        _ => None,
    }
}

/// Range of the SWF that a projector plays. The SWF ends before the last eight bytes, which are `0xFA123456` and the SWF's length,
/// each little-endian, as Flash Player's "Create Projector" writes them on Windows. (On Linux both words precede the SWF, and the
/// SWF ends with the file, so its end is known. `_appendMovieData` in shockpkg's swf-projector writes both forms.)
pub(crate) fn of_projector(bytes: &[u8]) -> Option<Range<usize>> {
    let (rest, length) = bytes.split_last_chunk::<4>()?;
    let rest = rest.strip_suffix(&[0x56, 0x34, 0x12, 0xfa])?;
    let length = usize::try_from(u32::from_le_bytes(*length)).ok()?;
    Some(rest.len().checked_sub(length)?..rest.len())
}

/// Whether a file may be an application, judged by its first and last eight bytes and its length: a SWF, or a program followed by a
/// SWF.
pub fn is_application(first: &[u8], last: &[u8; 8], length: u64) -> bool {
    match first {
        [b'F' | b'C' | b'Z', b'W', b'S', 1..=99, ..] => length > 20,
        _ => {
            let [mark @ .., a, b, c, d] = *last;
            let of_swf = u64::from(u32::from_le_bytes([a, b, c, d]));
            let is_program = executable(&[first, &[0; 64]].concat()).is_some();
            is_program && mark == [0x56, 0x34, 0x12, 0xfa] && of_swf < length
        }
    }
}

/// The object identifier 1.2.840.113549.1.7.2 of signed data in PKCS #7.
const SIGNED: [u8; 11] = [0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x07, 0x02];

/// Whether bytes begin as a PKCS #7 signature that contains the signed data.
pub(crate) fn is_signed(bytes: &[u8]) -> bool {
    bytes.first() == Some(&0x30) && bytes.get(..24).unwrap_or(bytes).windows(11).any(|window| window == SIGNED)
}

/// Finds the signed data: a SWZ is a `ContentInfo` of PKCS #7 (RFC 2315) with `SignedData`, whose third field contains the SWF as
/// an octet string. (`extract_swz` in Ruffle's `swf` crate reads DER. Signers that write a stream use BER, with indefinite lengths
/// and the string in pieces.)
///
/// In no other field does an octet string follow the tag of a numbered field, so the ends of fields can be ignored.
pub(crate) fn signed(bytes: &[u8]) -> Option<Cow<'_, [u8]>> {
    let (mut rest, mut before) = (bytes, 0);
    let mut found: Option<Cow<'_, [u8]>> = None;
    while let Some((tag, contents, after)) = element(rest) {
        match (&mut found, tag) {
            (None, 0x04) if matches!(before, 0xa0 | 0x24) => found = Some(Cow::Borrowed(contents)),
            (Some(pieces), 0x04) => pieces.to_mut().extend_from_slice(contents),
            // The tag of a string in pieces, or the end of an element of indefinite length.
            (None, _) | (Some(_), 0x24 | 0) => {}
            (Some(_), _) => break,
        }
        (rest, before) = (after, tag);
    }
    found
}

/// Splits off the first BER element: returns its tag, its contents, and the bytes after it. For a constructed element, the bytes
/// after it begin with the first element that it contains.
fn element(bytes: &[u8]) -> Option<(u8, &[u8], &[u8])> {
    let &[tag, first, ref rest @ ..] = bytes else { return None };
    let (length, rest) = match first {
        // An indefinite length, which only constructed elements have.
        0..=0x80 => (usize::from(first & 0x7f), rest),
        0x81..=0x88 => {
            let (length, rest) = rest.split_at_checked(usize::from(first & 0x7f))?;
            (length.iter().try_fold(0_usize, |sum, byte| Some(sum.checked_mul(256)? | usize::from(*byte)))?, rest)
        }
        _ => return None,
    };
    match (tag & 0x1f, tag & 0x20) {
        // Tags of more than one byte do not occur.
        (0x1f, _) => None,
        (_, 0) => {
            // In a truncated file, the contents are the remaining bytes.
            let (contents, rest) = rest.split_at_checked(length).unwrap_or((rest, &[]));
            Some((tag, contents, rest))
        }
        _ => Some((tag, &[], rest)),
    }
}
