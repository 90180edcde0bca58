//! Splits a text into tokens with their spans.

use sdlbc::front::Span;

use crate::finding::shortened;

/// The kinds of tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token<'t> {
    /// Letters, digits and `_`.
    Word(&'t str),
    /// A sign: one of `, ; . [ ] + -`.
    Sign(char),
    /// Any other character.
    Other(char),
    /// The end of the text.
    End,
}

impl Token<'_> {
    /// The description of the token in messages.
    pub(super) fn described(self) -> String {
        match self {
            Token::Word(word) => format!("`{}`", shortened(word)),
            Token::Sign(sign) => format!("`{sign}`"),
            Token::Other(other) => format!("{other:?}"),
            Token::End => "the end of the text".to_string(),
        }
    }
}

/// A tokeniser with one token of lookahead.
#[derive(Clone, Debug)]
pub(super) struct Scan<'t> {
    text: &'t str,
    at: usize,
    line: u32,
    column: u32,
    /// Whether the last character was CR.
    after_return: bool,
}

impl<'t> Scan<'t> {
    pub(super) fn new(text: &'t str) -> Scan<'t> {
        Scan { text, at: 0, line: 1, column: 1, after_return: false }
    }

    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn skip(&mut self, bytes: usize) {
        for c in self.rest().get(..bytes).unwrap_or_default().chars() {
            // A line ends with CR, LF or both.
            match c {
                '\n' if self.after_return => {}
                '\n' | '\r' => (self.line, self.column) = (self.line + 1, 1),
                _ => self.column += 1,
            }
            self.after_return = c == '\r';
        }
        self.at += bytes;
    }

    /// Skips spaces and comments.
    fn skip_blank(&mut self) {
        loop {
            let rest = self.rest();
            let blank = rest.find(|c: char| !c.is_whitespace() && c != '\u{feff}').unwrap_or(rest.len());
            self.skip(blank);
            if !self.rest().starts_with('#') {
                return;
            }
            let rest = self.rest();
            self.skip(rest.find(['\n', '\r']).unwrap_or(rest.len()));
        }
    }

    /// Takes the header, which is a word by itself, if it is next.
    pub(super) fn header(&mut self) -> Option<&'t str> {
        self.skip_blank();
        let rest = self.rest();
        let length = rest.find(|c: char| c.is_whitespace() || c == '#').unwrap_or(rest.len());
        let word = rest.get(..length).filter(|word| word.starts_with("!!"))?;
        self.skip(length);
        Some(word)
    }

    /// The next token and its span, without taking it.
    pub(super) fn peek(&mut self) -> (Token<'t>, Span) {
        self.skip_blank();
        let rest = self.rest();
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let (token, length) = match rest.chars().next() {
            None => (Token::End, 0),
            Some(c) if is_word(c) => {
                let length = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
                (Token::Word(rest.get(..length).unwrap_or_default()), length)
            }
            Some(c @ (',' | ';' | '.' | '[' | ']' | '+' | '-')) => (Token::Sign(c), 1),
            Some(c) => (Token::Other(c), c.len_utf8()),
        };
        let Scan { at, line, column, .. } = *self;
        (token, Span { start: at, end: at + length, line, column, call: None })
    }

    /// Takes the next token, and returns it with its span.
    pub(super) fn next(&mut self) -> (Token<'t>, Span) {
        let (token, span) = self.peek();
        self.skip(span.end - span.start);
        (token, span)
    }

    /// Takes a sign, if it is the next token.
    pub(super) fn take(&mut self, sign: char) -> bool {
        let is_next = self.peek().0 == Token::Sign(sign);
        if is_next {
            self.next();
        }
        is_next
    }

    /// Skips the rest of a statement and its `;`, but not `END`.
    pub(super) fn skip_statement(&mut self) {
        loop {
            match self.peek().0 {
                Token::End => return,
                Token::Word(word) if word.eq_ignore_ascii_case("END") => return,
                _ if self.next().0 == Token::Sign(';') => return,
                _ => {}
            }
        }
    }
}
