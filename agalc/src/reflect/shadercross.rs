//! The reflection of one stage in the format of SDL_shadercross, with further data that SDL's GPU API needs.
//!
//! The first six fields have the names that they have in the JSON of SDL_shadercross. A reader of that JSON may ignore the
//! other fields.

use backends::Target;
use sdlbc::{FunctionKind, Type};
use serde::Serialize;

use super::sampler::{AgalSampler, SdlSampler};
use super::types::{Member, Range, Reflection, Stage, json, stage_text};
use super::written::{EntryPoint, Field, Kind, Resource, Written, is_zero};

/// A stage as SDL_shadercross describes it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ShaderCross {
    /// The number of textures with samplers: `num_samplers` of `SDL_GPUShaderCreateInfo`.
    pub samplers: usize,
    /// The number of storage textures: `num_storage_textures`.
    pub storage_textures: usize,
    /// The number of storage buffers: `num_storage_buffers`.
    pub storage_buffers: usize,
    /// The number of uniform buffers: `num_uniform_buffers`.
    pub uniform_buffers: usize,
    /// The attributes of a vertex stage, the varyings of a fragment stage.
    pub inputs: Vec<Variable>,
    /// The varyings of a vertex stage, the colours of a fragment stage.
    pub outputs: Vec<Variable>,
    /// The stage.
    #[serde(serialize_with = "stage_text")]
    pub stage: FunctionKind,
    /// The file that was written for the stage, if there is one.
    pub file: Option<String>,
    /// The name of the entry point.
    pub entry_point: String,
    /// The textures, by binding: the slot for `SDL_BindGPUFragmentSamplers`.
    pub sampler_slots: Vec<Slot>,
    /// The uniform buffers, by binding: the slot for `SDL_PushGPUFragmentUniformData`.
    pub uniform_slots: Vec<UniformBuffer>,
}

/// An input or output.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Variable {
    /// Its name in the file, or in the module if no file was written.
    pub name: String,
    /// Its type: `float4`.
    #[serde(rename = "type")]
    pub ty: String,
    /// Its location.
    pub location: u32,
}

/// A texture with its sampler.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Slot {
    /// Its index in the stage's textures.
    pub binding: u32,
    /// The register: `fs3`, or `t3` of a unified-shader program.
    pub register: String,
    /// Its name in the file, or in the module.
    pub name: String,
    /// The dimension of the texture.
    pub dimension: &'static str,
    /// The state as `SDL_GPUSamplerCreateInfo`.
    pub sampler: SdlSampler,
    /// The state in AGAL's words.
    pub agal: AgalSampler,
}

/// A uniform buffer.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct UniformBuffer {
    /// Its slot.
    pub binding: u32,
    /// The register file that the buffer contains: `vc`, `fc`, or `u` of a unified-shader program.
    pub register: Option<String>,
    /// Its name in the file, or in the module.
    pub name: String,
    /// Its size in bytes.
    pub size: u32,
    /// The ranges of registers that must be set. Register n is at byte `registers_at` + 16 * n.
    pub ranges: Vec<Range>,
    /// The offset of register 0, in a buffer with other uniforms before the register file.
    #[serde(skip_serializing_if = "is_zero")]
    pub registers_at: u32,
    /// Its members with their offsets; a single member without a name if it is an array.
    pub members: Vec<Field>,
}

impl ShaderCross {
    /// Returns the description as JSON.
    pub fn to_json(&self) -> String {
        json(self)
    }
}

/// Describes a stage as SDL_shadercross does, with the bindings of the first SPIR-V file that has the stage, or else of the
/// first file that has it. Returns `None` if the module has no such stage.
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

/// Returns the inputs and outputs that have locations.
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

/// Returns the textures by binding; without a file, in the order of their slots.
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

/// Returns the uniform buffers by binding; without a file, one for each uniform of the module.
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
        // The application pushes the table in the same way as constants.
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
