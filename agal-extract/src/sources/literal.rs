//! How literals are written in ActionScript and Haxe: where each ends, and what it stands for.

use agalc::script::{self, Escape};

use crate::sources::lexer::{Name, Part};

/// How many lines end in a text, before an offset: with a line feed, or with a carriage return alone.
pub(crate) fn lines(text: &str, from: usize, to: usize) -> u32 {
    let bytes = text.as_bytes();
    let ends = (from..to.min(bytes.len())).filter(|at| match bytes.get(*at) {
        Some(b'\n') => true,
        Some(b'\r') => bytes.get(at + 1) != Some(&b'\n'),
        _ => false,
    });
    u32::try_from(ends.count()).unwrap_or(u32::MAX)
}

/// The length of a number. A Haxe number may be followed by `...`.
pub(crate) fn number_length(text: &str, is_haxe: bool) -> usize {
    let of = |from: usize, accept: fn(char) -> bool| {
        let rest = text.get(from..).unwrap_or_default();
        from + rest.find(|digit| !accept(digit)).unwrap_or(rest.len())
    };
    let starts = |at: usize, with: &str| text.get(at..).is_some_and(|rest| rest.starts_with(with));
    if starts(0, "0x") || starts(0, "0X") {
        return of(2, |digit| digit.is_ascii_hexdigit() || digit == '_');
    }
    if starts(0, "0b") && is_haxe {
        return of(2, |digit| matches!(digit, '0' | '1' | '_'));
    }
    let is_digit = |digit: char| digit.is_ascii_digit() || digit == '_';
    let mut at = of(0, is_digit);
    if starts(at, ".") && !(is_haxe && starts(at, "..")) {
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

/// The value of a number as it is written.
pub(crate) fn number(text: &str) -> f64 {
    let text = text.replace('_', "");
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

/// The length of a string with its quotes: to the end of the line if it does not end, or of the text in Haxe.
pub(crate) fn string_length(text: &str, is_haxe: bool) -> usize {
    let Some(quote) = text.chars().next() else { return 0 };
    let (mut line_end, mut skipped) = (None, 0);
    for (at, letter) in text.char_indices().skip(1) {
        if at < skipped {
            continue;
        }
        let rest = text.get(at + letter.len_utf8()..).unwrap_or_default();
        match letter {
            '\\' => {
                let escaped = if rest.starts_with("\r\n") { 2 } else { rest.chars().next().map_or(0, char::len_utf8) };
                skipped = at + 1 + escaped;
            }
            '\n' | '\r' if !is_haxe => return at,
            '\n' | '\r' => {
                line_end.get_or_insert(at);
            }
            '$' if is_haxe && quote == '\'' && rest.starts_with('{') => {
                let inner = rest.get(1..).unwrap_or_default();
                skipped = braced_length(inner).map_or(0, |length| at + 2 + length);
            }
            _ if letter == quote => return at + 1,
            _ => {}
        }
    }
    line_end.unwrap_or(text.len())
}

/// The longest code in a string.
const LONGEST_CODE: usize = 1 << 14;

/// The length of the code before the `}` that ends it.
fn braced_length(text: &str) -> Option<usize> {
    script::braced(text, LONGEST_CODE)
}

/// What a string stands for. An escape that is not known, or not whole, stands for its letters.
pub(crate) fn unescape(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        result.push_str(rest.get(..at).unwrap_or_default());
        rest = rest.get(at..).unwrap_or_default();
        let (said, length) = script::escape(rest);
        match said {
            Escape::Character(letter) => result.push(letter),
            Escape::Nothing => {}
            Escape::Wrong => result.push_str(rest.get(1..length).unwrap_or_default()),
        }
        rest = rest.get(length..).unwrap_or_default();
    }
    result.push_str(rest);
    result
}

/// The parts of an interpolated string that stands at an offset of the source.
pub(crate) fn parts(text: &str, offset: usize, line: u32) -> Vec<Part> {
    let (mut parts, mut constant, mut at) = (Vec::new(), String::new(), 0);
    while let Some(found) = text.get(at..).and_then(|rest| rest.find('$')) {
        let dollar = at + found;
        constant.push_str(&unescape(text.get(at..dollar).unwrap_or_default()));
        let (code, length) = script::inserted(text.get(dollar..).unwrap_or_default(), LONGEST_CODE);
        at = dollar + length;
        let Some(code) = code else {
            constant.push('$');
            continue;
        };
        if !constant.is_empty() {
            parts.push(Part::Text(Name::from(std::mem::take(&mut constant))));
        }
        let line = line.saturating_add(lines(text, 0, dollar + code.start));
        parts.push(Part::Code { start: offset + dollar + code.start, end: offset + dollar + code.end, line });
    }
    constant.push_str(&unescape(text.get(at..).unwrap_or_default()));
    if !constant.is_empty() || parts.is_empty() {
        parts.push(Part::Text(constant.into()));
    }
    parts
}

/// The length of a regular expression before the `/` that ends it.
pub(crate) fn regex_length(text: &str) -> Option<usize> {
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

/// The length of an XML literal, if the text begins with one that ends.
pub(crate) fn xml_length(text: &str) -> Option<usize> {
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
        let special = [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>"), ("<!", ">")];
        if let Some((_, end)) = special.iter().find(|(begin, _)| rest.starts_with(begin)) {
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

/// The parts of an XML literal that stands at an offset of the source: expressions are in braces outside of data and comments.
pub(crate) fn xml_parts(text: &str, offset: usize, line: u32) -> Vec<Part> {
    let (mut parts, mut constant, mut at) = (Vec::new(), String::new(), 0);
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let special = [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>")];
        let whole = special.iter().find(|(begin, _)| rest.starts_with(begin));
        let plain = match whole {
            Some((_, end)) => rest.find(end).map_or(rest.len(), |found| found + end.len()),
            None => rest
                .find(['{', '<'])
                .map_or(rest.len(), |found| found + usize::from(rest.starts_with('<') && found == 0)),
        };
        constant.push_str(rest.get(..plain).unwrap_or_default());
        at += plain;
        let Some(inner) = text.get(at..).and_then(|rest| rest.strip_prefix('{')) else { continue };
        let Some(length) = braced_length(inner) else {
            constant.push('{');
            at += 1;
            continue;
        };
        // The value of an attribute gets quotes.
        let is_attribute = constant.ends_with('=');
        constant.push_str(if is_attribute { "\"" } else { "" });
        parts.push(Part::Text(Name::from(std::mem::take(&mut constant))));
        let (start, line) = (offset + at + 1, line.saturating_add(lines(text, 0, at)));
        parts.push(Part::Code { start, end: start + length, line });
        constant.push_str(if is_attribute { "\"" } else { "" });
        at += length + 2;
    }
    parts.push(Part::Text(constant.into()));
    parts
}

/// The length of a tag. Attributes may hold `>`, and so may code in braces.
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
