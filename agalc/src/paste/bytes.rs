//! Bytecode that is written as hexadecimal digits, as a debugger's dump with offsets, or in base64.
//!
//! Rule: the entire text has one form, and the decoded bytes begin like AGAL bytecode. A long run of digits is read as bytes
//! regardless of its first byte, because such digits cannot be source text in any language.

use std::ops::Range;

use super::form::PasteForm;
use super::pieced::Pieced;

/// Bytes that were decoded from text, and the position at which each byte is written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Written {
    pub(crate) bytes: Vec<u8>,
    places: Vec<Range<usize>>,
}

/// The length of AGAL's header in bytes, which is also the minimum length of recognised bytecode.
const HEADER: usize = 7;
/// The length of a program with one token, in bytes.
const SHORTEST: usize = 31;
/// The maximum distance in the text between adjacent bytes that are reported as one range.
const NEAR: usize = 8;
/// The maximum number of bytes on one line of a dump.
const WIDEST: usize = 64;

impl Written {
    /// Adds a byte that is written as two characters.
    fn push(&mut self, byte: u8, at: usize) {
        self.bytes.push(byte);
        self.places.push(at..at + 2);
    }

    /// Returns the range of the text that encodes a range of bytes. The result ends at the first interruption by other
    /// text.
    pub(crate) fn written(&self, range: Range<usize>) -> Range<usize> {
        let places = self.places.get(range.clone()).unwrap_or_default();
        let is_near = |pair: &&[Range<usize>]| matches!(pair, [a, b] if (a.start..=a.start + NEAR).contains(&b.start));
        let near = places.windows(2).take_while(is_near).count();
        match places.first().zip(places.get(near)) {
            Some((first, last)) => first.start..last.end,
            None => {
                let end = self.places.last().map_or(0, |last| last.end);
                let start = self.places.get(range.start).map_or(end, |place| place.start);
                start..start
            }
        }
    }

    /// Converts positions in the contents of a literal to positions in the source.
    pub(super) fn of_literal(mut self, literal: &Pieced) -> Written {
        self.places.iter_mut().for_each(|at| *at = literal.written(at.clone()));
        self
    }

    fn begins_as_agal(&self) -> bool {
        matches!(self.bytes.first(), Some(0xa0 | 0xb0)) && self.bytes.len() >= HEADER
    }

    /// Splits the bytes into programs. Each program after the first begins on a new line, after a complete token of the previous
    /// program.
    fn programs(self, text: &str) -> Vec<Written> {
        let is_header = |at: usize| {
            let header = self.bytes.get(at..at + HEADER);
            header.is_some_and(|header| matches!(header, [0xa0, _, 0, 0, 0, 0xa1, 0 | 1]))
        };
        let begins_line = |at: usize| {
            let between = self.places.get(at - 1).zip(self.places.get(at));
            let between = between.and_then(|(from, to)| text.get(from.start..to.start));
            between.is_some_and(|between| between.contains(['\n', '\r']))
        };
        let mut starts = vec![0];
        for at in 1..self.bytes.len() {
            let length = at - starts.last().copied().unwrap_or_default();
            let is_whole = length >= SHORTEST && (length - HEADER).is_multiple_of(SHORTEST - HEADER);
            if is_whole && is_header(at) && begins_line(at) {
                starts.push(at);
            }
        }
        let ends = starts.iter().skip(1).copied().chain([self.bytes.len()]);
        let part = |(start, end): (usize, usize)| Written {
            bytes: self.bytes.get(start..end).unwrap_or_default().to_vec(),
            places: self.places.get(start..end).unwrap_or_default().to_vec(),
        };
        starts.iter().copied().zip(ends).map(part).collect()
    }
}

/// Decodes text that consists entirely of encoded bytes, as one program or several.
pub(super) fn read(text: &str) -> Option<(PasteForm, Vec<Written>)> {
    let first = text.trim_start().chars().next()?;
    if !(first.is_ascii_alphanumeric() || "[{(\\+/-_".contains(first)) {
        return None;
    }
    let dump = || Some((PasteForm::Dump, dump(text).filter(Written::begins_as_agal)?));
    let digits = || Some((PasteForm::Hexadecimal, digits(text)?));
    let base64 = || Some((PasteForm::Base64, base64(text)?));
    let (form, written) = dump().or_else(digits).or_else(base64)?;
    Some((form, written.programs(text)))
}

/// Returns the bytes whose values are the character codes of the text.
pub(super) fn of_characters(text: &Pieced) -> Option<Written> {
    let mut written = Written::default();
    for (at, c) in text.as_str().char_indices() {
        written.bytes.push(u8::try_from(u32::from(c)).ok()?);
        written.places.push(text.written(at..at + c.len_utf8()));
    }
    Some(written)
}

/// Decodes hexadecimal digits, two for each byte. A byte may follow `0x` or `\x`, and white space, commas and brackets may
/// separate bytes.
fn digits(text: &str) -> Option<Written> {
    let mut written = Written::default();
    let mut rest = text.char_indices().peekable();
    while let Some((at, c)) = rest.next() {
        match c {
            c if c.is_whitespace() || ",;[](){}\u{feff}".contains(c) => {}
            '\\' => {
                rest.next_if(|(_, next)| *next == 'x')?;
            }
            '0' if rest.next_if(|(_, next)| matches!(next, 'x' | 'X')).is_some() => {}
            c => {
                let (_, low) = rest.next()?;
                let byte = 16 * c.to_digit(16)? + low.to_digit(16)?;
                written.push(u8::try_from(byte).ok()?, at);
            }
        }
    }
    (written.begins_as_agal() || written.bytes.len() >= SHORTEST).then_some(written)
}

/// A line of a dump, with its stated offset and its digits. The digits begin at the byte `at` of the text.
struct Row<'a> {
    offset: usize,
    digits: &'a str,
    at: usize,
    has_colon: bool,
}

fn row(line: &str, start: usize) -> Option<Row<'_>> {
    let indent = line.len() - line.trim_start().len();
    let inside = line.get(indent..)?;
    let prefix = if inside.starts_with("0x") || inside.starts_with("0X") { 2 } else { 0 };
    let number = inside.get(prefix..)?;
    let length = number.find(|c: char| !c.is_ascii_hexdigit()).unwrap_or(number.len());
    let offset = usize::from_str_radix(number.get(..length).filter(|_| (4..=8).contains(&length))?, 16).ok()?;
    let after = number.get(length..)?;
    let after = after.strip_prefix(['h', 'H']).unwrap_or(after);
    let (after, has_colon) = after.strip_prefix(':').map_or((after, false), |after| (after, true));
    let is_separate = has_colon || after.is_empty() || after.starts_with([' ', '\t']);
    let at = start + line.len() - after.len();
    is_separate.then_some(Row { offset, digits: after, at, has_colon })
}

/// Decodes a dump, in which each line has an offset, bytes, and optionally the same bytes as characters. The number of bytes on a
/// line is the difference between the line's offset and the next line's offset.
fn dump(text: &str) -> Option<Written> {
    let mut rows = Vec::new();
    let mut start = 0;
    for line in text.split('\n') {
        if !line.trim().is_empty() {
            rows.push(row(line, start)?);
        }
        start += line.len() + 1;
    }
    let mut written = Written::default();
    let mut next = rows.iter().skip(1).map(|row| row.offset);
    let mut usual = WIDEST;
    for row in &rows {
        let count = match next.next() {
            Some(next) => Some(next.checked_sub(row.offset).filter(|count| (1..=WIDEST).contains(count))?),
            None => None,
        };
        bytes_of(row, count, usual, &mut written)?;
        usual = count.unwrap_or(usual);
    }
    Some(written)
}

/// Decodes `count` bytes of a line. If `count` is `None`, decodes at most `most` bytes and stops at text that is not a byte.
fn bytes_of(row: &Row<'_>, count: Option<usize>, most: usize, written: &mut Written) -> Option<()> {
    let limit = count.unwrap_or(most);
    let mut read = 0;
    let mut at = 0;
    while read < limit {
        let rest = row.digits.get(at..)?;
        let space = rest.len() - rest.trim_start_matches([' ', '\t', '-']).len();
        let group = rest.get(space..)?;
        let length = group.find(|c: char| !c.is_ascii_hexdigit()).unwrap_or(group.len());
        let is_end = length == 0 || length % 2 != 0 || row.has_colon && read > 0 && space > 1;
        if is_end && count.is_none() {
            return Some(());
        }
        if length == 0 || length % 2 != 0 {
            return None;
        }
        for pair in (0..length / 2).take(limit - read) {
            let byte = group.get(2 * pair..2 * pair + 2)?;
            written.push(u8::from_str_radix(byte, 16).ok()?, row.at + at + space + 2 * pair);
            read += 1;
        }
        at += space + length;
    }
    Some(())
}

/// Decodes base64 in the standard or the URL-safe alphabet, on one line or several.
fn base64(text: &str) -> Option<Written> {
    let mut written = Written::default();
    let (mut bits, mut count, mut first, mut is_ended) = (0u32, 0u32, 0, false);
    for (at, c) in text.char_indices() {
        let value = match c {
            'A'..='Z' => u32::from(c) - u32::from('A'),
            'a'..='z' => u32::from(c) - u32::from('a') + 26,
            '0'..='9' => u32::from(c) - u32::from('0') + 52,
            '+' | '-' => 62,
            '/' | '_' => 63,
            '=' => {
                is_ended = true;
                continue;
            }
            c if c.is_whitespace() => continue,
            _ => return None,
        };
        if is_ended {
            return None;
        }
        if count == 0 {
            first = at;
        }
        bits = bits << 6 | value;
        count += 6;
        if count >= 8 {
            count -= 8;
            written.push(u8::try_from(bits >> count & 0xff).ok()?, first);
            bits &= (1 << count) - 1;
            first = at;
        }
    }
    matches!(written.bytes[..], [0xa0, _, 0, 0, 0, 0xa1, ..]).then_some(written)
}

#[cfg(test)]
mod tests {
    use super::*;

    const BYTES: [u8; 31] =
        [0xa0, 1, 0, 0, 0, 0xa1, 1, 0, 0, 0, 0, 0, 0, 0xf, 3, 0, 0, 0, 0xe4, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];

    fn spaced(between: &str) -> String {
        BYTES.map(|byte| format!("{byte:02x}")).join(between)
    }

    #[test]
    fn digits_are_read_with_anything_usual_between_them() {
        let texts = [
            spaced(""),
            spaced(" "),
            spaced(",").to_uppercase(),
            format!("[0x{}]", spaced(", 0x")),
            format!("\\x{}", spaced("\\x")),
            format!("{}\n  {}\n", &spaced("")[..31 * 2 - 10], &spaced("")[31 * 2 - 10..]),
        ];
        for text in texts {
            let (form, programs) = read(&text).expect("bytes");
            assert_eq!((form, &programs[0].bytes[..]), (PasteForm::Hexadecimal, &BYTES[..]), "{text}");
            let digits = text.get(programs[0].written(18..20)).expect("digits").to_lowercase();
            assert!(digits.starts_with("e4") && digits.ends_with("04"), "{digits}");
        }
    }

    #[test]
    fn dumps_of_usual_tools_are_read() {
        let rows = |line: &dyn Fn(usize, &[u8]) -> String| {
            BYTES.chunks(16).enumerate().map(|(number, bytes)| line(16 * number, bytes)).collect::<String>()
        };
        let hex = |bytes: &[u8], size: usize| {
            let group = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
            bytes.chunks(size).map(group).collect::<Vec<_>>().join(" ")
        };
        let with_end = |text: String| text + "0000001f\n";
        let texts = [
            rows(&|at, bytes| format!("{at:08x}: {:<40} ab.cd.\n", hex(bytes, 2))),
            rows(&|at, bytes| format!("{at:04X}  {}\r\n", hex(bytes, 1).to_uppercase())),
            with_end(rows(&|at, bytes| {
                let (left, right) = bytes.split_at(8);
                format!("{at:08x}  {}  {} |aabb..cc|\n", hex(left, 1), hex(right, 1))
            })),
            rows(&|at, bytes| format!("0x{at:04x}: {}\n", hex(bytes, 1))),
        ];
        for text in texts {
            let (form, programs) = read(&text).expect("bytes");
            assert_eq!(form, PasteForm::Dump, "{text}");
            assert_eq!(programs[0].bytes, BYTES, "{text}");
            assert_eq!(text.get(programs[0].written(18..19)).map(str::to_lowercase).as_deref(), Some("e4"), "{text}");
        }
    }

    #[test]
    fn base64_is_read() {
        let text = "oAEAAAChAQAA\nAAAAAA8DAAAA5AQAAAAAAAAAAAAAAA==";
        let (form, programs) = read(text).expect("bytes");
        assert_eq!((form, &programs[0].bytes[..]), (PasteForm::Base64, &BYTES[..]));
        assert_eq!(read("oAEAAACh!"), None);
    }

    #[test]
    fn two_programs_are_told_apart_where_a_line_begins() {
        let (_, programs) = read(&format!("{}\n{}\n", spaced(""), spaced(""))).expect("bytes");
        assert_eq!(programs.len(), 2);
        assert_eq!(programs[1].written(0..1), 63..65);
        let (_, programs) = read(&format!("{} {}", spaced(""), spaced(""))).expect("bytes");
        assert_eq!(programs.len(), 1);
    }

    #[test]
    fn other_texts_are_not_bytes() {
        for text in
            ["", "add", "mov oc, v0", "a0", "a0010000", "abba cafe", "oAEA", "0000: zz", "12345678", "[1, 2]", "é"]
        {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
