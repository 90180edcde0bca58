//! Defines the errors of programs that cannot be run.

use std::fmt;

use sdlbc::Violation;

/// The reason why a function cannot be run.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The module violates rules of the IR.
    Invalid(Vec<Violation>),
    /// The function does not exist, or is a generic function.
    NoEntry,
    /// A compute function was run like a vertex or fragment function, or a function of another kind was dispatched like a compute
    /// function.
    Dispatch,
    /// The blocks of the function and of the functions that it calls are nested too deeply.
    TooDeep,
    /// The function's local arrays and values need too many registers, or its uniforms or shared arrays are too large.
    TooLarge,
    /// An instruction has unsuitable operands although the module was verified. This error indicates a bug in this crate.
    Unfit,
    /// An invocation exceeds the limit of [`STEPS`](crate::STEPS) steps and blocks.
    Stuck,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Invalid(violations) => match violations.first() {
                Some(first) => write!(f, "the module breaks the rules of SDLSHADERBC: {first}"),
                None => f.write_str("the module breaks the rules of SDLSHADERBC"),
            },
            Error::NoEntry => f.write_str("there is no such vertex, fragment or compute function"),
            Error::Dispatch => {
                f.write_str("a compute function must be dispatched, and other functions cannot be dispatched")
            }
            Error::TooDeep => f.write_str("blocks are nested too deeply, counting those of called functions"),
            Error::TooLarge => f.write_str("it needs too many registers"),
            Error::Unfit => f.write_str("an instruction has unsuitable operands"),
            Error::Stuck => f.write_str("it does not terminate"),
        }
    }
}

impl std::error::Error for Error {}
