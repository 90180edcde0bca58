//! Escapes control characters in text for terminals and messages.
//!
//! Rule: names, source lines and the contents of files are untrusted. Control characters, characters that change the direction of
//! text, and unusual line separators are escaped, so that they never reach a terminal.

use std::borrow::Cow;
use std::path::Path;

/// Reports whether a terminal might interpret a character or display it misleadingly.
pub fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{061c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Escapes control characters, except line feeds and tabs, in multi-line text.
pub fn text(text: &str) -> Cow<'_, str> {
    escaped(text, |c| is_hidden(c) && !matches!(c, '\n' | '\t'))
}

/// Escapes control characters in a name, including line feeds and tabs.
pub fn name(name: &str) -> Cow<'_, str> {
    escaped(name, is_hidden)
}

fn escaped(text: &str, hidden: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&hidden) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        if hidden(c) { shown.extend(c.escape_unicode()) } else { shown.push(c) }
    }
    Cow::Owned(shown)
}

/// Escapes control characters in a path. Bytes that are not valid UTF-8 become `\x` escapes.
pub fn path(path: &Path) -> String {
    let mut shown = String::new();
    for chunk in path.as_os_str().as_encoded_bytes().utf8_chunks() {
        shown += &name(chunk.valid());
        for byte in chunk.invalid() {
            shown += &format!("\\x{byte:02x}");
        }
    }
    shown
}

/// Source text with a replacement character for each control character, and a map from original byte offsets to new byte offsets.
/// The replacements keep every column unchanged.
#[derive(Debug)]
pub struct Lines {
    /// The source text after the replacement of control characters.
    pub text: String,
    /// The offsets, before and after the replacement, of the end of each character whose length in bytes changed.
    shifts: Vec<(usize, usize)>,
}

impl Lines {
    /// Replaces control characters. A CR without an LF becomes an LF.
    pub fn new(text: &str) -> Lines {
        let mut lines = Lines { text: String::with_capacity(text.len()), shifts: Vec::new() };
        let mut rest = text.char_indices().peekable();
        while let Some((at, c)) = rest.next() {
            let follows = rest.peek().map(|&(_, next)| next);
            let shown = match c {
                '\t' | '\n' => c,
                '\r' if follows == Some('\n') => c,
                '\r' => '\n',
                // Unicode's control pictures are in the same order as the control characters.
                '\0'..='\x1f' => char::from_u32(0x2400 + u32::from(c)).unwrap_or(char::REPLACEMENT_CHARACTER),
                '\x7f' => '\u{2421}',
                c if is_hidden(c) => char::REPLACEMENT_CHARACTER,
                c => c,
            };
            lines.text.push(shown);
            if shown.len_utf8() != c.len_utf8() {
                lines.shifts.push((at + c.len_utf8(), lines.text.len()));
            }
        }
        lines
    }

    /// Maps a byte offset in the original text to a byte offset in the replaced text.
    pub fn place(&self, at: usize) -> usize {
        let shifted = self.shifts.partition_point(|(before, _)| *before <= at);
        let last = shifted.checked_sub(1).and_then(|last| self.shifts.get(last));
        last.map_or(at, |(before, now)| now + (at - before))
    }
}

#[cfg(test)]
mod tests {
    use super::{Lines, name, path, text};

    #[test]
    fn control_characters_are_escaped() {
        assert_eq!(name("a\u{1b}[31m\tb\n\u{9b}\u{202e}"), "a\\u{1b}[31m\\u{9}b\\u{a}\\u{9b}\\u{202e}");
        assert_eq!(text("a\tb\n\u{7}"), "a\tb\n\\u{7}");
        assert_eq!(name("größe 猫"), "größe 猫");
    }

    #[cfg(unix)]
    #[test]
    fn bytes_that_are_not_utf8_are_escaped() {
        use std::os::unix::ffi::OsStrExt;
        assert_eq!(path(std::ffi::OsStr::from_bytes(b"a\xff\x1b.agal").as_ref()), "a\\xff\\u{1b}.agal");
    }

    #[test]
    fn a_line_keeps_its_columns_and_offsets_are_mapped() {
        let lines = Lines::new("a\u{1b}b\u{202e}c\rd\r\n\u{9b}e");
        assert_eq!(lines.text, "a\u{241b}b\u{fffd}c\nd\r\n\u{fffd}e");
        for (before, c) in "a\u{1b}b\u{202e}c\rd\r\n\u{9b}e".char_indices().filter(|(_, c)| c.is_ascii_alphabetic()) {
            assert!(lines.text[lines.place(before)..].starts_with(c), "{c}");
        }
    }
}
