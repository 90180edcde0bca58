//! The reasons to refuse a source, with their source locations.

use std::fmt;
use std::ops::Range;

use crate::{Format, Scalar};

/// A refusal to read a source, with the reason and the source location.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Refusal {
    /// The reason for the refusal.
    pub kind: RefusalKind,
    /// The byte range of the refused construct in the source, or `None` if the range is unknown.
    pub bytes: Option<Range<usize>>,
    /// The location of the refused construct in a binary source.
    pub place: Option<Box<BinaryPlace>>,
}

/// A location in a binary source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BinaryPlace {
    /// A line of the source text from which the binary was compiled.
    Line {
        /// The name of the file.
        file: String,
        /// The line, counted from 1.
        line: u32,
    },
    /// The offset of a byte in the binary.
    Byte(usize),
}

/// The reasons to refuse a source.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RefusalKind {
    /// The reader of the source's language rejects the source.
    Unreadable {
        /// The reader's error message.
        message: String,
    },
    /// The validator of the source's language rejects the source.
    Invalid {
        /// The validator's error message.
        message: String,
    },
    /// The source has no vertex, fragment or compute entry point, or lacks an entry point that the options name.
    NoEntry {
        /// The name in the options that matches no entry point, or an empty string if the options name no entry point.
        name: String,
    },
    /// The source has several entry points of the same stage, and the options do not choose between them.
    SeveralEntries {
        /// The names of the entry points of the stage.
        names: Vec<String>,
    },
    /// An override has neither a value in the options nor a default.
    NoValue {
        /// The override's name, or its number if it has no name.
        name: String,
    },
    /// The value for an override does not fit the override's type.
    OverrideValue {
        /// The override's name, or its number if it has no name.
        name: String,
        /// The value from the options that the type cannot represent.
        value: String,
        /// The override's type.
        ty: String,
    },
    /// The source does not state the format of a storage texture, and the options give none, or one with another component type.
    TexelFormat {
        /// The storage texture's name.
        name: String,
        /// The component type of the texels in the source.
        scalar: Scalar,
        /// The format that the options give.
        given: Option<Format>,
    },
    /// The format has no type for some values or resources.
    Types {
        /// A description of the values or resources.
        what: String,
    },
    /// The source uses a type that SDLSHADERBC does not have.
    Type {
        /// The type, in the notation of the source language or of naga.
        name: String,
    },
    /// The source uses an operation that SDLSHADERBC does not have.
    Operation {
        /// A description of the operation, such as `atomic operations`.
        name: String,
    },
    /// An entry point has an input or output that SDLSHADERBC does not have.
    Interface {
        /// A description of the input or output.
        name: String,
    },
    /// The source uses a kind of variable that SDLSHADERBC does not have.
    Variable {
        /// The variable's name.
        name: String,
        /// A description of the kind of variable, such as `immediate data (push constants)`.
        what: String,
    },
    /// The texture, sampler or gathered component of a sampling operation depends on values that are unknown when the source is read.
    Unknown {
        /// A description of the unknown value.
        what: String,
    },
    /// The source exceeds a limit of SDLSHADERBC.
    Limit {
        /// A description of the excessive quantity and its limit.
        what: String,
    },
    /// The lifted module is invalid, which is a fault of the front end.
    Internal {
        /// A description of the rule that the module violates.
        message: String,
    },
}

impl Refusal {
    /// Returns the refusal of the construct at a byte range of a source text.
    pub fn new(kind: RefusalKind, bytes: Option<Range<usize>>) -> Refusal {
        Refusal { kind, bytes, place: None }
    }

    /// Returns the line and column at which the refused construct begins in `text`, both counted from 1, or `None` if the
    /// location is unknown. A column counts characters, not bytes.
    pub fn position(&self, text: &str) -> Option<(usize, usize)> {
        let before = text.get(..self.bytes.as_ref()?.start)?;
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().map_or(0, |line| line.chars().count()) + 1;
        Some((line, column))
    }
}

/// Returns the name of a texel format with a component type.
fn example(scalar: Scalar) -> &'static str {
    Format::ALL.into_iter().find(|format| format.scalar() == scalar).unwrap_or_default().name()
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            RefusalKind::Unreadable { message } | RefusalKind::Invalid { message } => f.write_str(message)?,
            RefusalKind::NoEntry { name } if name.is_empty() => {
                f.write_str("there is no vertex, fragment or compute entry point")?;
            }
            RefusalKind::NoEntry { name } => write!(f, "there is no vertex, fragment or compute entry point `{name}`")?,
            RefusalKind::SeveralEntries { names } => {
                write!(
                    f,
                    "there are {} entry points of one stage; choose one of `{}`",
                    names.len(),
                    names.join("`, `")
                )?;
            }
            RefusalKind::NoValue { name } => write!(f, "the override `{name}` has no default, and is given no value")?,
            RefusalKind::OverrideValue { name, value, ty } => {
                write!(f, "the override `{name}` is of type {ty}, which has no value {value}")?;
            }
            RefusalKind::TexelFormat { name, scalar, given: None } => {
                write!(
                    f,
                    "the storage texture `{name}` has no format, and is given none; give it one of {} texels, such as {}",
                    scalar.name(),
                    example(*scalar)
                )?;
            }
            RefusalKind::TexelFormat { name, scalar, given: Some(format) } => {
                let (scalar, format) = (scalar.name(), format.name());
                write!(f, "the storage texture `{name}` has {scalar} texels, but is given the format {format}")?;
            }
            RefusalKind::Type { name } => write!(f, "SDLSHADERBC has no type `{name}`")?,
            RefusalKind::Types { what } => write!(f, "SDLSHADERBC has no type for {what}")?,
            RefusalKind::Operation { name } => write!(f, "SDLSHADERBC has no operation for {name}")?,
            RefusalKind::Interface { name } => write!(f, "SDLSHADERBC has no {name}")?,
            RefusalKind::Variable { name, what } => write!(f, "SDLSHADERBC has no {what}, such as `{name}`")?,
            RefusalKind::Unknown { what } => write!(f, "{what} is not known when the source is read")?,
            RefusalKind::Limit { what } => f.write_str(what)?,
            RefusalKind::Internal { message } => write!(f, "internal error: {message}; please report it")?,
        }
        match self.place.as_deref() {
            Some(BinaryPlace::Line { file, line }) => write!(f, " ({file}:{line})"),
            Some(BinaryPlace::Byte(at)) => write!(f, " (at byte {at})"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Refusal {}
