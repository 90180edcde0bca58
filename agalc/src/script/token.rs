//! Tokens of ActionScript and Haxe, with their classes and positions.

use std::ops::Range;

/// The class of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// A name or a keyword.
    Word,
    /// A number, including a type suffix.
    Number,
    /// A literal in quotes.
    Literal,
    /// A literal without a closing quote, in text of [`Language::Either`](super::Language::Either).
    Open,
    /// A regular expression with its flags.
    Regex,
    /// An XML literal, which may contain expressions.
    Xml,
    /// A directive of Haxe's conditional compilation, such as `#if`.
    Directive,
    /// An operator, a bracket or other punctuation.
    Sign,
    /// The end of the source text, which is an empty token.
    End,
}

/// A token of the source text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token<'a> {
    /// The token's class.
    pub class: Class,
    /// The token as written in the source.
    pub text: &'a str,
    /// The byte offset at which the token begins.
    pub at: usize,
    /// The line on which the token begins.
    pub line: u32,
    /// Whether the token is the first on its line.
    pub is_first: bool,
}

impl Token<'_> {
    /// Returns the token's byte range in the source.
    pub fn range(&self) -> Range<usize> {
        self.at..self.at + self.text.len()
    }

    /// Reports whether the token is the given sign or word.
    pub fn is(&self, text: &str) -> bool {
        matches!(self.class, Class::Word | Class::Sign) && self.text == text
    }
}
