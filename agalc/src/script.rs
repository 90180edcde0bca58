//! The tokens of ActionScript and Haxe, for pasted code with AGAL in it and for the sources that agal-extract compiles.
//!
//! Rule: a token is a piece of the original text, with its place. No text is an error for this module, and its users
//! differ only in the [`Language`].

mod lexer;
mod literal;
#[cfg(test)]
mod tests;
mod token;

use std::ops::Range;

pub use lexer::tokens;
pub use literal::{CDATA, Piece, has_quotes, number, opening, pieces};
pub use token::{Class, Token};

/// The language of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// ActionScript.
    ActionScript,
    /// Haxe.
    Haxe,
    /// ActionScript or Haxe, in a text that may have been damaged by copying: a character that begins no token is a
    /// sign, a literal whose quote is never closed extends to the end of the text rather than of its line, curly quotes
    /// are quotes, and `<![CDATA[` begins a literal. The signs of both languages are known, but no regular expressions
    /// and no XML.
    Either,
}

/// Whether a character is part of a word.
fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

/// Returns the length of the word at the beginning of a text.
fn word_length(text: &str) -> usize {
    text.find(|c| !is_word(c)).unwrap_or(text.len())
}

/// Returns the length of a comment, or of a Markdown code fence, at the beginning of a text.
pub fn comment(rest: &str) -> Option<usize> {
    if rest.starts_with("```") {
        return Some(rest.find(['\n', '\r']).unwrap_or(rest.len()));
    }
    match rest.get(..2)? {
        "//" => Some(rest.find(['\n', '\r']).unwrap_or(rest.len())),
        "/*" => Some(rest.get(2..)?.find("*/").map_or(rest.len(), |end| end + 4)),
        _ => None,
    }
}

/// Counts the line ends in a part of a text. A line ends with LF, CR LF or CR.
pub fn lines(text: &str, part: Range<usize>) -> u32 {
    let bytes = text.as_bytes();
    let ends = (part.start..part.end.min(bytes.len())).filter(|at| match bytes.get(*at) {
        Some(b'\n') => true,
        Some(b'\r') => bytes.get(at + 1) != Some(&b'\n'),
        _ => false,
    });
    u32::try_from(ends.count()).unwrap_or(u32::MAX)
}
