//! The reasons why a module cannot be written, with the data for error messages.

use std::fmt;

use sdlbc::FunctionKind;

use crate::versions::Target;

/// The reason why a module cannot be written for a target.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// The module violates rules of the SDLSHADERBC format.
    Invalid(Vec<sdlbc::verify::Violation>),
    /// The target, or this version of the back end, cannot express a feature that the module uses.
    Unsupported {
        /// The unsupported feature, in words.
        what: String,
        /// The target that lacks the feature.
        target: Target,
    },
    /// The module has no function of the requested stage.
    NoStage(FunctionKind),
    /// Two entry points of one file would have the same name.
    SameEntry {
        /// The name of both entry points.
        name: String,
        /// The target of the file.
        target: Target,
    },
    /// The layout assigns the same binding to two resources, in the same stage or in different stages. In SPIR-V and WGSL, the
    /// stages of a pipeline share bindings, so their resources must have different bindings even in separate files.
    SameBinding {
        /// The stages that use the two resources.
        stages: [FunctionKind; 2],
        /// The group of both resources.
        group: u32,
        /// The binding of both resources in the group.
        binding: u32,
    },
    /// The layout keeps the groups and bindings of the source, but the source states none for a resource.
    NoBinding {
        /// The name of the resource.
        name: String,
    },
    /// The layout's name for entry points is not an identifier.
    EntryName {
        /// The layout's name for entry points.
        name: String,
    },
    /// The layout's arrays of constants are longer than the format allows.
    ConstantLength {
        /// The greater of the two stages' array lengths, in registers.
        length: u32,
        /// The maximum length of an array in a module.
        limit: u32,
    },
    /// The caller must select a stage: the module has both stages, but an output file for this target and layout contains only
    /// one.
    StageNeeded {
        /// The target that needs one file per stage.
        target: Target,
    },
    /// An internal error, which is a bug in this crate: for example, naga rejects the lowered module.
    Internal(String),
}

impl Error {
    /// Adds the operation's name to an error about an unsupported feature.
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
                write!(
                    f,
                    "two entry points of one {target} file would be called `{name}`; write the stages to separate files"
                )
            }
            Error::SameBinding { stages: [one, other], group, binding } => {
                let of = match one == other {
                    true => format!("two resources of the {} stage", one.name()),
                    false => format!("a resource of the {} stage and one of the {} stage", one.name(), other.name()),
                };
                write!(
                    f,
                    "the layout gives {of} the same binding {binding} in group {group}; choose another layout or other \
                     groups"
                )
            }
            Error::NoBinding { name } => write!(
                f,
                "the source states no binding for `{name}` alone, so the layout `source` cannot keep it (in Vulkan, an array of \
                 resources has one binding, and its elements become resources of their own); choose another layout, such as \
                 `vulkan` or `wgpu`"
            ),
            Error::EntryName { name } => write!(
                f,
                "the layout's entry point {name:?} is not an identifier; use letters, digits and `_`, and no digit at the start"
            ),
            Error::ConstantLength { length, limit } => {
                write!(f, "the layout's arrays of constants have {length} registers, but the limit is {limit}")
            }
            Error::StageNeeded { target } => {
                write!(
                    f,
                    "the module has both stages, but one {target} file of this layout holds only one of them; choose a stage"
                )
            }
            Error::Internal(message) => write!(f, "internal error: {message}"),
        }
    }
}

impl std::error::Error for Error {}
