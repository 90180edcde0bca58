//! The reflection, as plain data that serde writes. docs/reflection.md describes the data, and docs/reflection.schema.json
//! defines the schema.
//!
//! Rule: a field is written even if its value is null, so that a reader need not distinguish an absent field from a null field.
//! Only fields for features that AGAL lacks, such as compute functions and storage buffers, may be absent. Lists are sorted by
//! number or follow the order of the module, and never depend on the order of a hash map.
//!
//! This file and the files that define parts of a reflection import each other, because [`Reflection`] names the types of
//! its parts, which contain types from this file.

use sdlbc::{Dimension, FunctionKind, Interpolation, Texel, Type};
use serde::{Serialize, Serializer};

use super::agal::Agal;
use super::format::VertexFormats;
use super::sampler::Sampler;
use super::written::Written;

/// The version of the reflection schema. The version changes whenever a field of the schema changes.
pub const VERSION: u32 = 2;

/// The inputs, outputs and resources of a program or pair, with their names in each file that was written.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Reflection {
    /// The format's name, which is always `agalc-reflection`.
    pub format: &'static str,
    /// The version of the schema, which is always [`VERSION`].
    pub version: u32,
    /// The entry functions, beginning with the vertex stage if the module has a vertex stage.
    pub stages: Vec<Stage>,
    /// The functions that entry functions call, in the order of the module.
    pub functions: Vec<Callee>,
    /// The varyings of a pair, sorted by location.
    pub varyings: Vec<Link>,
    /// The source files in the module's debug table.
    pub sources: Vec<Source>,
    /// The output files that were written from the module.
    pub outputs: Vec<Written>,
}

/// The reflection of an entry function.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Stage {
    /// The entry function's shader stage.
    #[serde(serialize_with = "stage_text")]
    pub stage: FunctionKind,
    /// The entry function's index in the module.
    pub function: usize,
    /// The entry function's name in the module.
    pub name: String,
    /// The number of instructions in the entry function, including its nested blocks but not the functions that it calls.
    pub instructions: usize,
    /// The indices of the functions that the entry function calls directly.
    pub calls: Vec<usize>,
    /// Information from the AGAL program, or `None` if the stage was not lifted from AGAL.
    pub agal: Option<Agal>,
    /// The vertex attributes, sorted by location.
    pub attributes: Vec<Attribute>,
    /// The varyings that a vertex stage writes or a fragment stage reads, sorted by location.
    pub varyings: Vec<Varying>,
    /// The uniforms of the stage, in the order of the module.
    pub constants: Vec<Constants>,
    /// The stage's textures with their samplers, sorted by slot.
    pub samplers: Vec<Sampler>,
    /// The stage's storage buffers, sorted by slot. JSON omits an empty list.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub buffers: Vec<StorageBuffer>,
    /// The stage's storage textures, sorted by slot. JSON omits an empty list.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub images: Vec<StorageTexture>,
    /// The size of a workgroup in invocations along x, y and z, or `None` if the stage is not a compute function.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub workgroup: Option<[u32; 3]>,
    /// The built-in values that the stage reads from the pipeline.
    pub builtins: Vec<Builtin>,
    /// The stage's outputs that are not varyings.
    pub outputs: Vec<StageOutput>,
    /// Whether the stage may discard fragments.
    pub discards: bool,
    /// Whether the stage uses derivatives, through `ddx`, `ddy` or samples with an implicit level of detail.
    pub derivatives: bool,
}

/// A function that entry functions call.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Callee {
    /// The called function's index in the module.
    pub index: usize,
    /// The called function's name in the module or in the debug table; empty if the function has no name.
    pub name: String,
    /// The number of instructions in the called function, including nested blocks.
    pub instructions: usize,
    /// The indices of the functions that the called function calls directly.
    pub calls: Vec<usize>,
}

/// A vertex attribute of the vertex stage.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Attribute {
    /// The attribute register, such as `va1`, or `a1` in a unified-shader program.
    pub register: String,
    /// The attribute's location, which is the number of the attribute register.
    pub location: u32,
    /// The attribute's name in the module.
    pub name: String,
    /// The attribute's type in the module.
    #[serde(rename = "type", serialize_with = "text")]
    pub ty: Type,
    /// The components that the code reads, such as `xyz`.
    pub components: String,
    /// The vertex format that the attribute's name declares, or the format of the attribute's type if the name declares none.
    pub formats: VertexFormats,
}

/// A varying that the vertex stage writes or the fragment stage reads.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Varying {
    /// The varying register, such as `v0`.
    pub register: String,
    /// The varying's location, which is the number of the varying register.
    pub location: u32,
    /// The varying's name in the module.
    pub name: String,
    /// The varying's type in the module.
    #[serde(rename = "type", serialize_with = "text")]
    pub ty: Type,
    /// The varying's interpolation mode.
    #[serde(serialize_with = "interpolation")]
    pub interpolation: Interpolation,
    /// The components that the vertex stage writes or the fragment stage reads.
    pub components: String,
}

/// A varying that links the vertex stage of a pair to the fragment stage.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Link {
    /// The varying register, such as `v0`.
    pub register: String,
    /// The varying's location in both stages.
    pub location: u32,
    /// The varying's type in the module.
    #[serde(rename = "type", serialize_with = "text")]
    pub ty: Type,
    /// The varying's interpolation mode.
    #[serde(serialize_with = "interpolation")]
    pub interpolation: Interpolation,
    /// The components that the vertex stage writes; empty if the vertex stage does not write the varying.
    pub written: String,
    /// The components that the fragment stage reads; empty if the fragment stage does not read the varying.
    pub read: String,
}

/// A uniform of a stage. An AGAL program has a single uniform: an array with one element for each constant register.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Constants {
    /// The uniform's id in the first function that declares the uniform.
    pub id: u32,
    /// The register file (`vc`, `fc`, or `u` in a unified-shader program), or `None` for a uniform that cannot be a
    /// register file.
    pub file: Option<&'static str>,
    /// The uniform's name in the module.
    pub name: String,
    /// The uniform's type in the module.
    #[serde(rename = "type", serialize_with = "text")]
    pub ty: Type,
    /// The number of registers: the length of an array, the number of columns of a matrix, or 1 for other types.
    pub length: u32,
    /// The uniform's place in a uniform buffer, or `None` if the module does not declare a place.
    pub place: Option<Place>,
    /// The ranges of registers that the application must set.
    pub ranges: Vec<Range>,
    /// The registers that the code reads at constant indices, each with the components that the code reads.
    pub registers: Vec<Register>,
    /// The reads at computed indices, or `None` if the code reads registers only at constant indices.
    pub indexed: Option<Indexed>,
    /// The registers that the code uses as columns of matrices.
    pub matrices: Vec<Matrix>,
    /// The named parts of the uniform.
    pub members: Vec<Member>,
}

/// The place of a uniform in a uniform buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Place {
    /// The slot of the uniform buffer.
    pub slot: u32,
    /// The uniform's byte offset in the buffer.
    pub offset: u32,
    /// The uniform's size in bytes, without trailing padding.
    pub size: u32,
}

/// A range of consecutive constant registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Range {
    /// The number of the first register in the range.
    pub first: u32,
    /// The number of registers in the range.
    pub count: u32,
}

/// A constant register that the code reads at a constant index.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Register {
    /// The number of the constant register.
    pub register: u32,
    /// The components that the code reads.
    pub components: String,
}

/// The reads of constant registers at computed indices.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Indexed {
    /// The constants that are added to computed indices, in ascending order, for example 4 for `vc[va0.x+4]`.
    pub bases: Vec<i32>,
    /// The components that the code reads at computed indices.
    pub components: String,
}

/// Consecutive constant registers that the code uses as the columns of a matrix.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Matrix {
    /// The number of the first register, or the constant that is added to a computed index.
    pub first: i32,
    /// The number of columns in the matrix, each of which is a register.
    pub columns: u8,
    /// The number of components in each column of the matrix.
    pub rows: u8,
    /// Whether the index of the first register is computed.
    pub indexed: bool,
    /// The AGAL opcode for the matrix's shape (`m44`, `m34` or `m33`), or `None` if no opcode has that shape.
    pub opcode: Option<&'static str>,
}

/// A named part of a uniform.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Member {
    /// The member's name in the module's debug table.
    pub name: String,
    /// The number of the member's first register.
    pub register: u32,
    /// The member's first component in its first register, from 0 for x to 3 for w.
    pub component: u32,
    /// The member's type, such as `float4x4`.
    #[serde(rename = "type", serialize_with = "text")]
    pub ty: Type,
    /// The member's byte offset in the uniform, in which each register occupies 16 bytes.
    pub offset: u32,
    /// The member's size in bytes. Matrices and arrays occupy complete registers.
    pub size: u32,
}

/// A storage buffer of a stage.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct StorageBuffer {
    /// The storage buffer's slot in the module.
    pub slot: u32,
    /// The storage buffer's name in the module.
    pub name: String,
    /// The access to the storage buffer, which is `read`, or `readwrite` if the stage may also write.
    pub access: &'static str,
    /// The type of the storage buffer's elements.
    #[serde(serialize_with = "text")]
    pub element: Type,
    /// The distance in bytes from one element of the storage buffer to the next.
    pub stride: u32,
}

/// A storage texture of a stage.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct StorageTexture {
    /// The storage texture's slot in the module.
    pub slot: u32,
    /// The storage texture's name in the module.
    pub name: String,
    /// The access to the storage texture, which is `read` or `write`.
    pub access: &'static str,
    /// The storage texture's dimension.
    #[serde(serialize_with = "dimension_text")]
    pub dimension: Dimension,
    /// WebGPU's name for the format of the storage texture's texels.
    pub format: &'static str,
}

/// A built-in value that a stage reads from the pipeline.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Builtin {
    /// The built-in value's kind, such as `instanceindex` or `fragmentcoordinate`.
    pub kind: &'static str,
    /// The built-in value's register, which is AGAL's `iid`, or `fragcoord`, `pointcoord` or `frontfacing` in a unified-shader
    /// program. `None` means that the instruction set has no register for the value.
    pub register: Option<&'static str>,
    /// The built-in value's name in the module.
    pub name: String,
    /// The built-in value's type.
    #[serde(rename = "type", serialize_with = "text")]
    pub ty: Type,
    /// The components that the code reads.
    pub components: String,
}

/// A stage's output that is not a varying.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct StageOutput {
    /// The output's kind, which is `position`, `colour`, `depth`, `pointsize` or `clipdistance`.
    pub kind: &'static str,
    /// The output register, such as AGAL's `op`, `oc`, `oc1` or `od`, or `position`, `pointsize`, `fragcolor` or `d1` in a
    /// unified-shader program. `None` means that the instruction set has no register for the output.
    pub register: Option<String>,
    /// The index of the render target to which a colour is written, or `None` for other outputs.
    pub target: Option<u32>,
    /// The index of a clip distance, or `None` for other outputs. JSON omits the field if it is `None`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub distance: Option<u32>,
    /// The output's name in the module.
    pub name: String,
    /// The output's type in the module.
    #[serde(rename = "type", serialize_with = "text")]
    pub ty: Type,
}

/// A source file in the module's debug table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Source {
    /// The source file's name.
    pub file: String,
    /// The unit of the positions in the debug table, which is `line` in source text, or `token` in bytecode.
    pub unit: &'static str,
    /// The source text, or `None` if the debug table does not contain it.
    pub text: Option<String>,
}

impl Reflection {
    /// Returns the reflection as multi-line JSON.
    pub fn to_json(&self) -> String {
        json(self)
    }

    /// Returns the entry function of a stage, or `None` if the module lacks the stage.
    pub fn stage(&self, stage: FunctionKind) -> Option<&Stage> {
        self.stages.iter().find(|found| found.stage == stage)
    }
}

pub(super) fn json(value: &impl Serialize) -> String {
    // Serialisation to memory fails only for keys that are not strings, and all keys of the reflection are field names.
    serde_json::to_string_pretty(value).unwrap_or_default() + "\n"
}

pub(super) fn text<S: Serializer>(value: &impl std::fmt::Display, to: S) -> Result<S::Ok, S::Error> {
    to.collect_str(value)
}

pub(super) fn stage_text<S: Serializer>(stage: &FunctionKind, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(stage.name())
}

/// Reports whether texels are floats, in which case JSON omits the texel kind.
#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
pub(super) fn has_floats(texel: &Texel) -> bool {
    *texel == Texel::Float
}

pub(super) fn texel_text<S: Serializer>(texel: &Texel, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(match texel {
        Texel::Float => "float",
        Texel::Int => "int",
        Texel::Uint => "uint",
        Texel::Depth => "depth",
    })
}

pub(super) fn dimension_text<S: Serializer>(dimension: &Dimension, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(dimension.view_name())
}

fn interpolation<S: Serializer>(interpolation: &Interpolation, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(match interpolation {
        Interpolation::Perspective => "perspective",
        Interpolation::Linear => "linear",
        Interpolation::Flat => "flat",
    })
}
