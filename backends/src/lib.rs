//! Translates SDLSHADERBC modules to SPIR-V, WGSL and GLSL through naga.
//!
//! Data flows one way: a verified [`sdlbc::Module`] is planned (which values get a name, and which are inlined), lowered to
//! a [`naga::Module`], validated by naga, and written. The output depends only on the module and the options. This crate
//! knows nothing of AGAL.

mod assembly;
mod clip;
mod emit;
mod gone;
mod lower;
mod names;
mod neighbours;
mod order;
mod plan;
mod reached;
mod share;
mod tidy;
mod words;

use std::fmt;

use sdlbc::{FunctionKind, Module};

pub use assembly::spirv_assembly;

/// A version of GLSL.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Glsl {
    /// Desktop, `#version 450 core`.
    #[default]
    Core450,
    /// Desktop, `#version 330 core`.
    Core330,
    /// OpenGL ES and WebGL 2, `#version 300 es`.
    Es300,
}

/// The language that a module is translated to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    /// SPIR-V for Vulkan.
    Spirv,
    /// WGSL for WebGPU.
    Wgsl,
    /// GLSL for OpenGL.
    Glsl(Glsl),
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Target::Spirv => "SPIR-V",
            Target::Wgsl => "WGSL",
            Target::Glsl(Glsl::Core450) => "GLSL 450",
            Target::Glsl(Glsl::Core330) => "GLSL 330",
            Target::Glsl(Glsl::Es300) => "GLSL ES 300",
        })
    }
}

/// The depth range of clip space.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Depth {
    /// z in 0..w, as in modules: Vulkan, WebGPU, Direct3D, Metal.
    ZeroToOne,
    /// z in -w..w: OpenGL.
    NegativeOneToOne,
}

/// How a module is translated. The defaults are what the target expects.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Options {
    /// The depth range of the vertex stage's position; the target's own by default.
    pub depth: Option<Depth>,
    /// Whether the position's y is negated; by default where the target's clip space has y down (Vulkan).
    pub flip_y: Option<bool>,
}

/// Why a module cannot be written.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// The module breaks rules of the format.
    Invalid(Vec<sdlbc::verify::Violation>),
    /// The target, or this version of the backend, cannot express something.
    Unsupported {
        /// The feature.
        what: String,
        /// The target.
        target: Target,
    },
    /// A GLSL text holds one stage, and the module does not have the requested one.
    NoStage(FunctionKind),
    /// naga rejected the module that was built for it: a bug in this crate.
    Internal(String),
}

impl Error {
    /// Adds the operation that the target cannot express to the error.
    fn within(self, op: sdlbc::Op) -> Error {
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
            Error::Internal(message) => write!(f, "internal error: {message}"),
        }
    }
}

impl std::error::Error for Error {}

/// Translates a module to SPIR-V words, with an entry point for each vertex and fragment function.
///
/// # Errors
/// The module does not verify, or SPIR-V cannot express it.
pub fn spirv(module: &Module, options: &Options) -> Result<Vec<u32>, Error> {
    emit::spirv(lower::lower(module, Target::Spirv, options, None)?)
}

/// Translates a module to WGSL, with an entry point for each vertex and fragment function.
///
/// # Errors
/// The module does not verify, or WGSL cannot express it.
pub fn wgsl(module: &Module, options: &Options) -> Result<String, Error> {
    emit::wgsl(&lower::lower(module, Target::Wgsl, options, None)?)
}

/// Translates one stage of a module to GLSL.
///
/// # Errors
/// The module does not verify or lacks the stage, or this version of GLSL cannot express it.
pub fn glsl(module: &Module, stage: FunctionKind, version: Glsl, options: &Options) -> Result<String, Error> {
    if !module.functions.iter().any(|function| function.kind == stage) {
        return Err(Error::NoStage(stage));
    }
    emit::glsl(&lower::lower(module, Target::Glsl(version), options, Some(stage))?, stage, version)
}
