//! The words, literals and signs of ActionScript and Haxe.
//!
//! Rule: a literal may hold line ends, as Haxe's do. Comments and space are left out. A quote that is never closed is a token
//! of its own, to the end of the text. Curly quotes, which editors of texts make, are quotes, and `<![CDATA[` begins a literal
//! without escapes, as in ActionScript's XML.

use std::ops::Range;

use super::pieced::Pieced;
use crate::script::{self, Escape, comment, escape, inserted, is_word};

/// The class of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    /// A name or a keyword.
    Word,
    /// A number.
    Number,
    /// A literal in quotes.
    Literal,
    /// A literal whose quote is never closed.
    Open,
    /// An operator, a bracket or another sign.
    Sign,
}

/// A token.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token<'a> {
    pub(super) class: Class,
    pub(super) text: &'a str,
    pub(super) at: usize,
    /// Whether it is the first of its line.
    pub(super) is_first: bool,
}

impl Token<'_> {
    pub(super) fn range(&self) -> Range<usize> {
        self.at..self.at + self.text.len()
    }

    /// Whether it is this sign or word.
    pub(super) fn is(&self, text: &str) -> bool {
        matches!(self.class, Class::Word | Class::Sign) && self.text == text
    }
}

/// The tokens of a text, without comments.
pub(super) fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut found: Vec<Token<'_>> = Vec::new();
    let (mut at, mut is_first) = (0, true);
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let space = rest.len() - rest.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}').len();
        is_first |= rest.get(..space).is_some_and(|space| space.contains(['\n', '\r']));
        let (start, rest) = (at + space, rest.get(space..).unwrap_or_default());
        if rest.is_empty() {
            break;
        }
        if let Some(length) = comment(rest) {
            is_first |= rest.get(..length).is_some_and(|comment| comment.contains(['\n', '\r']));
            at = start + length;
            continue;
        }
        let (class, length) = token(rest);
        let token = rest.get(..length).unwrap_or(rest);
        found.push(Token { class, text: token, at: start, is_first });
        at = start + token.len().max(1);
        is_first = false;
    }
    found
}

/// What begins and ends literals, each with its first and its last characters.
const QUOTES: [(&str, &str); 5] =
    [("\"", "\""), ("'", "'"), ("\u{201c}", "\u{201d}"), ("\u{2018}", "\u{2019}"), script::CDATA];
/// What begins a literal in XML.
pub(super) const CDATA: &str = script::CDATA.0;

/// What begins and ends the literal at the beginning of a text.
fn quotes(rest: &str) -> Option<(&'static str, &'static str)> {
    QUOTES.iter().copied().find(|(open, _)| rest.starts_with(open))
}

/// The length of what begins a literal.
pub(super) fn opening(literal: &str) -> usize {
    quotes(literal).map_or(0, |(open, _)| open.len())
}

/// Whether a literal may be in a text.
pub(super) fn has_quotes(text: &str) -> bool {
    QUOTES.iter().any(|(open, _)| text.contains(open))
}

/// The signs of two characters that matter here: none of them assigns, but for the first.
const SIGNS: [&str; 9] = ["+=", "++", "--", "==", "!=", "<=", ">=", "&&", "||"];

/// The class and the length of the token at the beginning of a text.
fn token(rest: &str) -> (Class, usize) {
    let run = |accept: &dyn Fn(char) -> bool| rest.find(|c| !accept(c)).unwrap_or(rest.len());
    if let Some((open, close)) = quotes(rest) {
        return literal(rest, open, close);
    }
    match rest.chars().next() {
        Some(c) if c.is_ascii_digit() => (Class::Number, run(&|c| is_word(c) || c == '.')),
        Some(c) if is_word(c) => (Class::Word, run(&is_word)),
        _ if SIGNS.iter().any(|sign| rest.starts_with(sign)) => (Class::Sign, 2),
        Some(c) => (Class::Sign, c.len_utf8()),
        None => (Class::Sign, 0),
    }
}

fn literal(rest: &str, open: &str, close: &str) -> (Class, usize) {
    let inside = rest.get(open.len()..).unwrap_or_default();
    let mut is_escaped = false;
    for (at, c) in inside.char_indices() {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' if open != CDATA => is_escaped = true,
            _ if inside.get(at..).is_some_and(|rest| rest.starts_with(close)) => {
                return (Class::Literal, open.len() + at + close.len());
            }
            _ => {}
        }
    }
    (Class::Open, rest.len())
}

/// The longest expression in a literal, in characters.
const LONGEST_INSERTED: usize = 200;

/// A part of what a literal says.
pub(super) enum Part {
    /// Text.
    Text(Pieced),
    /// A variable or an expression that Haxe puts there (`$name`, `${name}`), and where its name is.
    Inserted(Range<usize>),
    /// An escape that says no character, and where it is.
    Wrong(Range<usize>),
}

/// What a literal says: its escapes are resolved. In single quotes, `$name` is Haxe's sign for the value of a variable.
pub(super) fn parts(token: &Token<'_>) -> Vec<Part> {
    let (open, close) = quotes(token.text).unwrap_or_default();
    let inside = token.text.get(open.len()..).unwrap_or_default();
    let inside = inside.strip_suffix(close).unwrap_or(inside);
    let start = token.at + open.len();
    let (escapes, inserts) = (open != CDATA, matches!(open, "'" | "\u{2018}"));
    let (mut parts, mut text, mut at) = (Vec::new(), Pieced::default(), 0);
    while let Some(rest) = inside.get(at..).filter(|rest| !rest.is_empty()) {
        let is_sign = |c: char| c == '\\' && escapes || c == '$' && inserts;
        let plain = rest.find(is_sign).unwrap_or(rest.len());
        text.copy(rest.get(..plain).unwrap_or_default(), start + at);
        at += plain;
        let Some(rest) = inside.get(at..).filter(|rest| !rest.is_empty()) else { break };
        match rest.starts_with('\\') {
            true => {
                let (escape, length) = escape(rest);
                let written = start + at..start + at + length;
                match escape {
                    Escape::Character(c) => text.put(c.encode_utf8(&mut [0; 4]), written),
                    Escape::Nothing => {}
                    Escape::Wrong => parts.push(Part::Wrong(written)),
                }
                at += length;
            }
            false => {
                let (name, length) = inserted(rest, LONGEST_INSERTED);
                match name {
                    Some(name) => {
                        parts.push(Part::Text(std::mem::take(&mut text)));
                        parts.push(Part::Inserted(start + at + name.start..start + at + name.end));
                    }
                    None => text.put("$", start + at..start + at + length),
                }
                at += length;
            }
        }
    }
    parts.push(Part::Text(text));
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(literal: &str) -> String {
        let found = tokens(literal);
        assert_eq!(found.len(), 1, "{literal}");
        let show = |part| match part {
            Part::Text(text) => text.as_str().to_string(),
            Part::Inserted(range) => format!("[{}]", literal.get(range).expect("a name")),
            Part::Wrong(range) => format!("<{}>", literal.get(range).expect("an escape")),
        };
        parts(&found[0]).into_iter().map(show).collect()
    }

    #[test]
    fn comments_are_left_out_and_signs_in_literals_are_not_comments() {
        let found: Vec<&str> =
            tokens("a += \"x // y\" /* b\n \" */ + 'z'; // \"q").iter().map(|token| token.text).collect();
        assert_eq!(found, ["a", "+=", "\"x // y\"", "+", "'z'", ";"]);
        assert_eq!(tokens("a /* b\n*/ c").iter().map(|token| token.is_first).collect::<Vec<_>>(), [true, true]);
        assert_eq!(tokens("/*/ a */ b").first().map(|token| token.text), Some("b"));
        assert_eq!(tokens("'a").first().map(|token| token.class), Some(Class::Open));
    }

    #[test]
    fn escapes_say_characters() {
        assert_eq!(said(r#""a\n\t\"\'\\\x41\u0042\u{43}\q""#), "a\n\t\"'\\ABCq");
        assert_eq!(said("\"a\\\r\nb\""), "ab");
        assert_eq!(said(r#""\ud83d\ude00\0\101\v""#), "\u{1f600}\0A\u{b}");
    }

    #[test]
    fn escapes_that_are_not_whole_say_nothing() {
        for (literal, wrong) in [
            (r#""\x4""#, "<\\x4>"),
            (r#""\x4g""#, "<\\x4>"),
            (r#""\xé""#, "<\\x>"),
            (r#""\u00a""#, "<\\u00a>"),
            (r#""\u{110000}""#, "<\\u{110000}>"),
            (r#""\u{}""#, "<\\u{}>"),
            (r#""\u{41""#, "<\\u{>"),
            (r#""\ud83d""#, "<\\ud83d>"),
            (r#""\ud83d\u0041""#, "<\\ud83d>"),
        ] {
            assert!(said(literal).contains(wrong), "{literal}: {}", said(literal));
        }
    }

    #[test]
    fn curly_quotes_and_cdata_are_literals() {
        assert_eq!(said("\u{201c}a\\n\"b\u{201d}"), "a\n\"b");
        assert_eq!(said("\u{2018}a $b\u{2019}"), "a [b]");
        assert_eq!(said("<![CDATA[a\\n]]\n\"$b\"]]>"), "a\\n]]\n\"$b\"");
        assert_eq!(tokens("```as3\n'a'\n```").len(), 1);
    }

    #[test]
    fn only_single_quotes_insert_variables() {
        assert_eq!(said("'a $b.x ${c + 1} $$ $'"), "a [b].x [c + 1] $ $");
        assert_eq!(said("\"a $b\""), "a $b");
        assert_eq!(said("'${a ? \"}\" : b}c'"), "[a ? \"}\" : b]c");
    }

    #[test]
    fn any_text_has_tokens() {
        for text in ["\\", "\"\\", "'${", "/*", "/", "é", "\u{feff}", "'$", "0x", "+", "\"\\u", "\"\\u{"] {
            for token in tokens(text) {
                let _ = parts(&token);
            }
        }
    }
}
