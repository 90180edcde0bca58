//! The reasons why a function cannot be translated to AGAL.
//!
//! Rule: an operation that AGAL cannot compute is refused by name, never silently approximated.

use std::fmt;

use agal_front::register::File;
use sdlbc::Op;

/// The reason why a function cannot be translated.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RefusalKind {
    /// No function has the requested index, or the function is not a stage's entry point.
    NoFunction,
    /// The function is a compute function, and AGAL has no compute stage.
    Compute,
    /// The function needs more temporaries than the version has.
    Temporaries {
        /// The number of temporaries that the function needs.
        needed: u32,
        /// The number of temporaries that the version has.
        limit: u32,
    },
    /// The function needs more tokens than the version allows.
    Tokens {
        /// The number of tokens that the function needs, or a lower bound on that number.
        needed: usize,
        /// The maximum number of tokens that the version allows.
        limit: usize,
    },
    /// The function needs more constant registers than the version has.
    Constants {
        /// A lower bound on the number of constant registers that the function needs.
        needed: u32,
        /// The number of constant registers that the version has.
        limit: u32,
    },
    /// The function needs literals in constant registers, but the caller allows none.
    Literals,
    /// An input or output needs a register that the version or the stage does not have.
    Register {
        /// The file of the missing register.
        file: File,
        /// The index of the missing register in its file.
        number: u32,
        /// The number of registers that the file has.
        limit: u32,
    },
    /// The function uses a feature of a later AGAL version.
    Since {
        /// The name of the feature, for messages.
        what: &'static str,
        /// The first AGAL version that has the feature.
        version: u32,
    },
    /// AGAL cannot compute the operation.
    Operation(Op),
    /// AGAL has no form of the operation for these operands.
    Operands {
        /// The operation that AGAL cannot compute.
        op: Op,
        /// A description of the operands, for messages.
        what: &'static str,
    },
    /// AGAL has no register for an input of this kind or type.
    Input {
        /// The name of the input in the module.
        name: String,
        /// A description of the input or of the problem, for messages.
        what: &'static str,
    },
    /// AGAL has no register for an output of this kind or type.
    Output {
        /// The name of the output in the module.
        name: String,
        /// A description of the output or of the problem, for messages.
        what: &'static str,
    },
    /// The function has control flow that cannot be resolved at compile time.
    Flow {
        /// A description of the control flow, for messages.
        what: &'static str,
    },
    /// A loop has more iterations than the translator unrolls.
    Rounds {
        /// The maximum number of iterations that the translator unrolls.
        limit: u32,
    },
    /// Unrolling the function's loops produces too many instructions.
    Steps {
        /// The maximum number of instructions after unrolling.
        limit: u32,
    },
    /// No placement was found for values that must lie in one register.
    Places,
    /// The translated program violates AGAL's rules. The string is the message of the first finding.
    Rule(String),
}

/// The refusal of a function, with the location in the module.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Refusal {
    /// The reason for the refusal.
    pub kind: RefusalKind,
    /// The requested AGAL version, or the version tried last if none was requested.
    pub version: u32,
    /// The lowest later version that accepts the function; `None` if there is none, or if no version was requested.
    pub enough: Option<u32>,
    /// The index of the function in the module.
    pub function: usize,
    /// The number of the refused instruction in reading order, counted from 1; 0 if no single instruction is the reason.
    pub instruction: u32,
    /// The source line or token of the instruction, if the module's debug information contains it.
    pub line: Option<u32>,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let version = self.version;
        match &self.kind {
            RefusalKind::Compute => f.write_str("AGAL has no compute programs")?,
            RefusalKind::NoFunction => write!(f, "function {} is not a vertex or fragment function", self.function)?,
            RefusalKind::Temporaries { needed, limit } => {
                write!(f, "the program needs {needed} temporaries, but AGAL {version} has {limit}")?;
            }
            RefusalKind::Tokens { needed, limit } => {
                write!(f, "the program needs {needed} tokens, but AGAL {version} has {limit}")?
            }
            RefusalKind::Constants { needed, limit } => {
                write!(f, "the program needs {needed} constant registers, but AGAL {version} has {limit}")?;
            }
            RefusalKind::Literals => {
                write!(f, "the program needs literals in constant registers, but the options allow none")?
            }
            RefusalKind::Register { file, number, limit } => {
                write!(f, "the program needs {} register {number}, ", file.description())?;
                match limit.checked_sub(1) {
                    Some(last) => write!(f, "but the last one in AGAL {version} is {last}")?,
                    None => write!(f, "but AGAL {version} has none")?,
                }
            }
            RefusalKind::Since { what, version: since } => {
                write!(f, "{what} needs AGAL {since}, but this is AGAL {version}")?
            }
            RefusalKind::Operation(op) => write!(f, "AGAL cannot compute `{op}`")?,
            RefusalKind::Operands { op, what } => write!(f, "AGAL cannot compute `{op}` of {what}")?,
            RefusalKind::Input { name, what } => {
                write!(f, "AGAL has no register for the input `{}` ({what})", name.escape_debug())?
            }
            RefusalKind::Output { name, what } => {
                write!(f, "AGAL has no register for the output `{}` ({what})", name.escape_debug())?
            }
            RefusalKind::Flow { what } => write!(f, "AGAL has no {what}")?,
            RefusalKind::Rounds { limit } => {
                write!(
                    f,
                    "AGAL has no loops, and this loop has more than {limit} iterations, the limit for unrolling"
                )?;
            }
            RefusalKind::Steps { limit } => {
                write!(
                    f,
                    "AGAL has no loops, and unrolling the loops of this function takes more than {limit} instructions"
                )?;
            }
            RefusalKind::Places => write!(f, "no register was found for values that must share one")?,
            RefusalKind::Rule(message) => write!(f, "the program would break a rule of AGAL: {message}")?,
        }
        if let Some(enough) = self.enough {
            write!(f, "; AGAL {enough} would accept the program")?;
        }
        Ok(())
    }
}

impl std::error::Error for Refusal {}
