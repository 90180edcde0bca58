//! The errors for programs that the machine cannot run.

use std::fmt;

/// The maximum nesting depth of conditionals that the machine runs. Flash Player's limit is lower.
pub const NESTING: usize = 32;

/// An error in a program that the machine cannot run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Error {
    /// The number of the token that cannot run, counted from 1.
    pub token: usize,
    /// The reason why the token cannot run.
    pub kind: ErrorKind,
}

/// The reasons why a token cannot run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The opcode with this number is undefined.
    Opcode(u32),
    /// The opcode with this number is not available in the program's stage.
    OtherStage(u32),
    /// A source register, given by file and number, cannot be read in the program's stage and version.
    Source(u8, u32),
    /// A destination register, given by file and number, cannot be written in the program's stage and version.
    Destination(u8, u32),
    /// An indirect read occurs in a fragment program, or reads a register other than a constant.
    Index,
    /// An `els` is outside a conditional, or is the second `els` of a conditional.
    Else,
    /// An `eif` has no open conditional.
    EndIf,
    /// A conditional is never closed.
    Unclosed,
    /// Conditionals are nested deeper than [`NESTING`].
    Nesting,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "token {}: ", self.token)?;
        match self.kind {
            ErrorKind::Opcode(code) => write!(f, "opcode 0x{code:02X} is not defined"),
            ErrorKind::OtherStage(code) => write!(f, "opcode 0x{code:02X} belongs to the other stage"),
            ErrorKind::Source(file, number) => write!(f, "register {number} of file {file} cannot be read"),
            ErrorKind::Destination(file, number) => write!(f, "register {number} of file {file} cannot be written"),
            ErrorKind::Index => write!(f, "only constants of vertex programs can be read through an index"),
            ErrorKind::Else => write!(f, "`els` without an open conditional, or a second `els` in one"),
            ErrorKind::EndIf => write!(f, "`eif` without an open conditional"),
            ErrorKind::Nesting => write!(f, "conditionals are nested more than {NESTING} levels deep"),
            ErrorKind::Unclosed => write!(f, "the conditional is never closed"),
        }
    }
}

impl std::error::Error for Error {}
