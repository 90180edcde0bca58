//! Refusals of a source: their reasons and source locations.

use std::fmt;
use std::ops::Range;

/// A reason to refuse a source.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Refusal {
    /// The reason.
    pub kind: RefusalKind,
    /// The bytes of the source that the refusal is about, if known.
    pub bytes: Option<Range<usize>>,
}

/// Reasons to refuse a source.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RefusalKind {
    /// naga's reader refuses the source.
    Unreadable {
        /// naga's message.
        message: String,
    },
    /// naga's validator refuses the module that was read.
    Invalid {
        /// naga's message.
        message: String,
    },
    /// There is no entry point of a vertex, fragment or compute shader, or none with a name from the options.
    NoEntry {
        /// A name from the options that no entry point has; empty if the options name none.
        name: String,
    },
    /// Several entry points of one stage.
    SeveralEntries {
        /// Their names.
        names: Vec<String>,
    },
    /// An override that has neither a value nor a default.
    NoValue {
        /// Its name, or its number if it has none.
        name: String,
    },
    /// The value for an override does not fit the override's type.
    OverrideValue {
        /// Its name, or its number if it has none.
        name: String,
        /// The value.
        value: String,
        /// Its type.
        ty: String,
    },
    /// A type that the format does not have.
    Type {
        /// The type, as the source's language or naga writes it.
        name: String,
    },
    /// An operation that the format does not have.
    Operation {
        /// Its name.
        name: String,
    },
    /// An input or output of an entry point that the format does not have.
    Interface {
        /// A description of it.
        name: String,
    },
    /// A variable of a kind that the format does not have.
    Variable {
        /// Its name.
        name: String,
        /// A description of its kind.
        what: String,
    },
    /// The texture or sampler of a sample depends on values that are not known when the source is read.
    Unknown {
        /// A description of the unknown value.
        what: String,
    },
    /// The source exceeds a limit of the format.
    Limit {
        /// The quantity that is too large, and the limit.
        what: String,
    },
    /// The lifted module is not valid, which is a fault of this crate.
    Internal {
        /// The violation.
        message: String,
    },
}

impl Refusal {
    pub(crate) fn new(kind: RefusalKind, bytes: Option<Range<usize>>) -> Refusal {
        Refusal { kind, bytes }
    }

    /// The line and column in `text` at which the refusal begins, counted from 1. A column is a number of characters.
    pub fn position(&self, text: &str) -> Option<(usize, usize)> {
        let before = text.get(..self.bytes.as_ref()?.start)?;
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().map_or(0, |line| line.chars().count()) + 1;
        Some((line, column))
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            RefusalKind::Unreadable { message } | RefusalKind::Invalid { message } => f.write_str(message),
            RefusalKind::NoEntry { name } if name.is_empty() => {
                f.write_str("there is no vertex, fragment or compute entry point")
            }
            RefusalKind::NoEntry { name } => write!(f, "there is no vertex, fragment or compute entry point `{name}`"),
            RefusalKind::SeveralEntries { names } => {
                write!(f, "there are {} entry points of one stage; choose one of `{}`", names.len(), names.join("`, `"))
            }
            RefusalKind::NoValue { name } => write!(f, "the override `{name}` has no default, and is given no value"),
            RefusalKind::OverrideValue { name, value, ty } => {
                write!(f, "the override `{name}` is of type {ty}, which has no value {value}")
            }
            RefusalKind::Type { name } => write!(f, "SDLSHADERBC has no type `{name}`"),
            RefusalKind::Operation { name } => write!(f, "SDLSHADERBC has no operation for {name}"),
            RefusalKind::Interface { name } => write!(f, "SDLSHADERBC has no {name}"),
            RefusalKind::Variable { name, what } => write!(f, "SDLSHADERBC has no {what}, such as `{name}`"),
            RefusalKind::Unknown { what } => write!(f, "{what} is not known when the source is read"),
            RefusalKind::Limit { what } => f.write_str(what),
            RefusalKind::Internal { message } => write!(f, "internal error: {message}; please report it"),
        }
    }
}

impl std::error::Error for Refusal {}
