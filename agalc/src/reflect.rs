//! Reflection: the inputs, outputs and resources of a module, in one versioned schema (docs/reflection.md).
//!
//! The data comes from the module (the reads of its functions, without dead code), from the programs
//! ([`Reflection::with_programs`]), from the vertex formats that names declare ([`Reflection::with_formats`]), and from the
//! interfaces of written files.
//!
//! Rule: a reflection is plain data, and the same input always produces the same JSON.

mod agal;
mod code;
mod constants;
mod draw;
mod format;
mod sampler;
mod shadercross;
mod stage;
mod state;
mod types;
#[cfg(feature = "es2")]
mod unified;
mod uses;
mod written;

use backends::{Interface, Target};
use sdlbc::{FunctionKind, Module, Unit, flow};

pub use agal::{Agal, Alias, DeclaredSampler, Native, Upload};
pub use draw::{DrawError, DrawErrorKind, check_draw};
pub use format::{GlVertexFormat, VertexFormats};
pub use sampler::{AgalSampler, GlSampler, Sampler, SdlSampler, WebGpuSampler};
pub use shadercross::{ShaderCross, Slot, UniformBuffer, Variable as ShaderCrossVariable, shadercross};
pub use state::{
    BoundTexture, DrawState, Filter, Mip, RenderTarget, Stream, StreamFormat, Surface, TextureFormat, TextureKind,
    TextureState, Wrap,
};
pub use types::{
    Attribute, Builtin, Callee, Constants, Indexed, Link, Matrix, Member, Place, Range, Reflection, Register, Source,
    Stage, StageOutput, StorageBuffer, StorageTexture, VERSION, Varying,
};
pub use written::{EntryPoint, Field, Kind, Resource, SizeField, Variable, Written};

use stage::{links, sampler_register};

/// Describes a verified module, and the files that were written from the module. Each file has a target, a name and an
/// interface. Registers have AGAL's names until [`Reflection::with_programs`] renames the registers of unified-shader
/// programs.
///
/// ```
/// use agalc::{Input, Options, load_all, reflect};
///
/// let text = b"m44 op, va0, vc0\nmov v0, va1.xy".to_vec();
/// let loaded = load_all(&[Input { name: "a.vert".to_string(), bytes: text }], &Options::default())?;
/// let reflection = reflect(&loaded.module, &[]).with_programs(&loaded.programs);
/// let vertex = &reflection.stages[0];
/// assert_eq!(vertex.attributes[1].components, "xy");
/// assert_eq!(vertex.constants[0].matrices[0].opcode, Some("m44"));
/// assert_eq!(vertex.agal.as_ref().map(|agal| agal.tokens), Some(2));
/// # Ok::<(), agalc::Refused>(())
/// ```
pub fn reflect(module: &Module, outputs: &[(Target, &str, &Interface)]) -> Reflection {
    let entry = |kind| module.functions.iter().position(|function| function.kind == kind);
    let kinds = [FunctionKind::Vertex, FunctionKind::Fragment, FunctionKind::Compute];
    let stages: Vec<Stage> = kinds.into_iter().filter_map(|kind| Stage::of(module, entry(kind)?)).collect();
    let generic = module.functions.iter().enumerate().filter(|(_, function)| function.kind == FunctionKind::Generic);
    let functions = generic.map(|(index, function)| {
        let called = module.debug_of(index).map_or("", |debug| debug.name.as_str());
        Callee {
            index,
            name: if function.name.is_empty() { called } else { &function.name }.to_string(),
            instructions: function.body.insts().len(),
            calls: flow::calls(function.body.block()).into_iter().collect(),
        }
    });
    let sources = module.debug.sources.iter().map(|source| Source {
        file: source.file.clone(),
        unit: if source.unit == Unit::Line { "line" } else { "token" },
        text: Some(source.text.clone()).filter(|text| !text.is_empty()),
    });
    let outputs = outputs.iter().map(|&(target, file, interface)| Written::of(target, file, interface, &stages));
    Reflection {
        format: "agalc-reflection",
        version: VERSION,
        functions: functions.collect(),
        varyings: links(&stages),
        sources: sources.collect(),
        outputs: outputs.collect(),
        stages,
    }
}
