//! What the literals of a paste say, with the place of each piece.

use std::ops::Range;

use super::pieced::Pieced;
use crate::script::{self, Language, Piece, Token};

/// The tokens of a paste.
pub(super) fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut tokens = script::tokens(text, 0..text.len(), 1, Language::Either);
    // That for the end.
    tokens.pop();
    tokens
}

/// A part of what a literal says.
pub(super) enum Part {
    /// Text.
    Text(Pieced),
    /// A variable or an expression that Haxe puts there (`$name`, `${name}`), and where its name is.
    Inserted(Range<usize>),
    /// An escape that says no character, and where it is.
    Wrong(Range<usize>),
}

/// What a literal says: its escapes are resolved. In single quotes, `$name` is Haxe's sign for the value of a variable.
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
