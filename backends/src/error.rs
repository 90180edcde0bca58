//! The reasons why a module cannot be written, with the data for a message.

use std::fmt;

use sdlbc::FunctionKind;

use crate::versions::Target;

/// The reason why a module cannot be written.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// The module breaks rules of the format.
    Invalid(Vec<sdlbc::verify::Violation>),
    /// The target, or this version of the back end, cannot express a feature.
    Unsupported {
        /// The feature.
        what: String,
        /// The target.
        target: Target,
    },
    /// The module does not have the requested stage.
    NoStage(FunctionKind),
    /// Two entry points of one file would have the same name.
    SameEntry {
        /// The name.
        name: String,
        /// The target.
        target: Target,
    },
    /// The layout gives the same binding to two resources of one stage, or of both stages in a language where the stages of a
    /// pipeline share bindings (SPIR-V, WGSL), even if each stage is written to its own file.
    SameBinding {
        /// The stages of the two resources.
        stages: [FunctionKind; 2],
        /// The group.
        group: u32,
        /// The binding.
        binding: u32,
    },
    /// The layout's name for entry points is not an identifier.
    EntryName {
        /// The name.
        name: String,
    },
    /// The layout's arrays of constants are longer than an array of a module may be.
    ConstantLength {
        /// The longer of the lengths of the two stages.
        length: u32,
        /// The highest length.
        limit: u32,
    },
    /// The module has both stages, and a file contains one stage in this target or layout.
    StageNeeded {
        /// The target.
        target: Target,
    },
    /// naga rejected the module that this crate built, which is a bug in this crate.
    Internal(String),
}

impl Error {
    /// Adds the operation that the target cannot express to the error.
    pub(crate) fn within(self, op: sdlbc::Op) -> Error {
        match self {
            Error::Unsupported { what, target } => Error::Unsupported { what: format!("{what} (`{op}`)"), target },
            error => error,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Invalid(violations) => {
                f.write_str("the module breaks the rules of SDLSHADERBC")?;
                let mut separator = ": ";
                violations.iter().try_for_each(|violation| {
                    write!(f, "{separator}{violation}")?;
                    separator = "; ";
                    Ok(())
                })
            }
            Error::Unsupported { what, target } => write!(f, "{target} cannot express {what}"),
            Error::NoStage(kind) => write!(f, "the module has no {} function", kind.name()),
            Error::SameEntry { name, target } => {
                write!(f, "two entry points of one {target} file would be called `{name}`; write the stages apart")
            }
            Error::SameBinding { stages: [one, other], group, binding } => {
                let of = match one == other {
                    true => format!("two resources of the {} stage", one.name()),
                    false => format!("a resource of the {} stage and one of the {} stage", one.name(), other.name()),
                };
                write!(
                    f,
                    "the layout gives {of} the binding {binding} of group {group}; choose places that differ, by another \
                     layout or other groups"
                )
            }
            Error::EntryName { name } => write!(
                f,
                "the layout's entry point {name:?} is not an identifier; use letters, digits and `_`, and no digit at the start"
            ),
            Error::ConstantLength { length, limit } => {
                write!(f, "the layout's arrays of constants have {length} registers; {limit} is the highest number")
            }
            Error::StageNeeded { target } => {
                write!(f, "the module has both stages, and one {target} file of this layout holds one; choose a stage")
            }
            Error::Internal(message) => write!(f, "internal error: {message}"),
        }
    }
}

impl std::error::Error for Error {}
