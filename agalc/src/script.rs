//! The tokens of ActionScript and Haxe. The tokens have two uses: reading pasted code that contains AGAL, and reading
//! the sources that agal-extract compiles.
//!
//! Rule: a token is a slice of the original text, with its position. This module reports no errors. The two uses of this module
//! differ only in the selected [`Language`].

mod lexer;
mod literal;
#[cfg(test)]
mod tests;
mod token;

use std::ops::Range;

pub use lexer::tokens;
pub use literal::{CDATA, Piece, has_quotes, number, opening, pieces};
pub use token::{Class, Token};

/// The language whose tokens are recognised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// ActionScript, with XML literals and regular expressions between slashes.
    ActionScript,
    /// Haxe, with conditional compilation, interpolated literals and regular expressions that begin with `~/`.
    Haxe,
    /// ActionScript or Haxe that may have been damaged by copying. Curly quotes count as quotes, and `<![CDATA[` begins a
    /// literal. A literal without a closing quote extends to the end of the text instead of the end of its line. A character that
    /// cannot begin a token becomes a sign. Only the signs that ActionScript and Haxe share are recognised. Regular expressions
    /// and XML literals are not recognised.
    Either,
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

fn word_length(text: &str) -> usize {
    text.find(|c| !is_word(c)).unwrap_or(text.len())
}

/// Returns the length in bytes of the comment or Markdown code fence at the beginning of the text, or `None` if the text begins
/// with neither.
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

/// Counts the line ends in a byte range of the text. A line ends with LF, CR LF or CR.
pub fn lines(text: &str, part: Range<usize>) -> u32 {
    let bytes = text.as_bytes();
    let ends = (part.start..part.end.min(bytes.len())).filter(|at| match bytes.get(*at) {
        Some(b'\n') => true,
        Some(b'\r') => bytes.get(at + 1) != Some(&b'\n'),
        _ => false,
    });
    u32::try_from(ends.count()).unwrap_or(u32::MAX)
}
