//! The text of an input.
//!
//! A text is UTF-8. A byte that is not part of a valid UTF-8 character is read as Windows-1252 (Latin-1 with additional
//! characters), which old editors wrote; all other bytes are kept. This is only accepted in comments: in code such a byte is
//! an error. Offsets refer to the text as decoded here, and [`Text::offset_in_file`] converts them to the file's.

use std::ops::Range;

/// A decoded text: UTF-8 without a byte order mark.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Text {
    text: String,
    /// The length of the byte order mark.
    mark: usize,
    strays: Vec<Stray>,
}

/// A character that was an invalid byte in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stray {
    /// Its offset in the text.
    at: usize,
    /// The bytes that this character and all such characters before it have in addition to those in the file.
    surplus: usize,
}

/// The characters 80 to 9F of Windows-1252, where it differs from Latin-1.
const ABOVE_ASCII: [char; 32] = [
    '€', '\u{fffd}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{fffd}', 'Ž', '\u{fffd}', '\u{fffd}',
    '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{fffd}', 'ž', 'Ÿ',
];

fn windows_1252(byte: u8) -> char {
    let above = usize::from(byte).checked_sub(0x80).and_then(|index| ABOVE_ASCII.get(index));
    above.copied().unwrap_or(char::from(byte))
}

impl Text {
    /// Decodes any bytes as text.
    pub(crate) fn decode(bytes: &[u8]) -> Text {
        let (mark, bytes) = match bytes.strip_prefix(b"\xef\xbb\xbf") {
            Some(rest) => (3, rest),
            None => (0, bytes),
        };
        let mut text = Text { text: String::with_capacity(bytes.len()), mark, strays: Vec::new() };
        let mut surplus = 0;
        for chunk in bytes.utf8_chunks() {
            text.text += chunk.valid();
            for &byte in chunk.invalid() {
                let (at, c) = (text.text.len(), windows_1252(byte));
                surplus += c.len_utf8() - 1;
                text.text.push(c);
                text.strays.push(Stray { at, surplus });
            }
        }
        text
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Whether the file was valid UTF-8.
    pub fn is_utf8(&self) -> bool {
        self.strays.is_empty()
    }

    /// Converts an offset in the text to one in the file.
    pub fn offset_in_file(&self, at: usize) -> usize {
        let before = self.strays.partition_point(|stray| stray.at < at);
        let surplus = before.checked_sub(1).and_then(|last| self.strays.get(last)).map_or(0, |stray| stray.surplus);
        (at + self.mark).saturating_sub(surplus)
    }

    /// Returns the line of an offset in the text, counted from 1. Lines end with CR, LF or both.
    pub(crate) fn line(&self, at: usize) -> usize {
        let before = self.text.get(..at).unwrap_or(&self.text).as_bytes();
        let returns = before.iter().filter(|&&byte| byte == b'\r').count();
        let feeds = before.iter().filter(|&&byte| byte == b'\n').count();
        let both = before.windows(2).filter(|pair| pair == b"\r\n").count();
        1 + returns + feeds - both
    }

    /// Returns the offset of the first byte that was not UTF-8.
    pub(crate) fn first_stray(&self) -> Option<usize> {
        self.strays.first().map(|stray| stray.at)
    }

    /// Returns the offset of the first byte that was not UTF-8 and is not in a comment. The comments are in order.
    pub(crate) fn first_stray_in_code(&self, comments: impl Iterator<Item = Range<usize>>) -> Option<usize> {
        let mut comments = comments.peekable();
        self.strays.iter().map(|stray| stray.at).find(|at| {
            while comments.next_if(|comment| comment.end <= *at).is_some() {}
            !comments.peek().is_some_and(|comment| comment.contains(at))
        })
    }
}

/// Finds the comments of AGAL text: `//` to the end of the line, and `/*` to `*/` in the macro language.
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

/// Finds the comments of a module's text: `;` to the end of the line, outside strings.
pub(crate) fn module_comments(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut next = 0;
    text.split_inclusive('\n').filter_map(move |line| {
        let start = next;
        next += line.len();
        let (mut in_string, mut is_escaped) = (false, false);
        let at = line.bytes().position(|byte| {
            match byte {
                _ if is_escaped => is_escaped = false,
                b'\\' if in_string => is_escaped = true,
                b'"' => in_string = !in_string,
                b';' => return !in_string,
                _ => {}
            }
            false
        })?;
        Some(start + at..next)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn comments_are_found() {
        let texts = |text: &'static str| agal_comments(text).map(|range| &text[range]).collect::<Vec<_>>();
        assert_eq!(texts("a//b /* c\rd/*e//\nf*/g//"), ["//b /* c", "/*e//\nf*/", "//"]);
        assert_eq!(texts("a /* b"), ["/* b"]);
        let texts = |text: &'static str| module_comments(text).map(|range| &text[range]).collect::<Vec<_>>();
        assert_eq!(texts("a \"b;c\\\";\" ; d\n;e\n\"f\ng ;h"), ["; d\n", ";e\n", ";h"]);
    }

    #[test]
    fn lines_end_with_cr_lf_or_both() {
        let text = Text::decode(b"a\rb\r\nc\nd");
        assert_eq!(["a", "b", "c", "d"].map(|word| text.line(text.as_str().find(word).expect("it"))), [1, 2, 3, 4]);
    }
}
