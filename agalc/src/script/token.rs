//! A token, with its class and its place.

use std::ops::Range;

/// The class of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// A name or a keyword, depending on its place.
    Word,
    /// A number, with the letters of its type.
    Number,
    /// A literal in quotes.
    Literal,
    /// A literal whose quote is never closed, in a text of [`Language::Either`](super::Language::Either).
    Open,
    /// A regular expression with its flags.
    Regex,
    /// An XML literal, which may contain expressions.
    Xml,
    /// A directive of Haxe's conditional compilation, such as `#if`.
    Directive,
    /// An operator, a bracket or another sign.
    Sign,
    /// The end of the text: the last token, which has no characters.
    End,
}

/// A token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token<'a> {
    /// Its class.
    pub class: Class,
    /// Its text in the source.
    pub text: &'a str,
    /// The offset of its beginning, in bytes.
    pub at: usize,
    /// The line in which it begins.
    pub line: u32,
    /// Whether it is the first token of its line.
    pub is_first: bool,
}

impl Token<'_> {
    /// Its place in the text.
    pub fn range(&self) -> Range<usize> {
        self.at..self.at + self.text.len()
    }

    /// Whether its text is this sign or word.
    pub fn is(&self, text: &str) -> bool {
        matches!(self.class, Class::Word | Class::Sign) && self.text == text
    }
}
