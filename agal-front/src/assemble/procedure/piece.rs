//! Splits the lines of a procedure into words, punctuation and registers.

use std::ops::Range;

use crate::assemble::macros::SourcePlace;

#[derive(Clone, Copy, Debug)]
pub(super) struct Piece<'a> {
    pub(super) text: &'a str,
    pub(super) at: usize,
}

impl<'a> Piece<'a> {
    pub(super) fn range(self) -> Range<usize> {
        self.at..self.at + self.text.len()
    }

    pub(super) fn place(self) -> SourcePlace {
        SourcePlace { range: self.range(), call: None }
    }

    pub(super) fn part(self, range: Range<usize>) -> Piece<'a> {
        Piece { text: self.text.get(range.clone()).unwrap_or_default(), at: self.at + range.start }
    }

    pub(super) fn trimmed(self) -> Piece<'a> {
        let start = self.text.len() - self.text.trim_start().len();
        self.part(start..start + self.text.trim().len())
    }
}

/// A register as written: the letter of the file, the number, and the text after the number.
pub(super) struct Register<'a> {
    pub(super) file: char,
    /// The register's number, or an index in brackets.
    pub(super) number: Piece<'a>,
    pub(super) rest: Piece<'a>,
}

/// Parses a register whose file is a single letter. The number may be left out before an index in brackets.
pub(super) fn register(piece: Piece<'_>) -> Option<Register<'_>> {
    let file = piece.text.chars().next().filter(|letter| "actvsodi".contains(*letter))?;
    let after = piece.text.get(1..)?;
    let length = match after.strip_prefix('[') {
        Some(inside) => inside.find(']')? + 2,
        None => after.find(|c: char| !c.is_ascii_digit()).unwrap_or(after.len()),
    };
    let rest = piece.part(1 + length..piece.text.len());
    let is_whole = rest.text.is_empty() || rest.text.starts_with('.');
    (length > 0 && is_whole).then_some(Register { file, number: piece.part(1..1 + length), rest })
}

pub(super) fn lexemes(line: Piece<'_>) -> Vec<Piece<'_>> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(rest) = line.text.get(at..).filter(|rest| !rest.is_empty()) {
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '.' || c == '_';
        let mut length = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
        if rest.get(length..).is_some_and(|after| length > 0 && after.starts_with('[')) {
            let index = rest.get(length..).and_then(|after| after.find(']')).map_or(rest.len() - length, |end| end + 1);
            length += index;
            length += rest.get(length..).map_or(0, |after| after.find(|c| !is_word(c)).unwrap_or(after.len()));
        }
        if length == 0 {
            length = rest.chars().next().map_or(1, char::len_utf8);
        }
        let piece = line.part(at..at + length);
        if !piece.text.trim().is_empty() {
            found.push(piece);
        }
        at += length;
    }
    found
}

/// Returns the registers of an assignment, beginning with the destination.
pub(super) fn operands(line: Piece<'_>) -> Vec<Piece<'_>> {
    lexemes(line).into_iter().filter(|piece| register(*piece).is_some()).collect()
}
