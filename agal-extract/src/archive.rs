//! Recognises files that contain other files without compression: tar archives, signed SWFs, and executables with a SWF at the
//! end.

use std::borrow::Cow;
use std::ops::Range;

/// Reports whether bytes begin with a tar header that has a valid checksum.
pub(crate) fn is_tar(bytes: &[u8]) -> bool {
    let mut archive = tar::Archive::new(bytes);
    archive.entries().is_ok_and(|mut entries| entries.next().is_some_and(|entry| entry.is_ok()))
}

/// Returns a description of an executable file's format, determined from the file's first bytes.
pub(crate) fn executable(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        [b'M', b'Z', ..] if bytes.len() > 64 => Some("a Windows program"),
        [0x7f, b'E', b'L', b'F', ..] => Some("an ELF program"),
        [0xce | 0xcf, 0xfa, 0xed, 0xfe, ..] | [0xfe, 0xed, 0xfa, 0xce | 0xcf, ..] => Some("a Mach-O program"),
        // In a Mach-O file, the eighth byte is the number of architectures. In a Java class file, the eighth byte belongs to the
        // version and is at least 45.
        [0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 1..=30, ..] => Some("a Mach-O program"),
        _ => None,
    }
}

/// Returns the byte range of the SWF in a projector for Windows. Such a projector ends with the SWF and two little-endian words,
/// `0xFA123456` and the SWF's length, as Flash Player's "Create Projector" writes them.
///
/// A projector for Linux, in which both words precede the SWF, is not recognised. The function `_appendMovieData` in shockpkg's
/// swf-projector writes both forms.
pub(crate) fn of_projector(bytes: &[u8]) -> Option<Range<usize>> {
    let (rest, length) = bytes.split_last_chunk::<4>()?;
    let rest = rest.strip_suffix(&[0x56, 0x34, 0x12, 0xfa])?;
    let length = usize::try_from(u32::from_le_bytes(*length)).ok()?;
    Some(rest.len().checked_sub(length)?..rest.len())
}

/// Reports whether a file may be an application: a SWF, or an executable with a SWF at the end. The arguments are the file's
/// first bytes, its last eight bytes and its length.
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

/// The object identifier of PKCS #7 signed data, 1.2.840.113549.1.7.2.
const SIGNED: [u8; 11] = [0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x07, 0x02];

/// Reports whether bytes begin like a PKCS #7 signature that contains the signed data.
pub(crate) fn is_signed(bytes: &[u8]) -> bool {
    bytes.first() == Some(&0x30) && bytes.get(..24).unwrap_or(bytes).windows(11).any(|window| window == SIGNED)
}

/// Returns the SWF in a SWZ. A SWZ is a `ContentInfo` of PKCS #7 (RFC 2315) that contains a `SignedData`. The third field of the
/// `SignedData` contains the SWF as an octet string.
///
/// The function `extract_swz` in Ruffle's `swf` crate reads only DER. Some signers write BER instead, in which lengths may be
/// indefinite and a string may be split into pieces.
///
/// The octet string in the third field is the only one directly after the tag of a numbered field, so the function need not find
/// the ends of fields.
pub(crate) fn signed(bytes: &[u8]) -> Option<Cow<'_, [u8]>> {
    let (mut rest, mut before) = (bytes, 0);
    let mut found: Option<Cow<'_, [u8]>> = None;
    while let Some((tag, contents, after)) = element(rest) {
        match (&mut found, tag) {
            (None, 0x04) if matches!(before, 0xa0 | 0x24) => found = Some(Cow::Borrowed(contents)),
            (Some(pieces), 0x04) => pieces.to_mut().extend_from_slice(contents),
            // Tag 0x24 marks a string in pieces, and tag 0 ends an element of indefinite length.
            (None, _) | (Some(_), 0x24 | 0) => {}
            (Some(_), _) => break,
        }
        (rest, before) = (after, tag);
    }
    found
}

/// Returns the tag and the contents of the first BER element, and the bytes that follow the element. A constructed element counts
/// as empty, so the bytes that follow begin with its first nested element.
fn element(bytes: &[u8]) -> Option<(u8, &[u8], &[u8])> {
    let &[tag, first, ref rest @ ..] = bytes else { return None };
    let (length, rest) = match first {
        // The value 0x80 denotes an indefinite length, which only constructed elements have.
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
