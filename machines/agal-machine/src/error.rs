//! Programs that cannot be run.

use std::fmt;

/// The maximum nesting depth of conditionals that the machine runs. The player's own limit is lower.
pub const NESTING: usize = 32;

/// The reason why a program cannot be run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Error {
    /// The token, counted from 1.
    pub token: usize,
    /// The fault of the token.
    pub kind: ErrorKind,
}

/// The faults of a token that cannot be run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The opcode is not defined.
    Opcode(u32),
    /// The opcode belongs to the other stage.
    OtherStage(u32),
    /// The stage and version do not have the source register, or cannot read it: its file and number.
    Source(u8, u32),
    /// The stage and version do not have the destination register, or cannot write it: its file and number.
    Destination(u8, u32),
    /// An indirect read of something other than a constant of a vertex program.
    Index,
    /// `els` outside a conditional, or a second `els` in one.
    Else,
    /// `eif` without an open conditional.
    EndIf,
    /// A conditional that is never closed.
    Unclosed,
    /// Conditionals nested deeper than [`NESTING`].
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
            ErrorKind::Nesting => write!(f, "conditionals are nested deeper than {NESTING}"),
            ErrorKind::Unclosed => write!(f, "the conditional is never closed"),
        }
    }
}

impl std::error::Error for Error {}
