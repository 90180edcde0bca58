//! The forms of a paste.

use std::fmt;

/// A form in which AGAL is pasted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PasteForm {
    /// String literals of ActionScript or Haxe, with the code around them.
    Strings,
    /// Bytecode as hexadecimal digits.
    Hexadecimal,
    /// Bytecode as a dump: lines with offsets and hexadecimal digits.
    Dump,
    /// Bytecode in base64.
    Base64,
    /// Bytecode as a list of numbers, or as a literal with a character for each byte.
    Bytes,
    /// Text from a post: quoted or numbered lines, entities, headings, or two programs in sequence.
    Post,
}

/// `AGAL text in strings of ActionScript or Haxe`
impl fmt::Display for PasteForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            PasteForm::Strings => "AGAL text in strings of ActionScript or Haxe",
            PasteForm::Hexadecimal => "AGAL bytecode in hexadecimal digits",
            PasteForm::Dump => "AGAL bytecode in a hexadecimal dump",
            PasteForm::Base64 => "AGAL bytecode in base64",
            PasteForm::Bytes => "AGAL bytecode as a list or a string of bytes",
            PasteForm::Post => "AGAL text as posts have it",
        })
    }
}
