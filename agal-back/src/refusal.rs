//! Reasons why a function cannot be translated to AGAL.
//!
//! Rule: an operation that AGAL cannot compute is refused by name, never silently approximated.

use std::fmt;

use agal_front::register::File;
use sdlbc::Op;

/// The reason for a refusal.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RefusalKind {
    /// There is no function with this number, or it is not a stage's entry function.
    NoFunction,
    /// The function is a compute function.
    Compute,
    /// More temporaries than the version has.
    Temporaries {
        /// The number that is needed.
        needed: u32,
        /// The number that the version has.
        limit: u32,
    },
    /// More tokens than the version has.
    Tokens {
        /// The number that is needed.
        needed: usize,
        /// The number that the version allows.
        limit: usize,
    },
    /// More constant registers than the version has.
    Constants {
        /// The number that is needed, at least.
        needed: u32,
        /// The number that the version has.
        limit: u32,
    },
    /// Literals are needed, and the caller allows none.
    Literals,
    /// A register that the version or the stage does not have.
    Register {
        /// The file of the register.
        file: File,
        /// The number of the register.
        number: u32,
        /// The number of registers in the file.
        limit: u32,
    },
    /// A feature of a later version.
    Since {
        /// The feature.
        what: &'static str,
        /// The version that has it.
        version: u32,
    },
    /// An operation that AGAL cannot compute.
    Operation(Op),
    /// Operands for which AGAL has no form of the operation.
    Operands {
        /// The operation.
        op: Op,
        /// A description of the operands.
        what: &'static str,
    },
    /// An input of a kind or type that AGAL has no register for.
    Input {
        /// The name of the input.
        name: String,
        /// A description of the input.
        what: &'static str,
    },
    /// An output of a kind or type that AGAL has no register for.
    Output {
        /// The name of the output.
        name: String,
        /// A description of the output.
        what: &'static str,
    },
    /// Control flow that cannot be resolved at compile time.
    Flow {
        /// A description of the control flow.
        what: &'static str,
    },
    /// A loop with more iterations than are unrolled.
    Rounds {
        /// The maximum number of iterations that are unrolled.
        limit: u32,
    },
    /// Loops that unroll to too many instructions.
    Steps {
        /// The maximum number of instructions that are unrolled.
        limit: u32,
    },
    /// No placement was found for values that must lie in one register.
    Places,
    /// AGAL's rules forbid the result; this is the message of the first finding.
    Rule(String),
}

/// The refusal of a function, with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Refusal {
    /// The reason.
    pub kind: RefusalKind,
    /// The requested version.
    pub version: u32,
    /// The lowest version that would accept the function, if it is known and exists.
    pub enough: Option<u32>,
    /// The function.
    pub function: usize,
    /// The instruction in reading order, counted from 1; 0 if the refusal is not about an instruction.
    pub instruction: u32,
    /// The line of the source or the token, if the module knows it.
    pub line: Option<u32>,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let version = self.version;
        match &self.kind {
            RefusalKind::Compute => f.write_str("AGAL has no compute programs")?,
            RefusalKind::NoFunction => write!(f, "function {} is not a vertex or fragment function", self.function)?,
            RefusalKind::Temporaries { needed, limit } => {
                write!(f, "needs {needed} temporaries, AGAL {version} has {limit}")?;
            }
            RefusalKind::Tokens { needed, limit } => write!(f, "needs {needed} tokens, AGAL {version} has {limit}")?,
            RefusalKind::Constants { needed, limit } => {
                write!(f, "needs {needed} constant registers, AGAL {version} has {limit}")?;
            }
            RefusalKind::Literals => write!(f, "needs literals, and none may be added")?,
            RefusalKind::Register { file, number, limit } => {
                write!(f, "needs {} register {number}, ", file.description())?;
                match limit.checked_sub(1) {
                    Some(last) => write!(f, "and the last of AGAL {version} is {last}")?,
                    None => write!(f, "and AGAL {version} has none")?,
                }
            }
            RefusalKind::Since { what, version: since } => {
                write!(f, "{what} needs AGAL {since}, this is AGAL {version}")?
            }
            RefusalKind::Operation(op) => write!(f, "AGAL cannot compute `{op}`")?,
            RefusalKind::Operands { op, what } => write!(f, "AGAL cannot compute `{op}` of {what}")?,
            RefusalKind::Input { name, what } => {
                write!(f, "AGAL has no register for the input `{}`: {what}", name.escape_debug())?
            }
            RefusalKind::Output { name, what } => {
                write!(f, "AGAL has no register for the output `{}`: {what}", name.escape_debug())?
            }
            RefusalKind::Flow { what } => write!(f, "AGAL has no {what}")?,
            RefusalKind::Rounds { limit } => {
                write!(f, "AGAL has no loops, and this one has more than {limit} rounds, the most that are unrolled")?;
            }
            RefusalKind::Steps { limit } => {
                write!(f, "AGAL has no loops, and unrolling these takes more than {limit} instructions")?;
            }
            RefusalKind::Places => write!(f, "no registers were found for values that lie together")?,
            RefusalKind::Rule(message) => write!(f, "the program would break a rule of AGAL: {message}")?,
        }
        if let Some(enough) = self.enough {
            write!(f, "; AGAL {enough} would take it")?;
        }
        Ok(())
    }
}

impl std::error::Error for Refusal {}
