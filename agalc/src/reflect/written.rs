//! The files that were written: the names and numbers by which an application finds the inputs, outputs and resources of
//! the program in each file.

use backends::{Interface, Passed, ResourceKind, Target};
use sdlbc::{Dimension, FunctionKind, Texel, Type};
use serde::Serialize;

use super::types::{Constants, Stage, dimension_text, has_floats, stage_text, texel_text, text};

/// A file that was written.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Written {
    /// The language: `SPIR-V`, `WGSL`, `GLSL ES 300` and so on.
    #[serde(serialize_with = "text")]
    pub target: Target,
    /// The file's name.
    pub file: String,
    /// Its entry points.
    pub entry_points: Vec<EntryPoint>,
    /// Its resources. Those of the vertex stage are the first, and constants precede textures.
    pub resources: Vec<Resource>,
}

/// An entry point in a file.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct EntryPoint {
    /// Its stage.
    #[serde(serialize_with = "stage_text")]
    pub stage: FunctionKind,
    /// Its name in the file.
    pub name: String,
    /// The numbers of invocations of a workgroup in x, y and z; only for a compute function.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub workgroup: Option<[u32; 3]>,
    /// Its attributes or varyings, and its builtins.
    pub inputs: Vec<Variable>,
    /// Its varyings or colours, and its position or depth.
    pub outputs: Vec<Variable>,
}

/// An input or output of an entry point.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Variable {
    /// Its index among the inputs or outputs of the function in the module.
    pub index: usize,
    /// Its name in the file; empty if it has none.
    pub name: String,
    /// Its location; `None` for a builtin.
    pub location: Option<u32>,
    /// Its type.
    #[serde(rename = "type", serialize_with = "text")]
    pub ty: Type,
}

/// A resource in a file.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Resource {
    /// The stage that has the resource.
    #[serde(serialize_with = "stage_text")]
    pub stage: FunctionKind,
    /// The register file or register: `vc`, `fs0`, or `u`, `t0` of a unified-shader program; `None` for a uniform that
    /// cannot be a register file.
    pub register: Option<String>,
    /// Its name in the file.
    pub name: String,
    /// The group (WebGPU) or descriptor set (Vulkan).
    pub group: Option<u32>,
    /// The binding.
    pub binding: Option<u32>,
    /// Its kind.
    #[serde(flatten)]
    pub kind: Kind,
}

/// The kind of a resource.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
#[non_exhaustive]
pub enum Kind {
    /// Constants.
    Constants {
        /// `buffer`, `push` (a push constant range) or `plain` (OpenGL's plain uniforms).
        passed: &'static str,
        /// The name of the block or structure.
        block: Option<String>,
        /// The size in bytes.
        size: u32,
        /// The offset in the push constant range.
        offset: u32,
        /// The offset of register 0 in bytes, in a block with other uniforms before the register file.
        #[serde(skip_serializing_if = "is_zero")]
        registers_at: u32,
        /// The members; a single member without a name if the block is an array.
        members: Vec<Field>,
    },
    /// A texture.
    Texture {
        /// The slot: the number of the sampler register.
        slot: u32,
        /// The dimension.
        #[serde(serialize_with = "dimension_text")]
        dimension: Dimension,
        /// The kind of its texels; floats if the field is left out.
        #[serde(serialize_with = "texel_text", skip_serializing_if = "has_floats")]
        texels: Texel,
        /// Whether it is combined with its sampler.
        combined: bool,
        /// The texture unit in GLSL.
        unit: Option<u32>,
    },
    /// A sampler.
    Sampler {
        /// The slot: the number of the sampler register.
        slot: u32,
        /// Whether it compares with depths; left out unless it does.
        #[serde(skip_serializing_if = "is_false")]
        comparison: bool,
    },
    /// A storage buffer.
    Buffer {
        /// The slot.
        slot: u32,
        /// `read` or `readwrite`.
        access: &'static str,
        /// The type of an element.
        #[serde(serialize_with = "text")]
        element: Type,
        /// The distance between elements in bytes.
        stride: u32,
    },
    /// A storage texture.
    Image {
        /// The slot.
        slot: u32,
        /// `read` or `write`.
        access: &'static str,
        /// The dimension.
        #[serde(serialize_with = "dimension_text")]
        dimension: Dimension,
        /// The format of its texels, by its name in WebGPU.
        format: &'static str,
    },
    /// A buffer in which the application passes the sizes of storage buffers, each as a uint; only in MSL.
    Sizes {
        /// The name of the structure.
        block: String,
        /// The size in bytes.
        size: u32,
        /// Its members.
        members: Vec<SizeField>,
    },
}

/// A member of a table of sizes: the size of a storage buffer in bytes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct SizeField {
    /// Its name in the file.
    pub name: String,
    /// Its offset in bytes.
    pub offset: u32,
    /// The name of the storage buffer in the file.
    pub buffer: String,
    /// The slot of the storage buffer.
    pub slot: u32,
}

/// A member of a block of constants.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Field {
    /// Its name in the file; empty if the block is an array.
    pub name: String,
    /// The name for `glGetUniformLocation`, for plain uniforms.
    pub path: String,
    /// Its offset in bytes.
    pub offset: u32,
    /// Its size in bytes.
    pub size: u32,
    /// Its type.
    #[serde(rename = "type", serialize_with = "text")]
    pub ty: Type,
}

impl Kind {
    /// The number of the sampler register; `None` for constants, storage buffers and storage textures.
    #[cfg(feature = "es2")]
    pub(super) const fn slot(&self) -> Option<u32> {
        match self {
            Kind::Constants { .. } | Kind::Buffer { .. } | Kind::Image { .. } | Kind::Sizes { .. } => None,
            Kind::Texture { slot, .. } | Kind::Sampler { slot, .. } => Some(*slot),
        }
    }
}

impl Written {
    /// Describes a file by its interface and the registers of the stages.
    pub(super) fn of(target: Target, file: &str, interface: &Interface, stages: &[Stage]) -> Written {
        let variables = |variables: &[backends::Variable]| {
            let variable = |variable: &backends::Variable| Variable {
                index: variable.index,
                name: variable.name.clone(),
                location: variable.location,
                ty: variable.ty,
            };
            variables.iter().map(variable).collect()
        };
        let entry = |entry: &backends::EntryPoint| EntryPoint {
            stage: entry.stage,
            name: entry.name.clone(),
            workgroup: entry.workgroup,
            inputs: variables(&entry.inputs),
            outputs: variables(&entry.outputs),
        };
        Written {
            target,
            file: file.to_string(),
            entry_points: interface.entries.iter().map(entry).collect(),
            resources: interface.resources.iter().map(|resource| Resource::of(resource, target, stages)).collect(),
        }
    }
}

/// Whether a bool is false, in which case it is left out.
pub(super) fn is_false(is: &bool) -> bool {
    !is
}

pub(super) fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// Returns the size of a value in bytes. A column of two rows has 8 bytes, except in GLSL, whose std140 layout gives every
/// column 16 bytes.
fn size_in(target: Target, ty: Type) -> u32 {
    match (target, ty) {
        (Target::Glsl(_), _) => ty.uniform_bytes(),
        (_, Type::Matrix { columns, rows: 2 }) => 8 * u32::from(columns),
        _ => ty.uniform_bytes(),
    }
}

impl Resource {
    fn of(resource: &backends::Resource, target: Target, stages: &[Stage]) -> Resource {
        let stage = stages.iter().find(|stage| stage.stage == resource.stage);
        let sampler = |slot: u32| Some(super::sampler_register(resource.stage, slot));
        let (register, kind) = match &resource.kind {
            ResourceKind::Constants { passed, block, size, offset, members } => {
                // A block of several uniforms need not begin with the register file.
                let field_of = |uniform: &Constants| members.iter().find(|field| field.uniform.0 == uniform.id);
                let mut constants = stage.into_iter().flat_map(|stage| &stage.constants);
                let file = constants.find_map(|uniform| Some((uniform.file?, field_of(uniform)?)));
                let field = |field: &backends::Field| Field {
                    name: field.name.clone(),
                    path: field.path.clone(),
                    offset: field.offset,
                    size: size_in(target, field.ty),
                    ty: field.ty,
                };
                let kind = Kind::Constants {
                    passed: match passed {
                        Passed::Buffer => "buffer",
                        Passed::Push => "push",
                        Passed::Plain => "plain",
                    },
                    block: block.clone(),
                    size: *size,
                    offset: *offset,
                    registers_at: file.map_or(0, |(_, field)| field.offset.saturating_sub(field.within)),
                    members: members.iter().map(field).collect(),
                };
                (file.map(|(file, _)| file.to_string()), kind)
            }
            &ResourceKind::Texture { dimension, texel, slot, combined, unit } => {
                (sampler(slot), Kind::Texture { slot, dimension, texels: texel, combined, unit })
            }
            &ResourceKind::Sampler { slot, texel } => {
                (sampler(slot), Kind::Sampler { slot, comparison: texel == Texel::Depth })
            }
            &ResourceKind::Buffer { slot, access, element } => {
                (None, Kind::Buffer { slot, access: access.name(), element, stride: element.uniform_bytes() })
            }
            &ResourceKind::Image { slot, access, dimension, format } => {
                (None, Kind::Image { slot, access: access.name(), dimension, format: format.name() })
            }
            ResourceKind::BufferSizes { block, size, members } => {
                let members = members.iter().map(|field| SizeField {
                    name: field.name.clone(),
                    offset: field.offset,
                    buffer: field.buffer.clone(),
                    slot: field.slot,
                });
                (None, Kind::Sizes { block: block.clone(), size: *size, members: members.collect() })
            }
        };
        let (group, binding) = resource.binding.unzip();
        Resource { stage: resource.stage, register, name: resource.name.clone(), group, binding, kind }
    }
}
