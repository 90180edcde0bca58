//! Literals: their extent in the source text and their contents.

use std::ops::Range;

use super::token::{Class, Token};
use super::{Language, word_length};

/// The beginning and the end of an XML CDATA section.
pub const CDATA: (&str, &str) = ("<![CDATA[", "]]>");

/// The opening and closing quotes of literals. ActionScript and Haxe have only the first two pairs, whereas [`Language::Either`]
/// has all pairs.
const QUOTES: [(&str, &str); 5] = [("\"", "\""), ("'", "'"), ("\u{201c}", "\u{201d}"), ("\u{2018}", "\u{2019}"), CDATA];

/// Returns the quotes of the literal at the beginning of the text, or `None` if the text does not begin with a quote.
pub(super) fn quotes(rest: &str, language: Language) -> Option<(&'static str, &'static str)> {
    let count = if language == Language::Either { QUOTES.len() } else { 2 };
    QUOTES.into_iter().take(count).find(|(open, _)| rest.starts_with(open))
}

/// Returns the length in bytes of a literal's opening quote.
pub fn opening(literal: &str) -> usize {
    quotes(literal, Language::Either).map_or(0, |(open, _)| open.len())
}

/// Reports whether the text contains an opening quote.
pub fn has_quotes(text: &str) -> bool {
    QUOTES.iter().any(|(open, _)| text.contains(open))
}

/// Returns whether `$` inserts values in a literal, and whether `\` begins an escape.
fn has_signs(open: &str, language: Language) -> (bool, bool) {
    (language != Language::ActionScript && matches!(open, "'" | "\u{2018}"), open != CDATA.0)
}

/// Returns the class and the length of a literal. If the closing quote is missing, a literal of ActionScript or Haxe extends to
/// the end of its line, and a literal of [`Language::Either`] extends to the end of the text.
pub(super) fn string(text: &str, (open, close): (&str, &str), language: Language) -> (Class, usize) {
    let (inserts, escapes) = has_signs(open, language);
    let (mut at, mut line_end) = (open.len(), None);
    while let Some(rest) = text.get(at..)
        && let Some(letter) = rest.chars().next()
    {
        if rest.starts_with(close) {
            return (Class::Literal, at + close.len());
        }
        at += match letter {
            '\\' if escapes && rest.starts_with("\\\r\n") => 3,
            '\\' if escapes => 1 + rest.chars().nth(1).map_or(0, char::len_utf8),
            '\n' | '\r' if language == Language::ActionScript => return (Class::Literal, at),
            '\n' | '\r' => {
                line_end.get_or_insert(at);
                1
            }
            '$' if inserts => rest.strip_prefix("${").and_then(braced).map_or(1, |length| length + 3),
            _ => letter.len_utf8(),
        };
    }
    match language {
        Language::Either => (Class::Open, text.len()),
        _ => (Class::Literal, line_end.unwrap_or(text.len())),
    }
}

/// The maximum length in bytes of code inserted into a literal. The limit bounds the search for a missing closing
/// brace.
const LONGEST_CODE: usize = 1 << 10;

/// Returns the length of the code before the closing `}`, or `None` if the brace is missing.
fn braced(text: &str) -> Option<usize> {
    let (mut depth, mut quote) = (0u32, None);
    let mut letters = text.char_indices();
    while let Some((at, letter)) = letters.next().filter(|(at, _)| *at < LONGEST_CODE) {
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

/// A piece of a literal's contents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece<'a> {
    /// Text from the source, or an added quote: the value of an XML attribute gets quotes if the value is an expression.
    Text(&'a str),
    /// The character that an escape encodes.
    Character(char),
    /// A name or an expression whose value the literal inserts.
    Code(&'a str),
    /// An escape that is incomplete or whose number encodes no character.
    Wrong(&'a str),
}

/// Splits the contents of a literal into pieces with their byte ranges in the source.
pub fn pieces<'a>(token: &Token<'a>, language: Language) -> Vec<(Piece<'a>, Range<usize>)> {
    if token.class == Class::Xml {
        return xml_pieces(token.text, token.at);
    }
    let (open, close) = quotes(token.text, language).unwrap_or_default();
    let inside = token.text.get(open.len()..).unwrap_or_default();
    let inside = inside.strip_suffix(close).unwrap_or(inside);
    let (inserts, escapes) = has_signs(open, language);
    let (mut found, mut at) = (Vec::new(), 0);
    while let Some(rest) = inside.get(at..).filter(|rest| !rest.is_empty()) {
        let start = token.at + open.len() + at;
        let plain = rest.find(|c| c == '\\' && escapes || c == '$' && inserts).unwrap_or(rest.len());
        let (piece, place, length) = match rest.get(..plain).filter(|text| !text.is_empty()) {
            Some(text) => (Piece::Text(text), 0..plain, plain),
            None if rest.starts_with('$') => inserted(rest),
            None => {
                let (piece, length) = escape(rest);
                (piece, 0..length, length)
            }
        };
        found.push((piece, start + place.start..start + place.end));
        at += length;
    }
    found
}

/// Splits off an insertion, which begins with Haxe's `$`. Returns the inserted name or expression, the byte range of that
/// name or expression, and the length of the insertion. `$$` and a `$` without a name encode the character `$`.
fn inserted(rest: &str) -> (Piece<'_>, Range<usize>, usize) {
    let after = rest.get(1..).unwrap_or_default();
    let name = after.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(after.len());
    let (place, length) = match after.strip_prefix('{').and_then(braced) {
        Some(length) => (2..length + 2, length + 3),
        None if name > 0 => (1..name + 1, name + 1),
        None => {
            let length = if after.starts_with('$') { 2 } else { 1 };
            return (Piece::Character('$'), 0..length, length);
        }
    };
    (Piece::Code(rest.get(place.clone()).unwrap_or_default()), place, length)
}

/// Returns the piece that the escape at the beginning of the text encodes, and the escape's length.
fn escape(rest: &str) -> (Piece<'_>, usize) {
    let wrong = |length| (Piece::Wrong(rest.get(..length).unwrap_or(rest)), length);
    let Some(c) = rest.chars().nth(1) else { return wrong(1) };
    let length = 1 + c.len_utf8();
    let after = rest.get(length..).unwrap_or_default();
    let character = |c: char, length| (Piece::Character(c), length);
    let numbered = |count: usize| match after.get(..count).and_then(hexadecimal).and_then(char::from_u32) {
        Some(c) => character(c, length + count),
        None => wrong(length + after.bytes().take(count).take_while(u8::is_ascii_hexdigit).count()),
    };
    match c {
        'n' => character('\n', length),
        'r' => character('\r', length),
        't' => character('\t', length),
        'b' => character('\u{8}', length),
        'f' => character('\u{c}', length),
        'v' => character('\u{b}', length),
        // After a backslash at the end of a line, the literal continues on the next line.
        '\r' if after.starts_with('\n') => (Piece::Text(""), length + 1),
        '\n' | '\r' => (Piece::Text(""), length),
        'x' => numbered(2),
        'u' if after.starts_with('{') => match after.char_indices().take(10).find(|(_, c)| *c == '}') {
            Some((end, _)) => match after.get(1..end).and_then(hexadecimal).and_then(char::from_u32) {
                Some(c) => character(c, length + end + 1),
                None => wrong(length + end + 1),
            },
            None => wrong(length + 1),
        },
        'u' => match surrogates(after) {
            Some(c) => character(c, length + 10),
            None => numbered(4),
        },
        // A backslash and three octal digits are an escape of Haxe, whereas a backslash and a single 0 encode NUL.
        '0'..='3' => {
            let digits = rest.get(1..4).filter(|digits| digits.bytes().all(|digit| (b'0'..=b'7').contains(&digit)));
            match digits.and_then(|digits| u32::from_str_radix(digits, 8).ok()).and_then(char::from_u32) {
                Some(c) => character(c, 4),
                None => character(if c == '0' { '\0' } else { c }, length),
            }
        }
        c => character(c, length),
    }
}

fn hexadecimal(digits: &str) -> Option<u32> {
    let is_number = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    u32::from_str_radix(digits, 16).ok().filter(|_| is_number)
}

/// Returns the character that a surrogate pair such as `\ud83d\ude00` encodes. `after` begins after the first `\u`.
fn surrogates(after: &str) -> Option<char> {
    let (first, second) = (after.get(..4)?, after.get(4..10)?.strip_prefix("\\u")?);
    let unit = |digits| hexadecimal(digits).and_then(|unit| u16::try_from(unit).ok());
    match &char::decode_utf16([unit(first)?, unit(second)?]).collect::<Vec<_>>()[..] {
        [Ok(c)] => Some(*c),
        _ => None,
    }
}

/// Returns the length of a number, including a type suffix of Haxe.
pub(super) fn number_length(text: &str, language: Language) -> usize {
    let length = digits_length(text, language);
    let before = text.get(..length).unwrap_or_default();
    length + if before.ends_with('.') { 0 } else { word_length(text.get(length..).unwrap_or_default()) }
}

/// Returns the length of a number without its type suffix. The dots of Haxe's range operator `...` do not belong to the number.
fn digits_length(text: &str, language: Language) -> usize {
    let of = |from: usize, accept: fn(char) -> bool| {
        let rest = text.get(from..).unwrap_or_default();
        from + rest.find(|digit| !accept(digit)).unwrap_or(rest.len())
    };
    let starts = |at: usize, with: &str| text.get(at..).is_some_and(|rest| rest.starts_with(with));
    if starts(0, "0x") || starts(0, "0X") {
        return of(2, |digit| digit.is_ascii_hexdigit() || digit == '_');
    }
    if starts(0, "0b") && language != Language::ActionScript {
        return of(2, |digit| matches!(digit, '0' | '1' | '_'));
    }
    let is_digit = |digit: char| digit.is_ascii_digit() || digit == '_';
    let mut at = of(0, is_digit);
    if starts(at, ".") && (language == Language::ActionScript || !starts(at, "..")) {
        at = of(at + 1, is_digit);
    }
    if starts(at, "e") || starts(at, "E") {
        let sign = usize::from(starts(at + 1, "+") || starts(at + 1, "-"));
        let end = of(at + 1 + sign, is_digit);
        if end > at + 1 + sign {
            at = end;
        }
    }
    at
}

/// Returns the value of a number in source text, or NaN if the text is not a number.
pub fn number(text: &str, language: Language) -> f64 {
    let text = text.get(..digits_length(text, language)).unwrap_or(text).replace('_', "");
    let (digits, radix) = match text.get(..2) {
        Some("0x" | "0X") => (text.get(2..).unwrap_or_default(), 16),
        Some("0b") => (text.get(2..).unwrap_or_default(), 2),
        _ => return text.parse().unwrap_or(f64::NAN),
    };
    digits
        .chars()
        .filter_map(|digit| digit.to_digit(radix))
        .fold(0.0, |value, digit| value * f64::from(radix) + f64::from(digit))
}

/// Returns the length of a regular expression before the closing `/`, or `None` if the slash is missing from the line.
pub(super) fn regex_length(text: &str) -> Option<usize> {
    let mut in_set = false;
    let mut letters = text.char_indices();
    while let Some((at, letter)) = letters.next() {
        match letter {
            '\n' | '\r' => return None,
            '\\' => {
                letters.next();
            }
            '[' => in_set = true,
            ']' => in_set = false,
            '/' if !in_set => return Some(at),
            _ => {}
        }
    }
    None
}

/// The beginnings and ends of XML comments, CDATA sections and processing instructions, which contain no elements or code.
const OPAQUE: [(&str, &str); 3] = [("<!--", "-->"), CDATA, ("<?", "?>")];

/// Returns the length of the XML literal at the beginning of the text, or `None` if no XML literal begins there or the literal
/// does not end.
pub(super) fn xml_length(text: &str) -> Option<usize> {
    let begins = text
        .get(1..)?
        .starts_with(|letter: char| letter.is_alphabetic() || matches!(letter, '_' | '!' | '?' | '>' | '{'));
    if !text.starts_with('<') || !begins {
        return None;
    }
    let (mut at, mut depth) = (0usize, 0u32);
    loop {
        at += text.get(at..)?.find('<')?;
        let rest = text.get(at..)?;
        let mut opaque = OPAQUE.iter().chain(&[("<!", ">")]);
        if let Some((_, end)) = opaque.find(|(begin, _)| rest.starts_with(begin)) {
            at += rest.find(end)? + end.len();
        } else {
            let end = tag_length(rest)?;
            let tag = rest.get(..end)?;
            if tag.starts_with("</") {
                depth = depth.saturating_sub(1);
            } else if !tag.ends_with("/>") {
                depth += 1;
            }
            at += end;
        }
        if depth == 0 {
            return Some(at);
        }
    }
}

/// Returns the length of an XML tag. Quoted attributes and code in braces may contain `>`.
fn tag_length(text: &str) -> Option<usize> {
    let (mut quote, mut braces) = (None, 0u32);
    for (at, letter) in text.char_indices() {
        match (quote, letter) {
            (Some(open), _) if letter == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(letter),
            (None, '{') => braces += 1,
            (None, '}') => braces = braces.saturating_sub(1),
            (None, ';') if braces == 0 => return None,
            (None, '>') if braces == 0 => return Some(at + 1),
            _ => {}
        }
    }
    None
}

/// Splits an XML literal into pieces. `offset` is the literal's byte offset in the source. Expressions are in braces, except in
/// CDATA sections and comments.
fn xml_pieces(text: &str, offset: usize) -> Vec<(Piece<'_>, Range<usize>)> {
    let (mut found, mut at) = (Vec::new(), 0);
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let place = |from: usize, to: usize| offset + at + from..offset + at + to;
        if let Some(length) = rest.strip_prefix('{').and_then(braced) {
            // E4X omits the quotes around an attribute whose value is an expression, so the quotes are added.
            let is_attribute = text.get(..at).is_some_and(|before| before.ends_with('='));
            let quote = is_attribute.then_some(Piece::Text("\""));
            found.extend(quote.map(|quote| (quote, place(0, 0))));
            found.push((Piece::Code(rest.get(1..=length).unwrap_or_default()), place(1, length + 1)));
            found.extend(quote.map(|quote| (quote, place(length + 2, length + 2))));
            at += length + 2;
            continue;
        }
        let plain = match OPAQUE.iter().find(|(begin, _)| rest.starts_with(begin)) {
            Some((_, end)) => rest.find(end).map_or(rest.len(), |found| found + end.len()),
            None => rest.char_indices().skip(1).find(|(_, c)| matches!(c, '{' | '<')).map_or(rest.len(), |(at, _)| at),
        };
        found.push((Piece::Text(rest.get(..plain).unwrap_or_default()), place(0, plain)));
        at += plain;
    }
    found
}
