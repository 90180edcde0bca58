//! The contents of string literals in a paste, with the position of each piece.

use std::ops::Range;

use super::pieced::Pieced;
use crate::script::{self, Language, Piece, Token};

pub(super) fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut tokens = script::tokens(text, 0..text.len(), 1, Language::Either);
    // The last token only marks the end of the text.
    tokens.pop();
    tokens
}

pub(super) enum Part {
    Text(Pieced),
    /// The range of a name or expression whose value Haxe inserts (`$name`, `${name}`).
    Inserted(Range<usize>),
    /// The range of an escape that encodes no character.
    Wrong(Range<usize>),
}

/// Returns the contents of a literal, with escapes resolved. In a single-quoted Haxe literal, `$name` inserts the value of a
/// variable.
pub(super) fn parts(token: &Token<'_>) -> Vec<Part> {
    let (mut parts, mut text) = (Vec::new(), Pieced::default());
    for (piece, range) in script::pieces(token, Language::Either) {
        match piece {
            Piece::Text(written) => text.copy(written, range.start),
            Piece::Character(letter) => text.put(letter.encode_utf8(&mut [0; 4]), range),
            Piece::Code(_) => parts.extend([Part::Text(std::mem::take(&mut text)), Part::Inserted(range)]),
            Piece::Wrong(_) => parts.push(Part::Wrong(range)),
        }
    }
    parts.push(Part::Text(text));
    parts
}
