//! Files that hold other files as they are: tar archives, programs with a SWF behind them, and signed SWFs.

use std::borrow::Cow;
use std::ops::Range;

/// The length of a tar archive's blocks.
const BLOCK: usize = 512;

/// Whether bytes begin with the head of a tar archive's file, whose sum is right.
pub(crate) fn is_tar(bytes: &[u8]) -> bool {
    bytes.get(..BLOCK).is_some_and(|head| checksum(head).is_some_and(|stated| stated > 256 && stated == sum(head)))
}

/// The sum of a head's bytes, in which the eight of the sum itself count as blanks.
fn sum(head: &[u8]) -> u64 {
    let counted = |(at, byte): (usize, &u8)| if (148..156).contains(&at) { 32 } else { u64::from(*byte) };
    head.iter().enumerate().map(counted).sum()
}

fn checksum(head: &[u8]) -> Option<u64> {
    number(head.get(148..156)?)
}

/// A number in octal digits, or for large files in the bytes themselves.
fn number(field: &[u8]) -> Option<u64> {
    if let [0x80, rest @ ..] = field {
        return rest.iter().try_fold(0_u64, |number, byte| Some(number.checked_mul(256)? | u64::from(*byte)));
    }
    u64::from_str_radix(text(field).trim(), 8).ok()
}

/// A field's text, which a zero byte ends.
fn text(field: &[u8]) -> String {
    let end = field.iter().position(|byte| *byte == 0).unwrap_or(field.len());
    String::from_utf8_lossy(field.get(..end).unwrap_or_default()).into_owned()
}

/// A file of a tar archive.
#[derive(Debug)]
pub(crate) struct Entry<'b> {
    pub(crate) name: String,
    pub(crate) bytes: &'b [u8],
    /// How many of its bytes are missing at the end of the archive.
    pub(crate) missing: usize,
}

/// The plain files of a tar archive: POSIX.1-1988's (`ustar`) and older ones, with the long names of GNU's and POSIX.1-2001's (pax).
pub(crate) fn tar(bytes: &[u8]) -> impl Iterator<Item = Entry<'_>> {
    let (mut rest, mut long) = (bytes, None::<String>);
    std::iter::from_fn(move || {
        loop {
            let head = rest.get(..BLOCK).filter(|head| is_tar(head))?;
            let length = usize::try_from(number(head.get(124..136)?)?).ok()?;
            let body = rest.get(BLOCK..).unwrap_or_default();
            let found = body.get(..length).unwrap_or(body);
            rest = body.get(length.checked_next_multiple_of(BLOCK)?..).unwrap_or_default();
            match head.get(156)? {
                b'L' => long = Some(text(found)),
                b'x' => long = pax_name(found),
                b'0' | 0 | b'7' => {
                    let short = || match (text(head.get(..100).unwrap_or_default()), head.get(257..262)) {
                        (name, Some(b"ustar")) => match text(head.get(345..500).unwrap_or_default()) {
                            folder if folder.is_empty() => name,
                            folder => format!("{folder}/{name}"),
                        },
                        (name, _) => name,
                    };
                    let name = long.take().unwrap_or_else(short);
                    return Some(Entry { name, bytes: found, missing: length - found.len() });
                }
                // A folder, a link or a device.
                _ => long = None,
            }
        }
    })
}

/// The name in the records of a pax head, each of which is its length, a blank, a key, `=`, a value and a line break.
fn pax_name(records: &[u8]) -> Option<String> {
    let records = String::from_utf8_lossy(records);
    records.lines().find_map(|record| Some(record.split_once(" path=")?.1.to_string()))
}

/// What kind of program bytes are, by their first ones.
pub(crate) fn executable(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        [b'M', b'Z', ..] if bytes.len() > 64 => Some("a Windows program"),
        [0x7f, b'E', b'L', b'F', ..] => Some("an ELF program"),
        [0xce | 0xcf, 0xfa, 0xed, 0xfe, ..] | [0xfe, 0xed, 0xfa, 0xce | 0xcf, ..] => Some("a Mach-O program"),
        // The number of architectures; a Java class has its version there, of 45 and more.
        [0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 1..=30, ..] => Some("a Mach-O program"),
        _ => None,
    }
}

/// Where the SWF is that a projector plays: it ends before the last eight bytes, which are `0xFA123456` and its length, each little
/// endian, as Flash Player's "Create Projector" writes them on Windows. (The Linux player has both in front of the SWF, which is the end
/// of the file, and so does not need them; `_appendMovieData` in shockpkg's swf-projector has each order.)
pub(crate) fn of_projector(bytes: &[u8]) -> Option<Range<usize>> {
    let (rest, length) = bytes.split_last_chunk::<4>()?;
    let rest = rest.strip_suffix(&[0x56, 0x34, 0x12, 0xfa])?;
    let length = usize::try_from(u32::from_le_bytes(*length)).ok()?;
    Some(rest.len().checked_sub(length)?..rest.len())
}

/// Whether a file may be an application, by its first and its last eight bytes and its length: a SWF, or a program with one behind it.
pub fn is_application(first: &[u8], last: &[u8; 8], length: u64) -> bool {
    match first {
        [b'F' | b'C' | b'Z', b'W', b'S', 1..=99, ..] => length > 20,
        _ => {
            let [mark @ .., a, b, c, d] = *last;
            let behind = u64::from(u32::from_le_bytes([a, b, c, d]));
            let is_program = executable(&[first, &[0; 64]].concat()).is_some();
            is_program && mark == [0x56, 0x34, 0x12, 0xfa] && behind < length
        }
    }
}

/// The object identifier 1.2.840.113549.1.7.2 of signed data in PKCS #7.
const SIGNED: [u8; 11] = [0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x07, 0x02];

/// Whether bytes begin as a signature in PKCS #7 that holds what is signed.
pub(crate) fn is_signed(bytes: &[u8]) -> bool {
    bytes.first() == Some(&0x30) && bytes.get(..24).unwrap_or(bytes).windows(11).any(|window| window == SIGNED)
}

/// What is signed: a SWZ is a `ContentInfo` of PKCS #7 (RFC 2315) with `SignedData`, the third field of which has the SWF as an octet
/// string. (`extract_swz` in Ruffle's `swf` crate reads it in DER; signers that write while they read use BER, in which lengths are
/// left open and the string is in pieces.)
pub(crate) fn signed(bytes: &[u8]) -> Option<Cow<'_, [u8]>> {
    let (_, info, _) = element(bytes)?;
    let (_, content, _) = element(after(info, 1)?)?;
    let (_, data, _) = element(content)?;
    let (_, inner, _) = element(after(data, 2)?)?;
    let (tag, content, _) = element(after(inner, 1)?)?;
    let (tag, found, _) = if tag == 0xa0 { element(content)? } else { (tag, content, &[][..]) };
    match tag {
        0x04 => Some(Cow::Borrowed(found)),
        0x24 => {
            let (mut pieces, mut rest) = (Vec::new(), found);
            while let Some((0x04, piece, next)) = element(rest) {
                pieces.extend_from_slice(piece);
                rest = next;
            }
            Some(Cow::Owned(pieces))
        }
        _ => None,
    }
}

/// What is left after so many elements.
fn after(mut bytes: &[u8], count: usize) -> Option<&[u8]> {
    for _ in 0..count {
        (_, _, bytes) = element(bytes)?;
    }
    Some(bytes)
}

/// The element of BER that bytes begin with: its tag, its contents, and what follows. Contents of an open length that is not closed
/// are all that is left.
fn element(bytes: &[u8]) -> Option<(u8, &[u8], &[u8])> {
    let (&tag, rest) = bytes.split_first()?;
    // Tags of more than one byte do not occur.
    if tag & 0x1f == 0x1f {
        return None;
    }
    let (&first, rest) = rest.split_first()?;
    match first {
        0..0x80 => {
            let (contents, rest) = rest.split_at_checked(usize::from(first))?;
            Some((tag, contents, rest))
        }
        0x80 => open_element(tag, rest),
        0x81..=0x88 => {
            let (length, rest) = rest.split_at_checked(usize::from(first & 0x7f))?;
            let length = length.iter().try_fold(0_usize, |sum, byte| Some(sum.checked_mul(256)? | usize::from(*byte)));
            // A file that is cut off has what is there.
            let (contents, rest) = rest.split_at_checked(length?).unwrap_or((rest, &[]));
            Some((tag, contents, rest))
        }
        _ => None,
    }
}

/// An element of an open length, from its contents on: two zero bytes end it, and each one in it that is open as well.
fn open_element(tag: u8, contents: &[u8]) -> Option<(u8, &[u8], &[u8])> {
    let (mut rest, mut depth) = (contents, 0_usize);
    loop {
        match rest {
            [0, 0, after @ ..] => {
                rest = after;
                match depth.checked_sub(1) {
                    Some(less) => depth = less,
                    None => {
                        let length = contents.len() - after.len() - 2;
                        return Some((tag, contents.get(..length)?, after));
                    }
                }
            }
            [_, 0x80, after @ ..] => {
                depth += 1;
                rest = after;
            }
            [_, ..] => (_, _, rest) = element(rest)?,
            [] => return Some((tag, contents, &[])),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An element with a length of four bytes.
    fn der(tag: u8, contents: &[&[u8]]) -> Vec<u8> {
        let contents = contents.concat();
        let length = u32::try_from(contents.len()).expect("a short element").to_be_bytes();
        [&[tag, 0x84], &length[..], &contents].concat()
    }

    fn open(tag: u8, contents: &[&[u8]]) -> Vec<u8> {
        [&[tag, 0x80], &contents.concat()[..], &[0, 0]].concat()
    }

    const DATA: [u8; 11] = [0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x07, 0x01];

    #[test]
    fn what_is_signed_is_read_in_der_and_in_ber() {
        let head = [&der(2, &[&[1]])[..], &der(0x31, &[&der(0x30, &[])])].concat();
        let inner = der(0x30, &[&DATA, &der(0xa0, &[&der(4, &[b"FWS and so on"])])]);
        let file = der(0x30, &[&SIGNED, &der(0xa0, &[&der(0x30, &[&head, &inner, &der(0x31, &[])])])]);
        assert!(is_signed(&file));
        assert_eq!(signed(&file).as_deref(), Some(&b"FWS and so on"[..]));
        let pieces = open(0x24, &[&der(4, &[b"FWS\0\0 and"]), &der(4, &[b" so on"])]);
        let inner = open(0x30, &[&DATA, &open(0xa0, &[&pieces])]);
        let file = open(0x30, &[&SIGNED, &open(0xa0, &[&open(0x30, &[&head, &inner, &der(0x31, &[])])])]);
        assert!(is_signed(&file));
        assert_eq!(signed(&file).as_deref(), Some(&b"FWS\0\0 and so on"[..]));
        for length in 0..file.len() {
            signed(&file[..length]);
        }
    }
}
