//! The lexer: splits source text into tokens, without comments and white space.
//!
//! The token before a `/` or `<` decides whether the character begins a regular expression or an XML literal. The complete text
//! is therefore split into tokens in one pass.

use std::ops::Range;

use super::token::{Class, Token};
use super::{Language, comment, is_word, lines, literal, word_length};

/// The operators and punctuation of ActionScript and Haxe. Each sign comes before its own prefixes in the list, so that
/// the first match is the longest.
const SIGNS: &[&str] = &[
    ">>>=", "===", "!==", ">>>", "<<=", ">>=", "&&=", "||=", "...", "??=", "==", "!=", "<=", ">=", "&&", "||", "<<",
    ">>", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "::", "..", ".<", "=>", "->", "?.", "??", "{",
    "}", "(", ")", "[", "]", ";", ",", ":", "?", ".", "=", "+", "-", "*", "/", "%", "&", "|", "^", "!", "~", "<", ">",
    "@", "$",
];

/// Reports whether a sign exists in a language. The lexer splits a sign of the other language into shorter signs.
fn is_of(sign: &str, language: Language) -> bool {
    match sign {
        "=>" | "->" | "?." | "??" | "??=" | "$" => language == Language::Haxe,
        "===" | "!==" | "&&=" | "||=" | "::" | ".." | ".<" => language == Language::ActionScript,
        _ => true,
    }
}

/// A space-separated list of the words that precede an operand.
const BEFORE_OPERANDS: &str = "return typeof case in new delete void throw else do is as instanceof each untyped cast";

/// The maximum number of failed searches for the end of an XML literal. Each search may read the complete text, so the limit
/// bounds the running time.
const MOST_FAILURES: u32 = 100;

struct Lexer<'a> {
    text: &'a str,
    at: usize,
    line: u32,
    language: Language,
    tokens: Vec<Token<'a>>,
    last_line: u32,
    failures: u32,
}

/// Splits a byte range of the text into tokens. `line` is the number of the line on which the range begins.
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

    fn skip(&mut self, length: usize) {
        let start = self.at;
        self.at = (start + length).min(self.text.len());
        self.line = self.line.saturating_add(lines(self.text, start..self.at));
    }

    /// Returns the class and the length in bytes of the next token. The class is `None` for characters that are skipped.
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

    /// Reports whether an operand may begin at the current position, which is the case unless the previous token ends an
    /// operand.
    fn is_operand(&self) -> bool {
        self.tokens.last().is_none_or(|token| match token.class {
            Class::Word => BEFORE_OPERANDS.split(' ').any(|word| word == token.text),
            Class::Sign => !matches!(token.text, ")" | "]" | "}"),
            Class::Directive => true,
            _ => false,
        })
    }

    /// Returns the length of a regular expression with its flags, or `None` if no regular expression begins at the current
    /// position.
    fn regex(&self, rest: &str) -> Option<usize> {
        let body = match self.language {
            Language::Haxe => rest.strip_prefix("~/")?,
            Language::ActionScript => rest.strip_prefix('/').filter(|_| self.is_operand())?,
            Language::Either => return None,
        };
        let end = rest.len() - body.len() + literal::regex_length(body)? + 1;
        Some(end + word_length(rest.get(end..)?))
    }

    /// Returns the length of an XML literal, or `None` if no XML literal begins at the current position.
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
