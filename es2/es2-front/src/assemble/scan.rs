//! Splits assembly text into tokens with their source spans.

use sdlbc::front::Span;

use crate::finding::shortened;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token<'t> {
    /// A word of letters, digits and `_`.
    Word(&'t str),
    /// A punctuation character: one of `, ; . [ ] + -`.
    Sign(char),
    Other(char),
    End,
}

impl Token<'_> {
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
    /// Whether the last consumed character was a carriage return.
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
            // A line ends with CR, LF or CR LF.
            match c {
                '\n' if self.after_return => {}
                '\n' | '\r' => (self.line, self.column) = (self.line + 1, 1),
                _ => self.column += 1,
            }
            self.after_return = c == '\r';
        }
        self.at += bytes;
    }

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

    /// Consumes and returns the next word if it is a program header, which begins with `!!`.
    pub(super) fn header(&mut self) -> Option<&'t str> {
        self.skip_blank();
        let rest = self.rest();
        let length = rest.find(|c: char| c.is_whitespace() || c == '#').unwrap_or(rest.len());
        let word = rest.get(..length).filter(|word| word.starts_with("!!"))?;
        self.skip(length);
        Some(word)
    }

    /// Returns the next token and its span without consuming the token.
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

    pub(super) fn next(&mut self) -> (Token<'t>, Span) {
        let (token, span) = self.peek();
        self.skip(span.end - span.start);
        (token, span)
    }

    /// Consumes the next token if it is the character `sign`, and reports whether a token was consumed.
    pub(super) fn take(&mut self, sign: char) -> bool {
        let is_next = self.peek().0 == Token::Sign(sign);
        if is_next {
            self.next();
        }
        is_next
    }

    /// Skips the rest of a statement, including its `;`, but stops before `END`.
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
