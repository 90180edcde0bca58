//! The reflection of one stage in the format of SDL_shadercross, with further data that SDL's GPU API needs.
//!
//! The first six fields of `ShaderCross` have the same names as in SDL_shadercross's JSON. A program that reads SDL_shadercross's
//! JSON may ignore the other fields of `ShaderCross`.

use backends::Target;
use sdlbc::{FunctionKind, Type};
use serde::Serialize;

use super::sampler::{AgalSampler, SdlSampler};
use super::types::{Member, Range, Reflection, Stage, json, stage_text};
use super::written::{EntryPoint, Field, Kind, Resource, Written, is_zero};

/// A stage's reflection in the format of SDL_shadercross.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ShaderCross {
    /// The number of textures with samplers, for `num_samplers` of `SDL_GPUShaderCreateInfo`.
    pub samplers: usize,
    /// The number of storage textures, for `num_storage_textures` of `SDL_GPUShaderCreateInfo`.
    pub storage_textures: usize,
    /// The number of storage buffers, for `num_storage_buffers` of `SDL_GPUShaderCreateInfo`.
    pub storage_buffers: usize,
    /// The number of uniform buffers, for `num_uniform_buffers` of `SDL_GPUShaderCreateInfo`.
    pub uniform_buffers: usize,
    /// The attributes of a vertex stage, or the varyings of a fragment stage.
    pub inputs: Vec<Variable>,
    /// The varyings of a vertex stage, or the colour outputs of a fragment stage.
    pub outputs: Vec<Variable>,
    /// The shader stage that the reflection describes.
    #[serde(serialize_with = "stage_text")]
    pub stage: FunctionKind,
    /// The output file from which the names and bindings come, or `None` if no file contains the stage.
    pub file: Option<String>,
    /// The entry point's name in the output file, or in the module if no file was written.
    pub entry_point: String,
    /// The stage's textures, sorted by binding, which is the slot for `SDL_BindGPUFragmentSamplers`.
    pub sampler_slots: Vec<Slot>,
    /// The stage's uniform buffers, sorted by binding, which is the slot for `SDL_PushGPUFragmentUniformData`.
    pub uniform_slots: Vec<UniformBuffer>,
}

/// A stage's input or output that has a location.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Variable {
    /// The variable's name in the output file, or in the module if no file was written.
    pub name: String,
    /// The variable's type as text, such as `float4`.
    #[serde(rename = "type")]
    pub ty: String,
    /// The location of the input or output.
    pub location: u32,
}

/// A texture that a stage declares, with the state of its sampler.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Slot {
    /// The texture's binding in the output file, or its index among the stage's textures if no file was written.
    pub binding: u32,
    /// The sampler register, such as `fs3`, or `t3` in a unified-shader program.
    pub register: String,
    /// The texture's name in the output file, or in the module if no file was written.
    pub name: String,
    /// The texture's dimension, such as `2d` or `cube`.
    pub dimension: &'static str,
    /// The sampler state as SDL's `SDL_GPUSamplerCreateInfo`.
    pub sampler: SdlSampler,
    /// The sampler state as AGAL's option names.
    pub agal: AgalSampler,
}

/// A uniform buffer that the application pushes for a stage.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct UniformBuffer {
    /// The buffer's binding in the output file, or its index among the stage's uniforms if no file was written.
    pub binding: u32,
    /// The register file in the buffer (`vc`, `fc`, or `u` in a unified-shader program), or `None` if the buffer contains
    /// no register file.
    pub register: Option<String>,
    /// The buffer's name in the output file, or in the module if no file was written.
    pub name: String,
    /// The buffer's size in bytes.
    pub size: u32,
    /// The ranges of registers that the application must set. Register n begins at byte `registers_at` + 16 * n.
    pub ranges: Vec<Range>,
    /// The byte offset of register 0, which is not 0 if other uniforms precede the register file in the buffer.
    #[serde(skip_serializing_if = "is_zero")]
    pub registers_at: u32,
    /// The buffer's members with their offsets. A buffer that is an array has a single member without a name.
    pub members: Vec<Field>,
}

impl ShaderCross {
    /// Returns the description as multi-line JSON.
    pub fn to_json(&self) -> String {
        json(self)
    }
}

/// Describes a stage in the format of SDL_shadercross, or returns `None` if the module lacks the stage. Bindings come from the
/// first SPIR-V file that contains the stage, or from the first file of any target if no SPIR-V file contains the stage.
pub fn shadercross(reflection: &Reflection, of: FunctionKind) -> Option<ShaderCross> {
    let stage = reflection.stage(of)?;
    let entry_of = |written: &&Written| written.entry_points.iter().any(|entry| entry.stage == of);
    let spirv = reflection.outputs.iter().filter(|written| written.target == Target::Spirv).find(entry_of);
    let written = spirv.or_else(|| reflection.outputs.iter().find(entry_of));
    let entry = written.and_then(|written| written.entry_points.iter().find(|entry| entry.stage == of));
    let resources = written.map(|written| &written.resources[..]).unwrap_or_default();
    let resources: Vec<&Resource> = resources.iter().filter(|resource| resource.stage == of).collect();
    let (inputs, outputs) = variables(stage, entry);
    let uniform_slots = uniforms(stage, &resources);
    Some(ShaderCross {
        samplers: stage.samplers.len(),
        storage_textures: stage.images.len(),
        storage_buffers: stage.buffers.len(),
        uniform_buffers: uniform_slots.len(),
        inputs,
        outputs,
        stage: of,
        file: written.map(|written| written.file.clone()),
        entry_point: entry.map_or(&stage.name, |entry| &entry.name).clone(),
        sampler_slots: samplers(stage, &resources),
        uniform_slots,
    })
}

fn variables(stage: &Stage, entry: Option<&EntryPoint>) -> (Vec<Variable>, Vec<Variable>) {
    let variable =
        |name: &str, ty: sdlbc::Type, location| Variable { name: name.to_string(), ty: ty.to_string(), location };
    if let Some(entry) = entry {
        let located = |variables: &[super::written::Variable]| {
            let located = variables.iter().filter_map(|one| Some(variable(&one.name, one.ty, one.location?)));
            let mut located: Vec<Variable> = located.collect();
            located.sort_by_key(|one| one.location);
            located
        };
        return (located(&entry.inputs), located(&entry.outputs));
    }
    let varyings = stage.varyings.iter().map(|varying| variable(&varying.name, varying.ty, varying.location));
    let attributes = stage.attributes.iter().map(|one| variable(&one.name, one.ty, one.location));
    let colours = stage.outputs.iter().filter_map(|output| Some(variable(&output.name, output.ty, output.target?)));
    match stage.stage {
        FunctionKind::Vertex => (attributes.collect(), varyings.collect()),
        _ => (varyings.collect(), colours.collect()),
    }
}

/// Returns the textures sorted by binding. If no file was written, bindings follow the order of the sampler registers.
fn samplers(stage: &Stage, resources: &[&Resource]) -> Vec<Slot> {
    let entries = (0u32..).zip(&stage.samplers).map(|(place, sampler)| {
        let resource = resources
            .iter()
            .find(|resource| matches!(resource.kind, Kind::Texture { slot, .. } if slot == sampler.slot));
        Slot {
            binding: resource.and_then(|resource| resource.binding).unwrap_or(place),
            register: sampler.register.clone(),
            name: resource.map_or(&sampler.name, |resource| &resource.name).clone(),
            dimension: sampler.dimension.view_name(),
            sampler: sampler.sdl.clone(),
            agal: sampler.agal.clone(),
        }
    });
    let mut slots: Vec<Slot> = entries.collect();
    slots.sort_by_key(|slot| slot.binding);
    slots
}

/// Returns the uniform buffers sorted by binding. If no file was written, each uniform of the module has its own buffer.
fn uniforms(stage: &Stage, resources: &[&Resource]) -> Vec<UniformBuffer> {
    let field =
        |name: &str, offset, size, ty| Field { name: name.to_string(), path: name.to_string(), offset, size, ty };
    let ranges = |register: Option<&str>| {
        let constants = stage.constants.iter().find(|constants| constants.file.is_some() && constants.file == register);
        constants.map(|constants| constants.ranges.clone()).unwrap_or_default()
    };
    let buffers = resources.iter().filter_map(|resource| match &resource.kind {
        Kind::Constants { size, registers_at, members, .. } => Some(UniformBuffer {
            binding: resource.binding.unwrap_or_default(),
            register: resource.register.clone(),
            name: resource.name.clone(),
            size: *size,
            ranges: ranges(resource.register.as_deref()),
            registers_at: *registers_at,
            members: members.clone(),
        }),
        // The application pushes MSL's table of buffer sizes in the same way as constants.
        Kind::Sizes { size, members, .. } => Some(UniformBuffer {
            binding: resource.binding.unwrap_or_default(),
            register: None,
            name: resource.name.clone(),
            size: *size,
            ranges: Vec::new(),
            registers_at: 0,
            members: members.iter().map(|member| field(&member.name, member.offset, 4, Type::UINT)).collect(),
        }),
        _ => None,
    });
    let mut buffers: Vec<UniformBuffer> = buffers.collect();
    if resources.is_empty() {
        let of = |member: &Member| field(&member.name, member.offset, member.size, member.ty);
        let entries = (0u32..).zip(&stage.constants).map(|(binding, constants)| UniformBuffer {
            binding,
            register: constants.file.map(str::to_string),
            name: constants.name.clone(),
            size: constants.ty.uniform_bytes(),
            ranges: constants.ranges.clone(),
            registers_at: 0,
            members: constants.members.iter().map(of).collect(),
        });
        buffers.extend(entries);
    }
    buffers.sort_by_key(|buffer| buffer.binding);
    buffers
}
