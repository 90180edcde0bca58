//! A cursor that reads the tokens of a line in order.

use std::ops::Range;

use super::error::{Fault, ParseErrorKind, quoted};
use super::lex::{Token, TokenKind, Tokens};
use super::words::{self, Form, Unreadable};
use crate::nearest::nearest;
use crate::{Blocks, Id, module};

type Result<T> = std::result::Result<T, Fault>;

/// Returns the error for a word that is not one of the allowed `words`.
pub(super) fn unknown(what: &'static str, token: Token<'_>, words: impl Iterator<Item = String>) -> Fault {
    let words = words.collect::<Vec<_>>();
    let nearest = nearest(token.text, words.iter().map(String::as_str)).map(str::to_string);
    ParseErrorKind::Unknown { what, found: quoted(token.text), nearest }.at(token.at..token.end())
}

/// A reading position in a line. The cursor reads one token ahead.
pub(super) struct Cursor<'t> {
    tokens: Tokens<'t>,
    pub(super) next: Option<Token<'t>>,
    /// The end of the last token that was read, as a byte offset in the text.
    pub(super) last: usize,
}

impl<'t> Cursor<'t> {
    /// Creates a cursor for a line that begins at the byte offset `at` in the text.
    pub(super) fn new(line: &'t str, at: usize) -> Cursor<'t> {
        let mut tokens = Tokens::new(line, at);
        let next = tokens.next();
        Cursor { tokens, next, last: at }
    }

    pub(super) fn skip(&mut self) -> &mut Cursor<'t> {
        self.advance();
        self
    }

    pub(super) fn advance(&mut self) {
        if let Some(token) = self.next {
            self.last = token.end();
        }
        self.next = self.tokens.next();
    }

    /// Returns the byte range of the next token, or an empty range at the end of the line.
    pub(super) fn place(&self) -> Range<usize> {
        self.next.map_or(self.last..self.last, |token| token.at..token.end())
    }

    /// Returns the error for an unexpected next token. `expected` describes what should be there instead.
    pub(super) fn expected(&self, expected: &str) -> Fault {
        let found = match self.next {
            Some(Token { kind: TokenKind::OpenString, .. }) => return ParseErrorKind::OpenString.at(self.place()),
            Some(token) => quoted(token.text),
            None => "the end of the line".to_string(),
        };
        ParseErrorKind::Expected { expected: expected.to_string(), found }.at(self.place())
    }

    pub(super) fn end_of_line(&self) -> Result<()> {
        if self.next.is_none() { Ok(()) } else { Err(self.expected("the end of the line")) }
    }

    /// Consumes the next token if it is the word or character `text`, and reports whether the token was consumed.
    pub(super) fn eat(&mut self, text: &str) -> bool {
        let found = self.next.is_some_and(|token| token.is(text));
        if found {
            self.advance();
        }
        found
    }

    /// Consumes the word or character `text`, or fails if the next token is different.
    pub(super) fn exactly(&mut self, text: &str) -> Result<()> {
        if self.eat(text) { Ok(()) } else { Err(self.expected(&format!("`{text}`"))) }
    }

    pub(super) fn is(&self, kind: TokenKind) -> bool {
        self.next.is_some_and(|token| token.kind == kind)
    }

    pub(super) fn word(&mut self, expected: &str) -> Result<Token<'t>> {
        match self.next.filter(|token| token.kind == TokenKind::Word) {
            Some(token) => {
                self.advance();
                Ok(token)
            }
            None => Err(self.expected(expected)),
        }
    }

    /// Reads one of several words, and returns the value that is paired with the word.
    pub(super) fn one_of<T, W>(&mut self, what: &'static str, words: impl Fn() -> W) -> Result<T>
    where
        W: IntoIterator<Item = (&'static str, T)>,
    {
        let token = self.word(&format!("a {what}"))?;
        let found = words().into_iter().find(|(word, _)| *word == token.text);
        found
            .map(|(_, value)| value)
            .ok_or_else(|| unknown(what, token, words().into_iter().map(|(word, _)| word.to_string())))
    }

    /// Reports whether the next token is an id, or `_` for an absent value.
    pub(super) fn is_id(&self) -> bool {
        self.is(TokenKind::Id) || self.next.is_some_and(|token| token.is("_"))
    }

    pub(super) fn id(&mut self) -> Result<Id> {
        let Some(token) = self.next.filter(|_| self.is_id()) else { return Err(self.expected("an id")) };
        let id = match token.text.strip_prefix('%') {
            Some(digits) => self.reads(Form::Number, digits, "an id")?,
            None => 0,
        };
        self.advance();
        Ok(Id(id))
    }

    /// Reads a decimal or hexadecimal number.
    pub(super) fn number(&mut self) -> Result<u32> {
        self.immediate(Form::Number)
    }

    /// Reads a decimal or hexadecimal number that must fit into the type `T`.
    pub(super) fn small<T: TryFrom<i32>>(&mut self) -> Result<T> {
        let place = self.place();
        let text = self.next.map_or("", |token| token.text);
        let word = self.immediate(Form::Int)?;
        T::try_from(word.cast_signed()).or(Err(ParseErrorKind::Range { found: quoted(text) }.at(place)))
    }

    /// Reads a texel offset, either as two or three numbers or as one hexadecimal word.
    pub(super) fn offset(&mut self) -> Result<u32> {
        if self.next.is_some_and(|token| token.text.starts_with("0x")) {
            return self.immediate(Form::Bits);
        }
        let mut offset = [i32::from(self.small::<i8>()?), 0, 0];
        for (at, number) in offset.iter_mut().enumerate().skip(1) {
            if at == 1 {
                self.exactly(",")?;
            } else if !self.eat(",") {
                break;
            }
            *number = i32::from(self.small::<i8>()?);
        }
        Ok(module::texel_offset_word(offset).unwrap_or_default())
    }

    pub(super) fn immediate(&mut self, form: Form) -> Result<u32> {
        match self.next {
            Some(Token { kind: TokenKind::Word | TokenKind::Number, text, .. }) => {
                let word = self.reads(form, text, form.name())?;
                self.advance();
                Ok(word)
            }
            _ => Err(self.expected(form.name())),
        }
    }

    pub(super) fn reads(&self, form: Form, text: &str, expected: &str) -> Result<u32> {
        form.read(text).map_err(|unreadable| match unreadable {
            Unreadable::Form => self.expected(expected),
            Unreadable::Range => ParseErrorKind::Range { found: quoted(text) }.at(self.place()),
        })
    }

    pub(super) fn string(&mut self) -> Result<String> {
        let Some(token) = self.next.filter(|token| token.kind == TokenKind::String) else {
            return Err(self.expected("a string"));
        };
        let string = words::unquoted(token.text).map_err(|part| {
            let found = quoted(token.text.get(part.clone()).unwrap_or_default());
            ParseErrorKind::Escape(found).at(token.at + part.start..token.at + part.end)
        })?;
        self.advance();
        Ok(string)
    }

    /// Reads a name, which is a word or a string.
    pub(super) fn label(&mut self) -> Result<String> {
        match self.next {
            Some(Token { kind: TokenKind::Word, text, .. }) if words::is_label(text) => {
                self.advance();
                Ok(text.to_string())
            }
            Some(Token { kind: TokenKind::String, .. }) => self.string(),
            _ => Err(self.expected("a name")),
        }
    }

    /// Reports whether the next token is an operand, and not a line number, a case or the opening of a block.
    pub(super) fn at_operand(&self, blocks: Blocks) -> bool {
        let ends = |token: Token<'_>| {
            let case = blocks == Blocks::Switch && (token.is("case") || token.is("default"));
            case || token.is("@") || token.is("{")
        };
        self.next.is_some_and(|token| !ends(token))
    }
}
