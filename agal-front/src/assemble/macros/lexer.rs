//! Splits source text into the lexemes of the macro language.
//!
//! Rule: only spaces and comments are left out, and each lexeme is a contiguous range of the source text. Comments end
//! where they would end in C.

use std::ops::Range;

use super::notes::Notes;
use crate::finding::Kind;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    /// A name with its component letters, if any, or a sampler option.
    Word,
    /// A number without a sign.
    Number,
    /// A `#` followed by a word.
    Directive,
    /// Punctuation of the macro language.
    Sign,
    /// The end of a line, or a `;`.
    Break,
    /// A character that is not part of the macro language.
    Other,
}

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

    pub(super) fn is(&self, sign: &str) -> bool {
        self.class == Class::Sign && self.text == sign
    }

    pub(super) fn word(&self) -> Option<&'a str> {
        (self.class == Class::Word).then_some(self.text)
    }

    /// Returns the lexeme's text if the lexeme is a name without components.
    pub(super) fn name(&self) -> Option<&'a str> {
        self.word().filter(|word| !word.contains('.'))
    }
}

/// Returns the range of source text from the first to the last lexeme of a non-empty list.
pub(super) fn extent(lexemes: &[Lexeme]) -> Range<usize> {
    let start = lexemes.first().map_or(0, |first| first.at);
    start..lexemes.last().map_or(start, Lexeme::end)
}

fn is_line_end(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\x0b' | '\x0c')
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '.'
}

pub(super) fn lexemes<'a>(text: &'a str, notes: &mut Notes) -> Vec<Lexeme<'a>> {
    let mut at = 0;
    std::iter::from_fn(|| next(text, &mut at, notes)).collect()
}

/// Returns the first lexeme at or after `at`, and moves `at` to the end of the lexeme.
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

/// Returns the length of the comment at the start of `rest`, and whether the comment is closed.
fn comment(rest: &str) -> Option<(usize, bool)> {
    if rest.starts_with("//") {
        return Some((rest.find(is_line_end).unwrap_or(rest.len()), true));
    }
    let inside = rest.strip_prefix("/*")?;
    Some(inside.find("*/").map_or((rest.len(), false), |length| (length + 4, true)))
}

/// Returns the class and length of the lexeme at the start of `rest`; the class is `None` for a space.
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

/// Returns the length of a `#` followed by spaces and a word, or 1 if there is no word.
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
