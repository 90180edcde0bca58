//! The forms in which AGAL is pasted.

use std::fmt;

/// A form in which AGAL is pasted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PasteForm {
    /// String literals of ActionScript or Haxe, with the code that joins or passes the literals.
    Strings,
    /// Bytecode as hexadecimal digits.
    Hexadecimal,
    /// Bytecode as a hexadecimal dump, with an offset on each line.
    Dump,
    /// Bytecode in base64.
    Base64,
    /// Bytecode as a list of numbers, or as a string literal with one character for each byte.
    Bytes,
    /// Text from a post, with quoted or numbered lines, entities, headings, or two programs in sequence.
    Post,
}

/// Writes a description of the form, such as `AGAL text in strings of ActionScript or Haxe`.
impl fmt::Display for PasteForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            PasteForm::Strings => "AGAL text in strings of ActionScript or Haxe",
            PasteForm::Hexadecimal => "AGAL bytecode in hexadecimal digits",
            PasteForm::Dump => "AGAL bytecode in a hexadecimal dump",
            PasteForm::Base64 => "AGAL bytecode in base64",
            PasteForm::Bytes => "AGAL bytecode as a list or a string of bytes",
            PasteForm::Post => "AGAL text copied from a post",
        })
    }
}
