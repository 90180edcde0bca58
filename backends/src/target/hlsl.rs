//! Writes HLSL, with an entry point for each stage of the module.
//!
//! naga writes HLSL for wgpu's Direct3D back end. `mend/hlsl.rs` and `mend/hlsl_memory.rs` turn naga's output into code that
//! looks hand-written.

use naga::back::hlsl::{self as hlsl_out, ShaderModel as NagaModel};
use naga::{AddressSpace, TypeInner};
use sdlbc::{FunctionKind, InputKind, Module, OutputKind};

use crate::emit::is_read;
use crate::error::Error;
use crate::features::{Clips, Features, Resources, Select};
use crate::language::Language;
use crate::lower::{Lowered, describe};
use crate::mend::baked::for_text;
use crate::mend::hlsl::{Kind, Register, mended};
use crate::mend::names::Given;
use crate::versions::{ShaderModel, Target};

pub(super) fn features(model: ShaderModel) -> Features {
    Features {
        halves: model >= ShaderModel::V6_2,
        // For operations on int vectors, naga uses `?:` with a vector of bools, which HLSL 2021 rejects.
        int_vectors: false,
        // HLSL 2021 has no `?:` with a vector of bools, and earlier HLSL has no `select`.
        select: Select::Nothing,
        compute: true,
        // naga reads the number of workgroups from constants that only wgpu supplies.
        workgroup_counts: false,
        // Direct3D guarantees typed reads of unordered access views only for formats with a single 32-bit component.
        read_images_are_textures: true,
        // HLSL compilers implement `ldexp` as a product with `exp2`, which is not exact.
        ldexp: false,
        links_by_order: true,
        // naga cannot write clip distances as an array in HLSL, where vectors are the usual form.
        clips: Clips::Vectors,
        resources: Resources::Registers { counted: matches!(model, ShaderModel::V5_0) },
        ..Features::of(Language::Hlsl)
    }
}

pub(super) fn hlsl(lowered: &Lowered, model: ShaderModel) -> Result<(String, Given), Error> {
    let registers = registers(lowered, model)?;
    mended(by_naga(lowered, model, &registers)?, lowered, &registers)
}

/// Returns the module without the varyings that the fragment stage does not read, or `None` if there are no such varyings.
/// Direct3D links the stages by the order of their varyings, so an unread varying would shift the later varyings.
pub(crate) fn linked_by_order(module: &Module) -> Option<Module> {
    let function = |kind| module.functions.iter().find(|function| function.kind == kind);
    let read = function(FunctionKind::Fragment)?.inputs.iter().filter_map(|input| match input.kind {
        InputKind::Varying { location, .. } => Some(location),
        _ => None,
    });
    let read = read.collect::<Vec<u32>>();
    let is_unread =
        |kind: OutputKind| matches!(kind, OutputKind::Varying { location, .. } if !read.contains(&location));
    if !function(FunctionKind::Vertex)?.outputs.iter().any(|output| is_unread(output.kind)) {
        return None;
    }
    let mut pruned = module.clone();
    sdlbc::prune(&mut pruned).ok()?;
    Some(pruned)
}

/// Returns the register of each resource that the code reads.
fn registers(lowered: &Lowered, model: ShaderModel) -> Result<Vec<Register<'_>>, Error> {
    let mut registers = Vec::new();
    for (handle, variable) in lowered.module.global_variables.iter() {
        let bound = lowered
            .bindings
            .iter()
            .find(|bound| Some(bound.binding) == variable.binding && is_read(lowered, handle, bound.stage));
        let (Some(bound), Some(label)) = (bound, variable.name.as_deref()) else { continue };
        let (group, number) = bound.place;
        let space = u8::try_from(group).map_err(|_| Error::Unsupported {
            what: format!("the group {group}: register spaces end at {}", u8::MAX),
            target: Target::Hlsl(model),
        })?;
        let kind = match (variable.space, &lowered.module.types[variable.ty].inner) {
            (AddressSpace::Uniform, _) => Kind::Constants,
            (_, &TypeInner::Sampler { comparison }) => Kind::Sampler { comparison },
            _ => Kind::Texture,
        };
        let is_structure = matches!(lowered.module.types[variable.ty].inner, TypeInner::Struct { .. });
        registers.push(Register {
            stage: bound.stage,
            binding: bound.binding,
            label,
            kind,
            is_structure,
            number,
            space,
        });
    }
    Ok(registers)
}

/// Returns the HLSL that naga writes. `registers` lists only the resources that the code reads, and naga omits all others.
fn by_naga(lowered: &Lowered, model: ShaderModel, registers: &[Register<'_>]) -> Result<String, Error> {
    let bind = |register: &Register<'_>| hlsl_out::BindTarget {
        space: register.space,
        register: register.number,
        ..hlsl_out::BindTarget::default()
    };
    let options = hlsl_out::Options {
        shader_model: naga_model(model),
        binding_map: registers.iter().map(|register| (register.binding, bind(register))).collect(),
        fake_missing_bindings: false,
        special_constants_binding: None,
        // naga requires a register for the indices into its sampler heap, although `mend/hlsl.rs` replaces the heap's
        // declarations.
        sampler_buffer_binding_map: registers
            .iter()
            .map(|register| (hlsl_out::SamplerIndexBufferKey { group: register.binding.group }, bind(register)))
            .collect(),
        zero_initialize_workgroup_memory: false,
        // The module already clamps indices, and modules with endless loops are rejected.
        restrict_indexing: false,
        force_loop_bounding: false,
        ..hlsl_out::Options::default()
    };
    let mut text = String::new();
    let pipeline = hlsl_out::PipelineOptions::default();
    let result = hlsl_out::Writer::new(&mut text, &options, &pipeline).write(&for_text(lowered), &lowered.info, None);
    let unsupported = |what: String| Error::Unsupported { what, target: Target::Hlsl(model) };
    let reflection = result.map_err(|error| match error {
        hlsl_out::Error::Unimplemented(what)
        | hlsl_out::Error::Custom(what)
        | hlsl_out::Error::ShaderModelTooLow(what, _) => unsupported(what),
        error => Error::Internal(describe(&error)),
    })?;
    match reflection.entry_point_names.into_iter().find_map(Result::err) {
        Some(error) => Err(Error::Internal(describe(&error))),
        None => Ok(text),
    }
}

const fn naga_model(model: ShaderModel) -> NagaModel {
    same_name!(model, ShaderModel => NagaModel: V5_0, V5_1, V6_0, V6_1, V6_2, V6_3, V6_4, V6_5, V6_6, V6_7, V6_8, V6_9)
}
