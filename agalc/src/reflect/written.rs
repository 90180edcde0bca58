//! The output files: the names and numbers by which an application finds the program's inputs, outputs and resources in each
//! file.

use backends::{Interface, Passed, ResourceKind, Target};
use sdlbc::{Dimension, FunctionKind, Texel, Type};
use serde::Serialize;

use super::types::{Constants, Stage, dimension_text, has_floats, stage_text, texel_text, text};

/// An output file that was written from the module.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Written {
    /// The output file's language, such as `SPIR-V`, `WGSL` or `GLSL ES 300`.
    #[serde(serialize_with = "text")]
    pub target: Target,
    /// The output file's name.
    pub file: String,
    /// The output file's entry points.
    pub entry_points: Vec<EntryPoint>,
    /// The output file's resources. Resources of the vertex stage come first, and constants precede textures.
    pub resources: Vec<Resource>,
}

/// An entry point of an output file.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct EntryPoint {
    /// The entry point's shader stage.
    #[serde(serialize_with = "stage_text")]
    pub stage: FunctionKind,
    /// The entry point's name in the output file.
    pub name: String,
    /// The size of a workgroup in invocations along x, y and z, or `None` if the entry point is not a compute function.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub workgroup: Option<[u32; 3]>,
    /// The entry point's inputs: attributes or varyings, and built-in values.
    pub inputs: Vec<Variable>,
    /// The entry point's outputs: varyings and the position, or colours and the depth.
    pub outputs: Vec<Variable>,
}

/// An input or output of an entry point.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Variable {
    /// The variable's index among the inputs or outputs of the entry function in the module.
    pub index: usize,
    /// The variable's name in the output file; empty if the variable has no name.
    pub name: String,
    /// The variable's location, or `None` for a built-in value.
    pub location: Option<u32>,
    /// The variable's type in the module.
    #[serde(rename = "type", serialize_with = "text")]
    pub ty: Type,
}

/// A resource of an output file.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Resource {
    /// The shader stage that uses the resource.
    #[serde(serialize_with = "stage_text")]
    pub stage: FunctionKind,
    /// The register or register file, such as `vc` or `fs0`, or `u` or `t0` in a unified-shader program. `None` means that no
    /// register corresponds to the resource.
    pub register: Option<String>,
    /// The resource's name in the output file.
    pub name: String,
    /// The resource's group (WebGPU) or descriptor set (Vulkan), or `None` if the resource has no binding.
    pub group: Option<u32>,
    /// The resource's binding, or `None` for push constants, for plain uniforms, and in GLSL ES, which has no layout
    /// qualifiers.
    pub binding: Option<u32>,
    /// The resource's kind, with data that depends on the kind.
    #[serde(flatten)]
    pub kind: Kind,
}

/// The kind of a resource, with data that depends on the kind.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
#[non_exhaustive]
pub enum Kind {
    /// Constants that the application sets: a uniform buffer, a push constant range or plain uniforms.
    Constants {
        /// The way in which constants are passed, which is `buffer`, `push` (a push constant range) or `plain` (OpenGL's plain
        /// uniforms).
        passed: &'static str,
        /// The name of the block or structure that contains the constants, or `None` if the output file declares
        /// neither.
        block: Option<String>,
        /// The size of the constants in bytes.
        size: u32,
        /// The byte offset of the constants in the push constant range.
        offset: u32,
        /// The byte offset of register 0, which is not 0 if other uniforms precede the register file in the block.
        #[serde(skip_serializing_if = "is_zero")]
        registers_at: u32,
        /// The members of the block. A block that is an array has a single member without a name.
        members: Vec<Field>,
    },
    /// A sampled texture.
    Texture {
        /// The number of the sampler register.
        slot: u32,
        /// The sampled texture's dimension.
        #[serde(serialize_with = "dimension_text")]
        dimension: Dimension,
        /// The scalar type of the texels; JSON omits this field for floats.
        #[serde(serialize_with = "texel_text", skip_serializing_if = "has_floats")]
        texels: Texel,
        /// Whether the output file combines the texture with its sampler.
        combined: bool,
        /// The texture unit in GLSL, or `None` in other languages.
        unit: Option<u32>,
    },
    /// A sampler that the output file declares separately from the texture.
    Sampler {
        /// The number of the sampler register.
        slot: u32,
        /// Whether the sampler compares depths; JSON omits this field if it is false.
        #[serde(skip_serializing_if = "is_false")]
        comparison: bool,
    },
    /// A storage buffer of the stage.
    Buffer {
        /// The storage buffer's slot in the module.
        slot: u32,
        /// The access to the storage buffer, which is `read` or `readwrite`.
        access: &'static str,
        /// The type of the storage buffer's elements.
        #[serde(serialize_with = "text")]
        element: Type,
        /// The distance in bytes from one element of the storage buffer to the next.
        stride: u32,
    },
    /// A storage texture of the stage.
    Image {
        /// The storage texture's slot in the module.
        slot: u32,
        /// The access to the storage texture, which is `read` or `write`.
        access: &'static str,
        /// The storage texture's dimension.
        #[serde(serialize_with = "dimension_text")]
        dimension: Dimension,
        /// WebGPU's name for the format of the storage texture's texels.
        format: &'static str,
    },
    /// MSL's buffer in which the application passes the size of each storage buffer as a uint.
    Sizes {
        /// The name of the structure that contains the sizes.
        block: String,
        /// The size of the structure in bytes.
        size: u32,
        /// The members of the structure. Each member is the size of one storage buffer.
        members: Vec<SizeField>,
    },
}

/// A member of MSL's table of buffer sizes: the size of a storage buffer in bytes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct SizeField {
    /// The member's name in the output file.
    pub name: String,
    /// The member's byte offset in the structure.
    pub offset: u32,
    /// The storage buffer's name in the output file.
    pub buffer: String,
    /// The storage buffer's slot in the module.
    pub slot: u32,
}

/// A member of a block of constants.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Field {
    /// The member's name in the output file; empty if the block is an array.
    pub name: String,
    /// The name by which `glGetUniformLocation` finds the member, if the constants are plain uniforms.
    pub path: String,
    /// The member's byte offset in the block.
    pub offset: u32,
    /// The member's size in bytes.
    pub size: u32,
    /// The member's type in the module.
    #[serde(rename = "type", serialize_with = "text")]
    pub ty: Type,
}

impl Kind {
    /// Returns the number of the sampler register, or `None` for constants, storage buffers and storage textures.
    #[cfg(feature = "es2")]
    pub(super) const fn slot(&self) -> Option<u32> {
        match self {
            Kind::Constants { .. } | Kind::Buffer { .. } | Kind::Image { .. } | Kind::Sizes { .. } => None,
            Kind::Texture { slot, .. } | Kind::Sampler { slot, .. } => Some(*slot),
        }
    }
}

impl Written {
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

/// Reports whether a bool is false, in which case JSON omits the field.
pub(super) fn is_false(is: &bool) -> bool {
    !is
}

pub(super) fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// Returns the size of a value in bytes. A matrix column of two rows has 8 bytes, except in GLSL, whose std140 layout gives every
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
                // The register file may follow other uniforms in a block.
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
