//! The strings in JSON and XML, with their escapes resolved.
//!
//! The texts may be malformed: a string is read wherever a string begins. The time is linear in the length of the text, as `regex`
//! guarantees.

use std::str::FromStr;
use std::sync::LazyLock;

use regex::{Captures, Regex};

/// A function that calls another function with each string of a text, and with the string's offset.
pub(crate) type ReadStrings = fn(&str, &mut dyn FnMut(usize, String));

/// The function that reads the strings of a text in JSON or XML. The first character determines the language.
pub(crate) fn reader_of(text: &str) -> Option<ReadStrings> {
    match text.trim_start_matches('\u{feff}').trim_start().chars().next()? {
        '{' | '[' if text.contains('"') => Some(json),
        '<' if text.contains('>') => Some(xml),
        _ => None,
    }
}

/// Whether a word is in a list of words separated by spaces.
pub(crate) fn is_one_of(word: &str, words: &str) -> bool {
    words.split(' ').any(|one| one == word)
}

/// Compiles a regular expression that is a constant in the code. Tests use each such expression.
#[expect(clippy::expect_used, reason = "the pattern does not depend on the input")]
pub(crate) fn pattern<R: FromStr<Err = regex::Error>>(text: &str) -> R {
    text.parse().expect("a pattern")
}

/// A closed JSON string.
static STRING: LazyLock<Regex> = LazyLock::new(|| pattern(r#"(?s)"(?:[^"\\]|\\.)*""#));
static ESCAPE: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?s)\\(?:u([0-9a-fA-F]{4})|(.))"));

/// Calls `found` with the JSON values that are strings. An array of strings with one line each is passed as a single string, since
/// many programs are stored like that.
fn json(text: &str, found: &mut dyn FnMut(usize, String)) {
    let mut lines: Option<(usize, String)> = None;
    let mut end = 0;
    for string in STRING.find_iter(text) {
        let between = text.get(end..string.start()).unwrap_or_default();
        end = string.end();
        let is_key = text.get(end..).unwrap_or_default().trim_start().starts_with(':');
        let value = json_value(string.as_str());
        let is_line = !is_key && !value.trim_end().contains(['\n', '\r', ';']);
        match &mut lines {
            Some((_, lines)) if is_line && between.trim() == "," => lines.extend(["\n", value.as_str()]),
            _ => {
                lines.take().into_iter().for_each(|(at, lines)| found(at, lines));
                match (is_key, is_line) {
                    (true, _) => {}
                    (_, true) => lines = Some((string.start() + 1, value)),
                    (_, false) => found(string.start() + 1, value),
                }
            }
        }
    }
    lines.into_iter().for_each(|(at, lines)| found(at, lines));
}

/// Decoded value of a JSON string.
fn json_value(string: &str) -> String {
    let letter = |escape: &Captures<'_>| match (escape.get(1), escape.get(2).map_or("", |letter| letter.as_str())) {
        // Characters beyond the first 65,536, written as two surrogates, do not occur in programs.
        (Some(digits), _) => of_digits(digits.as_str(), 16).unwrap_or(char::REPLACEMENT_CHARACTER).to_string(),
        (_, "n") => "\n".to_string(),
        (_, "r") => "\r".to_string(),
        (_, "t") => "\t".to_string(),
        (_, "b" | "f") => " ".to_string(),
        (_, other) => other.to_string(),
    };
    let value = string.get(1..string.len().saturating_sub(1)).unwrap_or_default();
    ESCAPE.replace_all(value, letter).into_owned()
}

/// Character of a code point in digits.
fn of_digits(digits: &str, base: u32) -> Option<char> {
    char::from_u32(u32::from_str_radix(digits, base).ok()?)
}

/// An item of XML: a section, a comment, a processing instruction, a tag with its attributes, or a text. A `<` that begins no tag
/// belongs to the text.
static ITEM: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r#"(?sx) <!\[CDATA\[.*?(?:\]\]>|\z) | <!--.*?(?:-->|\z) | <\?.*?(?:\?>|\z) | <!.*?(?:>|\z)
        | (<[\p{Alphabetic}_:/](?:[^>"']|"[^"]*(?:"|\z)|'[^']*(?:'|\z))*>?) | .[^<]*"#,
    )
});
static ATTRIBUTE: LazyLock<Regex> = LazyLock::new(|| pattern(r#""[^"]*"?|'[^']*'?"#));
static ENTITY: LazyLock<Regex> = LazyLock::new(|| pattern("&(?:(lt|gt|amp|quot|apos)|#[xX]([0-9a-fA-F]+)|#([0-9]+));"));

/// Calls `found` with the values of attributes in XML, and with the texts between tags, CDATA sections included.
fn xml(text: &str, found: &mut dyn FnMut(usize, String)) {
    let mut current: Option<(usize, String)> = None;
    for parts in ITEM.captures_iter(text) {
        let Some((item, at)) = parts.get(0).map(|item| (item.as_str(), item.start())) else { continue };
        if let Some(section) = item.strip_prefix("<![CDATA[") {
            let (_, content) = current.get_or_insert_with(|| (at + "<![CDATA[".len(), String::new()));
            content.push_str(section.strip_suffix("]]>").unwrap_or(section));
        } else if item.starts_with("<!") || item.starts_with("<?") {
            continue;
        } else if parts.get(1).is_some() {
            current.take().into_iter().for_each(|(at, text)| found(at, text));
            for value in ATTRIBUTE.find_iter(item) {
                let mut letters = value.as_str().chars();
                let quote = letters.next().unwrap_or_default();
                found(at + value.start() + 1, resolved(letters.as_str().trim_end_matches(quote)));
            }
        } else {
            let plain = if current.is_some() { item } else { item.trim_start() };
            if !plain.is_empty() {
                let (_, content) = current.get_or_insert_with(|| (at + item.len() - plain.len(), String::new()));
                content.push_str(&resolved(plain));
            }
        }
    }
    current.into_iter().for_each(|(at, text)| found(at, text));
}

/// A text with its entities resolved.
pub(crate) fn resolved(text: &str) -> String {
    let letter = |entity: &Captures<'_>| {
        let part = |at: usize| entity.get(at).map_or("", |part| part.as_str());
        let known = match (part(1), part(2), part(3)) {
            ("lt", ..) => Some('<'),
            ("gt", ..) => Some('>'),
            ("amp", ..) => Some('&'),
            ("quot", ..) => Some('"'),
            ("apos", ..) => Some('\''),
            (_, "", digits) => of_digits(digits, 10),
            (_, digits, _) => of_digits(digits, 16),
        };
        known.map_or_else(|| part(0).to_string(), String::from)
    };
    ENTITY.replace_all(text, letter).into_owned()
}
