//! Translates SDLSHADERBC modules to SPIR-V, WGSL, GLSL, HLSL and the Metal Shading Language (MSL) through naga.
//!
//! Data flows one way: a verified [`sdlbc::Module`] is planned (which values get a name, and which are inlined), lowered to
//! a [`naga::Module`], validated by naga, and written. The output depends only on the module and the options. This crate
//! knows nothing of AGAL.
//!
//! ```
//! use sdlbc_naga::{Code, Layout, Target, write};
//!
//! let module = sdlbc::parse(
//!     r#"
//! fragment function "fs_main" {
//!   input %1 v0: float4 = varying 0
//!   output 0 oc: float4 = colour 0
//!   poke %1, 0
//! }
//! "#,
//! )
//! .expect("a module");
//! let module = sdlbc::Verified::new(module).expect("it verifies");
//! let output = write(&module, Target::Wgsl, None, &Layout::default()).expect("WGSL");
//! let Code::Text(text) = output.code else { panic!("WGSL is text") };
//! assert!(text.contains("fn fs_main(@location(0) v0: vec4<f32>) -> @location(0) vec4<f32>"), "{text}");
//! ```

#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::unreachable))]

mod assembly;
mod clip;
mod emit;
mod features;
mod gone;
mod interface;
mod layout;
mod legalise;
mod lengths;
mod lower;
mod members;
mod mend;
mod neighbours;
mod order;
mod origins;
mod plan;
mod reached;
mod renamed;
mod share;
mod target;
mod versions;
mod words;

use std::fmt;

use sdlbc::{FunctionKind, Module, Verified};

pub use assembly::spirv_assembly;
pub use interface::{EntryPoint, Field, Interface, Passed, Resource, ResourceKind, SizeField, Variable};
pub use layout::{Constants, Layout, Length, Modules, Numbering, Place, Places, Precision, Samplers};
pub use naga;
pub use origins::SourceLine;
pub use versions::{MslVersion, ShaderModel};

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
    /// HLSL for Direct3D.
    Hlsl(ShaderModel),
    /// The Metal Shading Language.
    Msl(MslVersion),
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Target::Spirv => "SPIR-V",
            Target::Wgsl => "WGSL",
            Target::Glsl(Glsl::Core450) => "GLSL 450",
            Target::Glsl(Glsl::Core330) => "GLSL 330",
            Target::Glsl(Glsl::Es300) => "GLSL ES 300",
            Target::Hlsl(model) => return write!(f, "HLSL {model}"),
            Target::Msl(version) => return write!(f, "MSL {version}"),
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
    /// Two entry points of one file would have the same name.
    SameEntry {
        /// The name.
        name: String,
        /// The target.
        target: Target,
    },
    /// The layout gives two resources the same binding: of one stage, or of both where the stages of a pipeline share bindings
    /// (SPIR-V, WGSL), even if each is written to a file of its own.
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
    /// The layout's arrays of constants are longer than those of modules may be.
    ConstantLength {
        /// The longer of the lengths of the two stages.
        length: u32,
        /// The highest length.
        limit: u32,
    },
    /// The module has both stages, and a file of the target, or of the layout, holds one.
    StageNeeded {
        /// The target.
        target: Target,
    },
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

/// A written shader.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    /// Its text or words.
    pub code: Code,
    /// What it reads and writes, by the names and numbers in it.
    pub interface: Interface,
    /// The entry points, inputs, outputs and members that have another name in it than in the module.
    pub renamed: Vec<Renamed>,
}

/// A name that the output could not keep: a word of the language, the name of something else, or not a word at all.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Renamed {
    /// The name in the module.
    pub wanted: String,
    /// The name in the output.
    pub given: String,
}

/// The code of a written shader.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Code {
    /// Text.
    Text(String),
    /// The words of a SPIR-V module.
    Words(Vec<u32>),
}

/// Translates a module, or one stage of it, to a target.
///
/// # Errors
/// The module lacks the stage, or the target cannot express it. GLSL holds one stage, so a stage must be given if the module has
/// both.
pub fn write(module: &Verified, target: Target, stage: Option<FunctionKind>, layout: &Layout) -> Result<Output, Error> {
    Ok(write_from(module, target, stage, layout, false)?.0)
}

/// Translates a module as [`write()`] does, and tells which lines of the sources each line comes from: of the text, or of the words'
/// disassembly by [`spirv_assembly()`]. That is known of values, by the module's debug table; a line has the lines of all
/// values that it computes, and none if it computes none. In SPIR-V, only the first 32,768 instructions of the module are followed.
///
/// # Errors
/// As for [`write()`].
pub fn write_with_lines(
    module: &Verified,
    target: Target,
    stage: Option<FunctionKind>,
    layout: &Layout,
) -> Result<(Output, Vec<Vec<SourceLine>>), Error> {
    let (mut output, lines) = write_from(module, target, stage, layout, true)?;
    if target == Target::Spirv {
        // The source that naga's writer is told of takes an id, so that other ids may differ. The instructions are the same.
        output = write(module, target, stage, layout)?;
    }
    Ok((output, origins::source_lines(module, &lines)))
}

fn write_from(
    module: &Verified,
    target: Target,
    stage: Option<FunctionKind>,
    layout: &Layout,
    is_traced: bool,
) -> Result<(Output, origins::Lines), Error> {
    let features = target.features();
    let stage = stage_of(module, target, stage, layout)?;
    let linked = linked_for(target, module)?;
    let source = linked.as_ref().unwrap_or(module);
    let lowered = lower::lower(source, target, &features, layout, stage, is_traced)?;
    let (mut output, lines) = target::write(lowered, target, stage, layout)?;
    if linked.is_some() {
        output.interface.refer_to(source, module);
    }
    output.renamed = renamed::renamed(module, features.entry, layout, &output.interface);
    Ok((output, lines))
}

/// Translates a module, or one stage of it, to a module of naga, for renderers that take one. It is what naga's writer for the
/// target gets: adjusted to the target's clip space and to what it lacks. Options of the writers themselves, such as combined
/// samplers and plain uniforms, do not show in it. Things are called as in the module that is given, with a number where two
/// would have the same name; [`write()`] also avoids the words of the language and those of the text.
///
/// # Errors
/// As for [`write()`].
pub fn module(
    module: &Verified,
    target: Target,
    stage: Option<FunctionKind>,
    layout: &Layout,
) -> Result<(naga::Module, naga::valid::ModuleInfo), Error> {
    let stage = stage_of(module, target, stage, layout)?;
    let linked = linked_for(target, module)?;
    let source = linked.as_ref().unwrap_or(module);
    Ok(emit::module(lower::lower(source, target, &target.features(), layout, stage, false)?))
}

/// The module with the varyings of its stages in one order, where the target links them by their order and not by locations.
fn linked_for(target: Target, module: &Module) -> Result<Option<Verified>, Error> {
    let linked = target.features().links_by_order.then(|| target::linked_by_order(module)).flatten();
    linked.map(verified).transpose()
}

fn verified(module: Module) -> Result<Verified, Error> {
    Verified::new(module).map_err(Error::Invalid)
}

/// Checks the layout, and returns the stage to write; `None` for all that the module has.
fn stage_of(
    module: &Module,
    target: Target,
    stage: Option<FunctionKind>,
    layout: &Layout,
) -> Result<Option<FunctionKind>, Error> {
    layout.check()?;
    let mut stages =
        module.functions.iter().map(|function| function.kind).filter(|&kind| kind != FunctionKind::Generic);
    if let Some(stage) = stage {
        return if stages.any(|kind| kind == stage) { Ok(Some(stage)) } else { Err(Error::NoStage(stage)) };
    }
    let one_a_file = target.holds_one_stage() || layout.modules == Modules::Apart;
    match (stages.next(), stages.next()) {
        (Some(_), Some(_)) if one_a_file => Err(Error::StageNeeded { target }),
        (Some(only), None) => Ok(Some(only)),
        _ => Ok(None),
    }
}

/// Verifies a module and translates it to SPIR-V words, with an entry point for each vertex and fragment function.
///
/// # Errors
/// The module does not verify, or SPIR-V cannot express it.
pub fn spirv(module: &Module, layout: &Layout) -> Result<Vec<u32>, Error> {
    match write(&verified(module.clone())?, Target::Spirv, None, layout)?.code {
        Code::Words(words) => Ok(words),
        Code::Text(_) => Err(Error::Internal("SPIR-V as text".into())),
    }
}

/// Verifies a module and translates it to WGSL, with an entry point for each vertex and fragment function.
///
/// # Errors
/// The module does not verify, or WGSL cannot express it.
pub fn wgsl(module: &Module, layout: &Layout) -> Result<String, Error> {
    text(module, Target::Wgsl, None, layout)
}

/// Verifies a module and translates one stage to GLSL.
///
/// # Errors
/// The module does not verify or lacks the stage, or this version of GLSL cannot express it.
pub fn glsl(module: &Module, stage: FunctionKind, version: Glsl, layout: &Layout) -> Result<String, Error> {
    text(module, Target::Glsl(version), Some(stage), layout)
}

fn text(module: &Module, target: Target, stage: Option<FunctionKind>, layout: &Layout) -> Result<String, Error> {
    match write(&verified(module.clone())?, target, stage, layout)?.code {
        Code::Text(text) => Ok(text),
        Code::Words(_) => Err(Error::Internal(format!("{target} as words"))),
    }
}

/// Verifies a module and translates it to HLSL, with an entry point for each vertex and fragment function.
///
/// # Errors
/// The module does not verify, or this shader model of HLSL cannot express it.
pub fn hlsl(module: &Module, model: ShaderModel, layout: &Layout) -> Result<String, Error> {
    text(module, Target::Hlsl(model), None, layout)
}

/// Verifies a module and translates it to the Metal Shading Language, with an entry point for each vertex and fragment function.
///
/// # Errors
/// The module does not verify, or this version of MSL cannot express it.
pub fn msl(module: &Module, version: MslVersion, layout: &Layout) -> Result<String, Error> {
    text(module, Target::Msl(version), None, layout)
}
