//! The lexer: splits a text into tokens, without comments and space.
//!
//! The token before a `/` or `<` decides whether it begins a regular expression or an XML literal, so the whole text is
//! split into tokens at once.

use std::ops::Range;

use super::token::{Class, Token};
use super::{Language, comment, is_word, lines, literal, word_length};

/// The signs. A longer sign precedes the signs with which it begins.
const SIGNS: &[&str] = &[
    ">>>=", "===", "!==", ">>>", "<<=", ">>=", "&&=", "||=", "...", "??=", "==", "!=", "<=", ">=", "&&", "||", "<<",
    ">>", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "::", "..", ".<", "=>", "->", "?.", "??", "{",
    "}", "(", ")", "[", "]", ";", ",", ":", "?", ".", "=", "+", "-", "*", "/", "%", "&", "|", "^", "!", "~", "<", ">",
    "@", "$",
];

/// Whether a language has a sign. A sign that only the other language has is two tokens.
fn is_of(sign: &str, language: Language) -> bool {
    match sign {
        "=>" | "->" | "?." | "??" | "??=" | "$" => language == Language::Haxe,
        "===" | "!==" | "&&=" | "||=" | "::" | ".." | ".<" => language == Language::ActionScript,
        _ => true,
    }
}

/// The words that precede an operand, with a space between them.
const BEFORE_OPERANDS: &str = "return typeof case in new delete void throw else do is as instanceof each untyped cast";

/// The maximum number of failed searches for an XML literal, since each may read the whole text.
const MOST_FAILURES: u32 = 100;

struct Lexer<'a> {
    text: &'a str,
    at: usize,
    line: u32,
    language: Language,
    tokens: Vec<Token<'a>>,
    /// The line in which the last token ends.
    last_line: u32,
    /// The number of failed searches for an XML literal.
    failures: u32,
}

/// Splits a part of a text into tokens; `line` is the number of its first line.
pub fn tokens(text: &str, part: Range<usize>, line: u32, language: Language) -> Vec<Token<'_>> {
    let text = text.get(..part.end).unwrap_or(text);
    let mut lexer = Lexer { text, at: part.start, line, language, tokens: Vec::new(), last_line: 0, failures: 0 };
    while let Some(first) = lexer.rest().chars().next() {
        if first.is_whitespace() || first == '\u{feff}' {
            lexer.skip(first.len_utf8());
        } else if let Some(length) = comment(lexer.rest()) {
            lexer.skip(length);
        } else {
            match lexer.next(first) {
                (Some(class), length) => lexer.push(class, length),
                (None, length) => lexer.skip(length),
            }
        }
    }
    lexer.push(Class::End, 0);
    lexer.tokens
}

impl<'a> Lexer<'a> {
    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn push(&mut self, class: Class, length: usize) {
        let (at, line, rest) = (self.at, self.line, self.rest());
        let text = rest.get(..length).unwrap_or(rest);
        self.tokens.push(Token { class, text, at, line, is_first: self.last_line < line });
        self.skip(text.len());
        self.last_line = self.line;
    }

    /// Skips some bytes and counts their lines.
    fn skip(&mut self, length: usize) {
        let start = self.at;
        self.at = (start + length).min(self.text.len());
        self.line = self.line.saturating_add(lines(self.text, start..self.at));
    }

    /// Returns the class and the length of the next piece of text; no class if it is not a token.
    fn next(&mut self, first: char) -> (Option<Class>, usize) {
        let (rest, language) = (self.rest(), self.language);
        if let Some(quotes) = literal::quotes(rest, language) {
            let (class, length) = literal::string(rest, quotes, language);
            return (Some(class), length);
        }
        let starts_with_digit = |text: &str| text.starts_with(|digit: char| digit.is_ascii_digit());
        if starts_with_digit(rest) || first == '.' && rest.get(1..).is_some_and(starts_with_digit) {
            return (Some(Class::Number), literal::number_length(rest, language));
        }
        if is_word(first) && !(first == '$' && language == Language::Haxe) {
            return (Some(Class::Word), word_length(rest));
        }
        if first == '#' && language != Language::Either {
            let length = 1 + word_length(rest.get(1..).unwrap_or_default());
            let is_directive = length > 1 && language == Language::Haxe;
            let length = if rest.starts_with("#!") { rest.find('\n').unwrap_or(rest.len()) } else { length };
            return (is_directive.then_some(Class::Directive), length);
        }
        if let Some(length) = self.regex(rest) {
            return (Some(Class::Regex), length);
        }
        if let Some(length) = self.xml(rest) {
            return (Some(Class::Xml), length);
        }
        match SIGNS.iter().find(|sign| rest.starts_with(**sign) && is_of(sign, language)) {
            Some(sign) => (Some(Class::Sign), sign.len()),
            None => ((language == Language::Either).then_some(Class::Sign), first.len_utf8()),
        }
    }

    /// Whether an operand may begin here, because the previous token does not end an operand.
    fn is_operand(&self) -> bool {
        self.tokens.last().is_none_or(|token| match token.class {
            Class::Word => BEFORE_OPERANDS.split(' ').any(|word| word == token.text),
            Class::Sign => !matches!(token.text, ")" | "]" | "}"),
            Class::Directive => true,
            _ => false,
        })
    }

    /// Returns the length of a regular expression with its flags, if one begins here.
    fn regex(&self, rest: &str) -> Option<usize> {
        let body = match self.language {
            Language::Haxe => rest.strip_prefix("~/")?,
            Language::ActionScript => rest.strip_prefix('/').filter(|_| self.is_operand())?,
            Language::Either => return None,
        };
        let end = rest.len() - body.len() + literal::regex_length(body)? + 1;
        Some(end + word_length(rest.get(end..)?))
    }

    /// Returns the length of an XML literal, if one begins here.
    fn xml(&mut self, rest: &str) -> Option<usize> {
        let may_be = self.language == Language::ActionScript && rest.starts_with('<') && self.is_operand();
        if !may_be || self.failures >= MOST_FAILURES {
            return None;
        }
        let length = literal::xml_length(rest);
        self.failures += u32::from(length.is_none());
        length
    }
}
