//! The decoded text of an input.
//!
//! Text is UTF-8, or UTF-16 in either byte order. UTF-16 without a byte order mark must begin with an ASCII character, contain no
//! control characters except white space, and be at least a quarter printable ASCII. A byte that is not part of a valid UTF-8
//! character is read as Windows-1252 (Latin-1 with additional characters), the encoding that old editors wrote. Offsets refer to
//! the decoded text, and [`Text::offset_in_file`] converts them to offsets in the file.

use std::fmt;
use std::ops::Range;

use agal_front::Stage;
use agal_front::assemble::parts;

/// The decoded text of an input, in UTF-8 without a byte order mark.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Text {
    text: String,
    encoding: Encoding,
    /// Pairs of corresponding offsets in the decoded text and in the file, in ascending order. Offsets between two pairs are
    /// computed from the earlier pair.
    marks: Vec<(usize, usize)>,
}

/// The encoding of a text file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Encoding {
    /// UTF-8, with or without a byte order mark.
    #[default]
    Utf8,
    /// Windows-1252, for bytes that are not valid UTF-8.
    Windows1252,
    /// UTF-16 with the low byte of each unit first.
    Utf16LittleEndian,
    /// UTF-16 with the high byte of each unit first.
    Utf16BigEndian,
}

/// Writes the encoding's name, such as `UTF-16 (little endian)`.
impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Encoding::Utf8 => "UTF-8",
            Encoding::Windows1252 => "Windows-1252",
            Encoding::Utf16LittleEndian => "UTF-16 (little endian)",
            Encoding::Utf16BigEndian => "UTF-16 (big endian)",
        })
    }
}

/// The minimum distance between two entries of `marks` for UTF-16 text, in bytes of decoded text.
const STEP: usize = 256;
/// The minimum length of UTF-16 text without a byte order mark, and the maximum length that is examined, in UTF-16 units.
const FEWEST_UNITS: usize = 4;
const MOST_UNITS: usize = 2048;

/// The Windows-1252 characters for the bytes 0x80 to 0x9F, which are the only bytes whose meaning differs from Latin-1.
const ABOVE_ASCII: [char; 32] = [
    '€', '\u{fffd}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{fffd}', 'Ž', '\u{fffd}', '\u{fffd}',
    '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{fffd}', 'ž', 'Ÿ',
];

fn windows_1252(byte: u8) -> char {
    let above = usize::from(byte).checked_sub(0x80).and_then(|index| ABOVE_ASCII.get(index));
    above.copied().unwrap_or(char::from(byte))
}

impl Text {
    /// Decodes bytes as text. Decoding never fails.
    pub(crate) fn decode(bytes: &[u8]) -> Text {
        #[cfg(test)]
        super::once::DECODED.with(|count| count.set(count.get() + 1));
        if let Some((encoding, mark)) = utf16(bytes) {
            return Text::decode_utf16(bytes, encoding, mark);
        }
        let mark = if bytes.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
        let bytes = bytes.get(mark..).unwrap_or_default();
        let mut text =
            Text { text: String::with_capacity(bytes.len()), encoding: Encoding::Utf8, marks: vec![(0, mark)] };
        let mut in_file = mark;
        for chunk in bytes.utf8_chunks() {
            text.text += chunk.valid();
            in_file += chunk.valid().len();
            for &byte in chunk.invalid() {
                text.encoding = Encoding::Windows1252;
                text.text.push(windows_1252(byte));
                in_file += 1;
                text.marks.push((text.text.len(), in_file));
            }
        }
        text
    }

    /// Decodes UTF-16, replacing unpaired surrogates with U+FFFD.
    fn decode_utf16(bytes: &[u8], encoding: Encoding, mark: usize) -> Text {
        let mut text = Text { text: String::with_capacity(bytes.len() / 2), encoding, marks: vec![(0, mark)] };
        let units = bytes.get(mark..).unwrap_or_default().as_chunks().0.iter().map(|&unit| match encoding {
            Encoding::Utf16BigEndian => u16::from_be_bytes(unit),
            _ => u16::from_le_bytes(unit),
        });
        let mut in_file = mark;
        for c in char::decode_utf16(units) {
            let c = c.unwrap_or(char::REPLACEMENT_CHARACTER);
            if text.marks.last().is_none_or(|(at, _)| text.text.len() - at >= STEP) {
                text.marks.push((text.text.len(), in_file));
            }
            text.text.push(c);
            in_file += 2 * c.len_utf16();
        }
        text
    }

    /// Returns the decoded text.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns the encoding of the file.
    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// Reports whether the file was valid UTF-8.
    pub fn is_utf8(&self) -> bool {
        self.encoding == Encoding::Utf8
    }

    /// Converts a byte offset in the decoded text to the corresponding offset in the file.
    pub fn offset_in_file(&self, at: usize) -> usize {
        let mark = self.marks.partition_point(|(mark, _)| *mark <= at).checked_sub(1);
        let Some(&(mark, in_file)) = mark.and_then(|mark| self.marks.get(mark)) else { return at };
        match self.encoding {
            Encoding::Utf8 | Encoding::Windows1252 => in_file + (at - mark),
            Encoding::Utf16LittleEndian | Encoding::Utf16BigEndian => {
                let between = self.text.get(mark..at.min(self.text.len())).unwrap_or_default();
                in_file + between.chars().map(|c| 2 * c.len_utf16()).sum::<usize>()
            }
        }
    }

    /// Returns the line number of a byte offset, counted from 1. Lines end with CR, LF or CR LF.
    pub(crate) fn line(&self, at: usize) -> usize {
        position(&self.text, at).0
    }

    /// Returns the offset of the first character that was not UTF-8 in the file, or 0 if the encoding is not Windows-1252.
    pub(crate) fn first_stray(&self) -> usize {
        let end = self.marks.get(1).filter(|_| self.encoding == Encoding::Windows1252).map_or(0, |(end, _)| *end);
        self.text.get(..end).and_then(|before| before.char_indices().next_back()).map_or(0, |(at, _)| at)
    }
}

/// Returns the line and the column of a byte offset, both counted from 1. Lines end with CR, LF or CR LF.
pub(crate) fn position(text: &str, at: usize) -> (usize, usize) {
    let before = text.get(..at).unwrap_or(text);
    let is_end = |c: char| c == '\n' || c == '\r';
    let ends = before.bytes().filter(|&byte| is_end(char::from(byte))).count();
    let both = before.as_bytes().windows(2).filter(|pair| pair == b"\r\n").count();
    (1 + ends - both, 1 + before.chars().rev().take_while(|&c| !is_end(c)).count())
}

/// Detects UTF-16 text, and returns its encoding and the length of its byte order mark in bytes.
pub(crate) fn utf16(bytes: &[u8]) -> Option<(Encoding, usize)> {
    let is_plain = |unit: u16| matches!(unit, 0x09 | 0x0a | 0x0d | 0x20..=0x7e);
    match bytes {
        // The bytes FF FE 00 00 are the byte order mark of UTF-32.
        [0xff, 0xfe, 0, 0, ..] => return None,
        [0xff, 0xfe, ..] => return Some((Encoding::Utf16LittleEndian, 2)),
        [0xfe, 0xff, ..] => return Some((Encoding::Utf16BigEndian, 2)),
        // The UTF-16 unit of an ASCII character has exactly one zero byte.
        [first, second, ..] if (*first == 0) != (*second == 0) => {}
        _ => return None,
    }
    let units: Vec<[u8; 2]> = bytes.as_chunks().0.iter().copied().take(MOST_UNITS).collect();
    // The limit on units may separate the two surrogates of the last character.
    let is_character = |c: Result<char, std::char::DecodeUtf16Error>, is_last: bool| match c {
        Ok(c) => !c.is_control() || matches!(c, '\t' | '\n' | '\r' | '\x0b' | '\x0c'),
        Err(_) => is_last,
    };
    let plain = |read: fn([u8; 2]) -> u16| {
        let mut text = char::decode_utf16(units.iter().map(|&unit| read(unit))).peekable();
        let mut is_text = units.first().is_some_and(|&first| is_plain(read(first)));
        while let Some(c) = text.next() {
            is_text &= is_character(c, text.peek().is_none());
        }
        let plain = units.iter().filter(|&&unit| is_plain(read(unit))).count();
        // Only a quarter of the units need to be ASCII, because comments may be in any language.
        if is_text && units.len() >= FEWEST_UNITS && 4 * plain >= units.len() { plain } else { 0 }
    };
    match (plain(u16::from_le_bytes), plain(u16::from_be_bytes)) {
        (0, 0) => None,
        (little, big) if little >= big => Some((Encoding::Utf16LittleEndian, 0)),
        _ => Some((Encoding::Utf16BigEndian, 0)),
    }
}

/// Finds the comments of AGAL text, which extend from `//` to the end of the line or, in the macro language, from `/*` to `*/`.
pub(crate) fn agal_comments(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut next = 0;
    std::iter::from_fn(move || {
        let rest = text.get(next..)?;
        let is_comment = |at: &usize| rest.get(*at..).is_some_and(|at| at.starts_with("//") || at.starts_with("/*"));
        let start = next + rest.match_indices('/').map(|(at, _)| at).find(is_comment)?;
        let inside = text.get(start..)?;
        let length = match inside.starts_with("//") {
            true => inside.find(['\n', '\r', '\x0b', '\x0c']),
            false => inside.get(2..).and_then(|inside| inside.find("*/")).map(|length| length + 4),
        };
        next = start + length.unwrap_or(inside.len());
        Some(start..next)
    })
}

/// Reports whether bytes are binary data. Data is binary if it is empty, begins like bytecode, or has a NUL in its first 512
/// bytes. Data is also binary if at least a quarter of these bytes do not occur in text. Text may contain a few control codes,
/// such as terminal colours, or bytes in another encoding.
pub(crate) fn is_binary(bytes: &[u8]) -> bool {
    if utf16(bytes).is_some() {
        return false;
    }
    let beginning = bytes.get(..512).unwrap_or(bytes);
    if matches!(beginning.first(), None | Some(0xa0 | 0xb0)) || beginning.contains(&0) {
        return true;
    }
    let is_control = |&&byte: &&u8| byte < 0x20 && !matches!(byte, b'\t' | b'\n' | b'\r' | 0x0b | 0x0c);
    let invalid: usize = beginning.utf8_chunks().map(|chunk| chunk.invalid().len()).sum();
    4 * (beginning.iter().filter(is_control).count() + invalid) >= beginning.len()
}

pub(crate) fn has_both_parts(text: &str) -> bool {
    let parts = parts(text);
    let has = |stage| parts.iter().any(|part| part.stage == Some(stage));
    has(Stage::Vertex) && has(Stage::Fragment)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_may_have_some_bytes_that_are_not_text() {
        for text in ["// \x1b[31m red \x1b[0m\nmov oc, v0\n", "mov oc, v0\n\x1a"] {
            assert!(!is_binary(text.as_bytes()), "{text:?}");
        }
        assert!(!is_binary(b"\xa9 2012 by its author\nmov oc, v0\n"));
        for bytes in [&b""[..], b"\xa0\x01", b"mov\0", b"\x01\x02\x03mov", b"\xff\xfd\xfd\xfcmov"] {
            assert!(is_binary(bytes), "{bytes:?}");
        }
    }

    #[test]
    fn invalid_utf8_is_read_as_windows_1252_and_offsets_are_converted() {
        let bytes = b"\xef\xbb\xbf// caf\xe9 \x80 \x93na\xc3\xafve\x94\nmov oc, v0";
        let text = Text::decode(bytes);
        assert_eq!(text.as_str(), "// café € “naïve”\nmov oc, v0");
        for word in ["//", "naïve", "mov", "v0"] {
            let at = text.as_str().find(word).expect("the word");
            let in_file = text.offset_in_file(at);
            assert!(bytes[in_file..].starts_with(word.as_bytes()), "{word} at {in_file}");
        }
        assert_eq!(text.offset_in_file(text.as_str().len()), bytes.len());
    }

    #[test]
    fn utf16_is_read_and_offsets_are_converted() {
        let source = "// caf\u{e9} \u{1f600} nai\u{308}ve\n".repeat(40) + "mov oc, v0";
        let encoded = |encode: fn(u16) -> [u8; 2]| source.encode_utf16().flat_map(encode).collect::<Vec<u8>>();
        let files = [
            ([&b"\xff\xfe"[..], &encoded(u16::to_le_bytes)].concat(), Encoding::Utf16LittleEndian),
            ([&b"\xfe\xff"[..], &encoded(u16::to_be_bytes)].concat(), Encoding::Utf16BigEndian),
        ];
        for (bytes, encoding) in files {
            let text = Text::decode(&bytes);
            assert_eq!((text.as_str(), text.encoding()), (&source[..], encoding));
            for at in source.char_indices().map(|(at, _)| at) {
                let expected = 2 + 2 * source[..at].encode_utf16().count();
                assert_eq!(text.offset_in_file(at), expected);
            }
            assert_eq!(text.offset_in_file(source.len()), bytes.len());
        }
    }

    #[test]
    fn plain_utf16_needs_no_mark() {
        let little: Vec<u8> = "mov oc, v0".encode_utf16().flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> = "mov oc, v0".encode_utf16().flat_map(u16::to_be_bytes).collect();
        for (bytes, encoding) in [(little, Encoding::Utf16LittleEndian), (big, Encoding::Utf16BigEndian)] {
            let text = Text::decode(&bytes);
            assert_eq!((text.as_str(), text.encoding(), text.offset_in_file(4)), ("mov oc, v0", encoding, 8));
        }
        let mixed = "// gr\u{fc}\u{df}e \u{2013} \u{65e5}\u{672c}\u{8a9e} \u{1f600}\n\"mov oc, v0\"\n";
        for (encode, encoding) in [
            (u16::to_le_bytes as fn(u16) -> [u8; 2], Encoding::Utf16LittleEndian),
            (u16::to_be_bytes, Encoding::Utf16BigEndian),
        ] {
            let mut bytes: Vec<u8> = mixed.encode_utf16().flat_map(encode).collect();
            assert_eq!((Text::decode(&bytes).as_str(), Text::decode(&bytes).encoding()), (mixed, encoding));
            bytes.push(b'\n');
            assert_eq!(Text::decode(&bytes).encoding(), encoding);
            let long = mixed.repeat(500);
            let bytes: Vec<u8> = long.encode_utf16().flat_map(encode).collect();
            assert_eq!(Text::decode(&bytes).as_str(), long);
        }
        for bytes in [&b"m\0o"[..], b"\xa0\x01\0\0\0\xa1\0\0", b"a\0b\0c\0\x01\0", b"\xff\xfe\0\0a\0\0\0", b"", b"\0"] {
            assert_eq!(utf16(bytes), None, "{bytes:x?}");
        }
    }

    #[test]
    fn comments_are_found() {
        let texts = |text: &'static str| agal_comments(text).map(|range| &text[range]).collect::<Vec<_>>();
        assert_eq!(texts("a//b /* c\rd/*e//\nf*/g//"), ["//b /* c", "/*e//\nf*/", "//"]);
        assert_eq!(texts("a /* b"), ["/* b"]);
    }

    #[test]
    fn lines_end_with_cr_lf_or_both() {
        let text = Text::decode(b"a\rb\r\nc\nd");
        assert_eq!(["a", "b", "c", "d"].map(|word| text.line(text.as_str().find(word).expect("it"))), [1, 2, 3, 4]);
    }
}
