//! The lexemes of the macro language.
//!
//! Rule: only spaces and comments are left out, and each lexeme is a stretch of the text, so its position is always known. A
//! comment ends as in C, regardless of its contents.

use std::ops::Range;

use super::notes::Notes;
use crate::finding::Kind;

/// The class of a lexeme.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    /// A name with its components, or a word of sampler options.
    Word,
    /// A number without sign.
    Number,
    /// `#` and a word.
    Directive,
    /// Punctuation of the language.
    Sign,
    /// The end of a line, or `;`.
    Break,
    /// A character that is not part of the language.
    Other,
}

/// A stretch of the text that forms one unit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lexeme<'a> {
    pub(super) class: Class,
    pub(super) text: &'a str,
    pub(super) at: usize,
}

impl<'a> Lexeme<'a> {
    pub(super) fn range(&self) -> Range<usize> {
        self.at..self.end()
    }

    pub(super) fn end(&self) -> usize {
        self.at + self.text.len()
    }

    /// Whether the lexeme is this punctuation.
    pub(super) fn is(&self, sign: &str) -> bool {
        self.class == Class::Sign && self.text == sign
    }

    /// The text, if the lexeme is a word.
    pub(super) fn word(&self) -> Option<&'a str> {
        (self.class == Class::Word).then_some(self.text)
    }

    /// The text, if the lexeme is a name without components.
    pub(super) fn name(&self) -> Option<&'a str> {
        self.word().filter(|word| !word.contains('.'))
    }
}

/// The stretch of text that lexemes cover; there must be at least one.
pub(super) fn extent(lexemes: &[Lexeme]) -> Range<usize> {
    let start = lexemes.first().map_or(0, |first| first.at);
    start..lexemes.last().map_or(start, Lexeme::end)
}

/// Whether a character separates lines for Adobe's assemblers.
fn is_line_end(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\x0b' | '\x0c')
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '.'
}

/// The lexemes of a text.
pub(super) fn lexemes<'a>(text: &'a str, notes: &mut Notes) -> Vec<Lexeme<'a>> {
    let mut at = 0;
    std::iter::from_fn(|| next(text, &mut at, notes)).collect()
}

/// The first lexeme at `at` or later; moves `at` to its end.
pub(super) fn next<'a>(text: &'a str, at: &mut usize, notes: &mut Notes) -> Option<Lexeme<'a>> {
    while let Some(rest) = text.get(*at..).filter(|rest| !rest.is_empty()) {
        let (class, length) = match comment(rest) {
            Some((length, true)) => (None, length),
            Some((length, false)) => {
                notes.push(Kind::UnclosedComment, *at..*at + 2);
                (None, length)
            }
            None => lexeme(rest),
        };
        let found = class.map(|class| Lexeme { class, text: rest.get(..length).unwrap_or_default(), at: *at });
        *at += length.max(1);
        if found.is_some() {
            return found;
        }
    }
    None
}

/// The length of the comment at the start of a text, and whether the comment is closed.
fn comment(rest: &str) -> Option<(usize, bool)> {
    if rest.starts_with("//") {
        return Some((rest.find(is_line_end).unwrap_or(rest.len()), true));
    }
    let inside = rest.strip_prefix("/*")?;
    Some(inside.find("*/").map_or((rest.len(), false), |length| (length + 4, true)))
}

/// The class (`None` for a space) and length of the lexeme at the start of a text.
fn lexeme(rest: &str) -> (Option<Class>, usize) {
    let mut chars = rest.chars();
    let Some(first) = chars.next() else { return (None, 1) };
    let second = chars.next().unwrap_or('\0');
    let run = |accept: fn(char) -> bool| rest.find(|c| !accept(c)).unwrap_or(rest.len());
    if is_line_end(first) || first == ';' {
        return (Some(Class::Break), 1);
    }
    if first.is_whitespace() || first == '\u{feff}' {
        return (None, first.len_utf8());
    }
    if first.is_ascii_alphabetic() || first == '_' || matches!(first, '2' | '3') && second == 'd' {
        return (Some(Class::Word), run(is_word));
    }
    if first.is_ascii_digit() || first == '.' && second.is_ascii_digit() {
        return (Some(Class::Number), number(rest.as_bytes()));
    }
    if first == '#' {
        let length = directive(rest);
        return (Some(if length > 1 { Class::Directive } else { Class::Other }), length);
    }
    if matches!((first, second), ('=' | '!' | '<' | '>', '=') | ('&', '&') | ('|', '|')) {
        return (Some(Class::Sign), 2);
    }
    let known = "=+-*/,.()[]{}!<>&|".contains(first);
    (Some(if known { Class::Sign } else { Class::Other }), first.len_utf8())
}

/// The length of digits, a fraction and an exponent.
fn number(bytes: &[u8]) -> usize {
    let digits = |from: usize| bytes.iter().skip(from).take_while(|byte| byte.is_ascii_digit()).count();
    let is = |at: usize, byte: u8| bytes.get(at).is_some_and(|found| found.eq_ignore_ascii_case(&byte));
    let mut end = digits(0);
    if is(end, b'.') {
        end += 1 + digits(end + 1);
    }
    if is(end, b'e') {
        let sign = usize::from(is(end + 1, b'+') || is(end + 1, b'-'));
        let exponent = digits(end + 1 + sign);
        if exponent > 0 {
            end += 1 + sign + exponent;
        }
    }
    end
}

/// The length of `#`, spaces and a word; 1 where there is no word.
fn directive(rest: &str) -> usize {
    let after = rest.get(1..).unwrap_or_default();
    let spaces = after.len() - after.trim_start_matches([' ', '\t']).len();
    let word = after.bytes().skip(spaces).take_while(u8::is_ascii_alphanumeric).count();
    if word == 0 { 1 } else { 1 + spaces + word }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(text: &str) -> Vec<&str> {
        lexemes(text, &mut Notes::default()).into_iter().map(|lexeme| lexeme.text).collect()
    }

    #[test]
    fn text_is_split_into_lexemes() {
        assert_eq!(pieces("ft0.xy*=1.5e-3+.5"), ["ft0.xy", "*", "=", "1.5e-3", "+", ".5"]);
        assert_eq!(
            pieces("tex<2d,linear,-2>(v0)"),
            ["tex", "<", "2d", ",", "linear", ",", "-", "2", ">", "(", "v0", ")"]
        );
        assert_eq!(pieces("vc[va0.x+7].xyz"), ["vc", "[", "va0.x", "+", "7", "]", ".", "xyz"]);
        assert_eq!(pieces("# if a>=b&&!c"), ["# if", "a", ">=", "b", "&&", "!", "c"]);
        assert_eq!(pieces("a;b\r\nc é#"), ["a", ";", "b", "\r", "\n", "c", "é", "#"]);
        assert_eq!(pieces("1e2 1e 1ex 3dx 12d"), ["1e2", "1", "e", "1", "ex", "3dx", "12", "d"]);
    }

    #[test]
    fn comments_end_as_in_c() {
        assert_eq!(pieces("a/*b;\n*/c//d;e\nf/**/g/*/h*/i"), ["a", "c", "\n", "f", "g", "i"]);
        assert_eq!(pieces("a // /* b\nc"), ["a", "\n", "c"]);
        let mut notes = Notes::default();
        assert_eq!(lexemes("a /* b", &mut notes).len(), 1);
        assert_eq!(notes.list.into_parts().0.len(), 1);
    }
}
