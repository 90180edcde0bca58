//! Translates SDLSHADERBC modules to SPIR-V, WGSL, GLSL, HLSL and the Metal Shading Language (MSL) through naga.
//!
//! A plan decides which values of a verified [`sdlbc::Module`] get a name, and which are inlined. The module is lowered to a
//! [`naga::Module`], validated by naga, and written. The output depends only on the module and the options. This crate does not
//! depend on AGAL.
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

/// Converts a value to another enum whose variants have the same names.
macro_rules! same_name {
    ($value:expr, $from:ident => $to:ident: $($name:ident),+) => {
        match $value {
            $($from::$name => $to::$name),+
        }
    };
}

mod assembly;
mod atomics;
mod clip;
mod discards;
mod emit;
mod error;
mod features;
mod interface;
mod language;
mod layout;
mod legalise;
mod lengths;
mod lower;
mod members;
mod mend;
mod order;
mod origins;
mod output;
mod plan;
mod renamed;
mod share;
mod target;
mod uniformity;
mod unreachable;
mod versions;

use sdlbc::{FunctionKind, Module, Verified};

pub use assembly::spirv_assembly;
pub use error::Error;
pub use interface::{EntryPoint, Field, Interface, Passed, Resource, ResourceKind, SizeField, Variable};
pub use layout::{Constants, Depth, Layout, Length, Modules, Moves, Numbering, Place, Places, Precision, Samplers};
pub use naga;
pub use origins::SourceLine;
pub use output::{Code, Output, Renamed};
pub use versions::{Glsl, MslVersion, ShaderModel, Target};

/// Translates a module, or one stage of it, to a target.
///
/// # Errors
/// Returns an error if the module lacks the stage, or if the target cannot express the module. A GLSL file contains one stage, so
/// `stage` is required if the module has both stages.
pub fn write(module: &Verified, target: Target, stage: Option<FunctionKind>, layout: &Layout) -> Result<Output, Error> {
    Ok(write_from(module, target, stage, layout, false)?.0)
}

/// Translates a module as [`write()`] does, and also returns the source lines from which each line of the output comes. For
/// SPIR-V, the output lines are the lines of the disassembly by [`spirv_assembly()`]. The module's debug table records the source
/// line of each value, and an output line comes from the source lines of all values that it computes. In SPIR-V, only the first
/// 32,768 instructions of the module are traced.
///
/// # Errors
/// Returns the same errors as [`write()`].
pub fn write_with_lines(
    module: &Verified,
    target: Target,
    stage: Option<FunctionKind>,
    layout: &Layout,
) -> Result<(Output, Vec<Vec<SourceLine>>), Error> {
    let (mut output, lines) = write_from(module, target, stage, layout, true)?;
    if target == Target::Spirv {
        // The traced SPIR-V contains an id for the source, so other ids may differ from the ids of an untraced translation.
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

/// Translates a module, or one stage of it, to a naga module, for renderers that accept naga modules. The result is prepared for
/// naga's writer for the target: the position is adjusted to the target's clip space, and operations that the target lacks are
/// replaced. Options of the writers, such as combined samplers and plain uniforms, do not affect the result. Names are taken from
/// `module`, and repeated names are numbered. Unlike this function, [`write()`] also avoids reserved words.
///
/// # Errors
/// Returns the same errors as [`write()`].
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

/// If the target links stages by the order of their varyings, returns the module without the varyings that only the vertex stage
/// has. Returns `None` if the module need not change.
fn linked_for(target: Target, module: &Module) -> Result<Option<Verified>, Error> {
    let linked = target.features().links_by_order.then(|| target::linked_by_order(module)).flatten();
    linked.map(verified).transpose()
}

fn verified(module: Module) -> Result<Verified, Error> {
    Verified::new(module).map_err(Error::Invalid)
}

/// Checks the layout and returns the stage to write, or `None` to write all stages of the module.
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
/// Returns an error if the module is invalid, or if SPIR-V cannot express it.
pub fn spirv(module: &Module, layout: &Layout) -> Result<Vec<u32>, Error> {
    match write(&verified(module.clone())?, Target::Spirv, None, layout)?.code {
        Code::Words(words) => Ok(words),
        Code::Text(_) => Err(Error::Internal("SPIR-V as text".into())),
    }
}

/// Verifies a module and translates it to WGSL, with an entry point for each vertex and fragment function.
///
/// # Errors
/// Returns an error if the module is invalid, or if WGSL cannot express it.
pub fn wgsl(module: &Module, layout: &Layout) -> Result<String, Error> {
    text(module, Target::Wgsl, None, layout)
}

/// Verifies a module and translates one stage to GLSL.
///
/// # Errors
/// Returns an error if the module is invalid or lacks the stage, or if this version of GLSL cannot express it.
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
/// Returns an error if the module is invalid, or if this shader model of HLSL cannot express it.
pub fn hlsl(module: &Module, model: ShaderModel, layout: &Layout) -> Result<String, Error> {
    text(module, Target::Hlsl(model), None, layout)
}

/// Verifies a module and translates it to the Metal Shading Language, with an entry point for each vertex and fragment function.
///
/// # Errors
/// Returns an error if the module is invalid, or if this version of MSL cannot express it.
pub fn msl(module: &Module, version: MslVersion, layout: &Layout) -> Result<String, Error> {
    text(module, Target::Msl(version), None, layout)
}
