//! Extracts the strings in JSON and XML, and decodes their escapes.
//!
//! The JSON and XML may be malformed. The running time is linear in the length of the input, as the `regex` crate guarantees.

use std::str::FromStr;
use std::sync::LazyLock;

use regex::{Captures, Regex};

/// A function that calls a callback with each string in a JSON or XML text, and with the string's offset.
pub(crate) type ReadStrings = fn(&str, &mut dyn FnMut(usize, String));

/// Returns the function that reads the strings of a JSON or XML text. The first character distinguishes JSON from XML.
pub(crate) fn reader_of(text: &str) -> Option<ReadStrings> {
    match text.trim_start_matches('\u{feff}').trim_start().chars().next()? {
        '{' | '[' if text.contains('"') => Some(json),
        '<' if text.contains('>') => Some(xml),
        _ => None,
    }
}

pub(crate) fn is_one_of(word: &str, words: &str) -> bool {
    words.split(' ').any(|one| one == word)
}

/// Compiles a constant regular expression. The tests compile every such expression, so they find any invalid expression.
#[expect(clippy::expect_used, reason = "the pattern does not depend on the input")]
pub(crate) fn pattern<R: FromStr<Err = regex::Error>>(text: &str) -> R {
    text.parse().expect("a pattern")
}

/// Matches a JSON string, including its quotes.
static STRING: LazyLock<Regex> = LazyLock::new(|| pattern(r#"(?s)"(?:[^"\\]|\\.)*""#));
static ESCAPE: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?s)\\(?:u([0-9a-fA-F]{4})|(.))"));

/// Calls `found` with every string value in JSON. Consecutive one-line array elements are joined by line breaks, because many
/// programs are stored as arrays of lines.
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

/// Decodes a JSON string, including its quotes.
fn json_value(string: &str) -> String {
    let letter = |escape: &Captures<'_>| match (escape.get(1), escape.get(2).map_or("", |letter| letter.as_str())) {
        // Surrogate pairs are not decoded, because characters above U+FFFF do not occur in programs.
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

fn of_digits(digits: &str, base: u32) -> Option<char> {
    char::from_u32(u32::from_str_radix(digits, base).ok()?)
}

/// Matches an XML item: a CDATA section, a comment, a processing instruction, a tag with its attributes, or text. A `<` that
/// begins no tag is matched as text.
static ITEM: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r#"(?sx) <!\[CDATA\[.*?(?:\]\]>|\z) | <!--.*?(?:-->|\z) | <\?.*?(?:\?>|\z) | <!.*?(?:>|\z)
        | (<[\p{Alphabetic}_:/](?:[^>"']|"[^"]*(?:"|\z)|'[^']*(?:'|\z))*>?) | .[^<]*"#,
    )
});
static ATTRIBUTE: LazyLock<Regex> = LazyLock::new(|| pattern(r#""[^"]*"?|'[^']*'?"#));
static ENTITY: LazyLock<Regex> = LazyLock::new(|| pattern("&(?:(lt|gt|amp|quot|apos)|#[xX]([0-9a-fA-F]+)|#([0-9]+));"));

/// Calls `found` with every attribute value in XML, and with the text between tags, including CDATA sections.
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

/// Decodes the entities in XML text.
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
