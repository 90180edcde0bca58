//! How words, comments and literals of ActionScript and Haxe are written: what pastes and sources have in common.

use std::ops::Range;

/// What begins a literal in XML, and what ends it.
pub const CDATA: (&str, &str) = ("<![CDATA[", "]]>");

/// Whether a character is one of a word.
pub fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

/// The length of a comment, or of a line around code in Markdown, at the beginning of a text.
pub fn comment(rest: &str) -> Option<usize> {
    if rest.starts_with("```") {
        return Some(rest.find(['\n', '\r']).unwrap_or(rest.len()));
    }
    match rest.get(..2)? {
        "//" => Some(rest.find(['\n', '\r']).unwrap_or(rest.len())),
        "/*" => Some(rest.get(2..)?.find("*/").map_or(rest.len(), |end| end + 4)),
        _ => None,
    }
}

/// The name or the expression that Haxe's `$` at the beginning of a text puts there, and the length of all of it; none for `$$` and a
/// `$` alone. An expression has at most `longest` bytes.
pub fn inserted(rest: &str, longest: usize) -> (Option<Range<usize>>, usize) {
    let after = rest.get(1..).unwrap_or_default();
    if after.starts_with('$') {
        return (None, 2);
    }
    if let Some(end) = after.strip_prefix('{').and_then(|inner| braced(inner, longest)) {
        return (Some(2..end + 2), end + 3);
    }
    match after.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(after.len()) {
        0 => (None, 1),
        length => (Some(1..length + 1), length + 1),
    }
}

/// The length of code before the `}` that ends it, if it is not longer than `longest` bytes.
pub fn braced(text: &str, longest: usize) -> Option<usize> {
    let (mut depth, mut quote) = (0u32, None);
    let mut letters = text.char_indices();
    while let Some((at, letter)) = letters.next().filter(|(at, _)| *at < longest) {
        match (quote, letter) {
            (_, '\\') => {
                letters.next();
            }
            (Some(open), _) if letter == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(letter),
            (None, '{') => depth += 1,
            (None, '}') => match depth.checked_sub(1) {
                Some(less) => depth = less,
                None => return Some(at),
            },
            _ => {}
        }
    }
    None
}

/// What an escape says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Escape {
    /// A character.
    Character(char),
    /// A line that continues.
    Nothing,
    /// It is not whole, or no character has its number.
    Wrong,
}

/// The escape at the beginning of a text, and its length.
pub fn escape(rest: &str) -> (Escape, usize) {
    let Some(c) = rest.chars().nth(1) else { return (Escape::Wrong, 1) };
    let length = 1 + c.len_utf8();
    let after = rest.get(length..).unwrap_or_default();
    let says = |c: char| (Escape::Character(c), length);
    match c {
        'n' => says('\n'),
        'r' => says('\r'),
        't' => says('\t'),
        'b' => says('\u{8}'),
        'f' => says('\u{c}'),
        'v' => says('\u{b}'),
        '\r' if after.starts_with('\n') => (Escape::Nothing, length + 1),
        '\n' | '\r' => (Escape::Nothing, length),
        'x' => numbered(after, 2, length),
        'u' if after.starts_with('{') => match after.char_indices().take(10).find(|(_, c)| *c == '}') {
            Some((end, _)) => match after.get(1..end).and_then(hexadecimal).and_then(char::from_u32) {
                Some(c) => (Escape::Character(c), length + end + 1),
                None => (Escape::Wrong, length + end + 1),
            },
            None => (Escape::Wrong, length + 1),
        },
        'u' => match surrogates(after) {
            Some(c) => (Escape::Character(c), length + 10),
            None => numbered(after, 4, length),
        },
        // Haxe's three octal digits, or NUL.
        '0'..='3' => {
            let digits = rest.get(1..4).filter(|digits| digits.bytes().all(|digit| (b'0'..=b'7').contains(&digit)));
            match digits.and_then(|digits| u32::from_str_radix(digits, 8).ok()).and_then(char::from_u32) {
                Some(c) => (Escape::Character(c), 4),
                None if c == '0' => says('\0'),
                None => says(c),
            }
        }
        c => says(c),
    }
}

fn hexadecimal(digits: &str) -> Option<u32> {
    let is_number = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    u32::from_str_radix(digits, 16).ok().filter(|_| is_number)
}

/// An escape with a fixed count of digits, which follow its `length` bytes.
fn numbered(after: &str, count: usize, length: usize) -> (Escape, usize) {
    match after.get(..count).and_then(hexadecimal).and_then(char::from_u32) {
        Some(c) => (Escape::Character(c), length + count),
        None => {
            let digits = after.bytes().take(count).take_while(u8::is_ascii_hexdigit).count();
            (Escape::Wrong, length + digits)
        }
    }
}

/// The character of two escapes, `\ud83d\ude00`, after the `\u` of the first.
fn surrogates(after: &str) -> Option<char> {
    let (first, second) = (after.get(..4)?, after.get(4..10)?.strip_prefix("\\u")?);
    let unit = |digits| hexadecimal(digits).and_then(|unit| u16::try_from(unit).ok());
    match &char::decode_utf16([unit(first)?, unit(second)?]).collect::<Vec<_>>()[..] {
        [Ok(c)] => Some(*c),
        _ => None,
    }
}
