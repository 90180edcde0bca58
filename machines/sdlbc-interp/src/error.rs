//! Errors of programs that cannot be run.

use std::fmt;

use sdlbc::Violation;

/// The reason why a function cannot be run.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The module breaks rules.
    Invalid(Vec<Violation>),
    /// The function does not exist, or is generic.
    NoEntry,
    /// A compute function is run as a single invocation, or another kind of function is dispatched.
    Dispatch,
    /// Blocks are nested too deeply, including the blocks of called functions.
    TooDeep,
    /// The function's local arrays and values need too many registers.
    TooLarge,
    /// An instruction's operands are unsuitable although the module verifies: a bug in this crate.
    Unfit,
    /// The function runs more than [`STEPS`](crate::STEPS).
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
            Error::Dispatch => f.write_str("a compute function is dispatched, and no other function is"),
            Error::TooDeep => f.write_str("blocks are nested too deeply, counting those of called functions"),
            Error::TooLarge => f.write_str("it needs too many registers"),
            Error::Unfit => f.write_str("an instruction has unsuitable operands"),
            Error::Stuck => f.write_str("it does not terminate"),
        }
    }
}

impl std::error::Error for Error {}
