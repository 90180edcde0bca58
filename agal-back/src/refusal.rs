//! Why a function cannot be an AGAL program.
//!
//! Rule: what AGAL cannot compute is refused by name, never approximated without saying so.

use std::fmt;

use agal_front::register::File;
use sdlbc::Op;

/// What is lacking.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RefusalKind {
    /// There is no function of this number, or it is not of a stage.
    NoFunction,
    /// It is a compute function.
    Compute,
    /// More temporaries than the version has.
    Temporaries {
        /// How many are needed.
        needed: u32,
        /// How many there are.
        limit: u32,
    },
    /// More tokens than the version has.
    Tokens {
        /// How many are needed.
        needed: usize,
        /// How many there are.
        limit: usize,
    },
    /// More constant registers than the version has.
    Constants {
        /// How many are needed, at least.
        needed: u32,
        /// How many there are.
        limit: u32,
    },
    /// Literals are needed, and the caller allows none.
    Literals,
    /// A register that the version or the stage does not have.
    Register {
        /// Its file.
        file: File,
        /// Its number.
        number: u32,
        /// How many there are.
        limit: u32,
    },
    /// Something that a later version has.
    Since {
        /// What it is.
        what: &'static str,
        /// The version that has it.
        version: u32,
    },
    /// An operation that AGAL cannot compute.
    Operation(Op),
    /// An operation on operands for which AGAL has nothing.
    Operands {
        /// The operation.
        op: Op,
        /// What is wrong with them.
        what: &'static str,
    },
    /// An input of a kind or type that AGAL has no register for.
    Input {
        /// Its name.
        name: String,
        /// What it is.
        what: &'static str,
    },
    /// An output of a kind or type that AGAL has no register for.
    Output {
        /// Its name.
        name: String,
        /// What it is.
        what: &'static str,
    },
    /// Control flow that is only known when the program runs.
    Flow {
        /// What it is.
        what: &'static str,
    },
    /// A loop of more rounds than are unrolled.
    Rounds {
        /// How many are.
        limit: u32,
    },
    /// Loops that more instructions come of than are unrolled.
    Steps {
        /// How many are.
        limit: u32,
    },
    /// No place was found for values that have to lie in one register.
    Places,
    /// AGAL's rules forbid the result: the message of the first finding.
    Rule(String),
}

/// Why a function cannot be an AGAL program, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Refusal {
    /// What is lacking.
    pub kind: RefusalKind,
    /// The version that was asked for.
    pub version: u32,
    /// The lowest version that would take it, if there is one and it is known.
    pub enough: Option<u32>,
    /// The function.
    pub function: usize,
    /// The instruction in reading order, counted from 1; 0 if it is not about one.
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
