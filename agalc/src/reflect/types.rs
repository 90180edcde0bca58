//! The reflection, as plain data that serde writes (docs/reflection.md describes it, docs/reflection.schema.json checks it).
//!
//! Rule: every field is always written, so that a reader need not distinguish absent from null, except fields for compute
//! functions, storage buffers and storage textures. Lists are in the order of the module or of their numbers, and never in
//! the order of a hash map.
//!
//! This file and the files of the parts import each other: [`Reflection`] names the types of its parts, which contain types of this
//! file.

use sdlbc::{Dimension, FunctionKind, Interpolation, Texel, Type};
use serde::{Serialize, Serializer};

use super::agal::Agal;
use super::format::VertexFormats;
use super::sampler::Sampler;
use super::written::Written;

/// The version of the schema. It changes whenever a field does.
pub const VERSION: u32 = 2;

/// The inputs, outputs and resources of a program or pair, with their names in each file that was written.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Reflection {
    /// `agalc-reflection`.
    pub format: &'static str,
    /// [`VERSION`].
    pub version: u32,
    /// The entry functions. The vertex stage is the first.
    pub stages: Vec<Stage>,
    /// The functions that entry functions call, in the order of the module.
    pub functions: Vec<Callee>,
    /// The varyings of a pair, by location.
    pub varyings: Vec<Link>,
    /// The sources in the debug table.
    pub sources: Vec<Source>,
    /// The files that were written.
    pub outputs: Vec<Written>,
}

/// An entry function.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Stage {
    /// Its stage.
    #[serde(serialize_with = "stage_text")]
    pub stage: FunctionKind,
    /// Its index in the module.
    pub function: usize,
    /// Its name in the module.
    pub name: String,
    /// The number of its instructions, with those in nested blocks and without those of the functions that it calls.
    pub instructions: usize,
    /// The indices of the functions that it calls directly.
    pub calls: Vec<usize>,
    /// Information that only its AGAL program has; `None` if the stage was not lifted from AGAL.
    pub agal: Option<Agal>,
    /// Its vertex attributes, by location.
    pub attributes: Vec<Attribute>,
    /// The varyings that a vertex stage writes or a fragment stage reads, by location.
    pub varyings: Vec<Varying>,
    /// Its constants: uniforms, in the order of the module.
    pub constants: Vec<Constants>,
    /// Its textures with their samplers, by slot.
    pub samplers: Vec<Sampler>,
    /// Its storage buffers, by slot; left out if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub buffers: Vec<StorageBuffer>,
    /// Its storage textures, by slot; left out if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub images: Vec<StorageTexture>,
    /// The numbers of invocations of a workgroup in x, y and z; only for a compute function.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub workgroup: Option<[u32; 3]>,
    /// Its inputs from the pipeline.
    pub builtins: Vec<Builtin>,
    /// Its outputs other than varyings.
    pub outputs: Vec<StageOutput>,
    /// Whether it may discard fragments.
    pub discards: bool,
    /// Whether it uses derivatives: `ddx`, `ddy`, or samples with an implicit level of detail.
    pub derivatives: bool,
}

/// A function that entry functions call.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Callee {
    /// Its index in the module.
    pub index: usize,
    /// Its name, or its name in the debug table; may be empty.
    pub name: String,
    /// The number of its instructions.
    pub instructions: usize,
    /// The indices of the functions that it calls directly.
    pub calls: Vec<usize>,
}

/// A vertex attribute.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Attribute {
    /// The register: `va1`, or `a1` of a unified-shader program.
    pub register: String,
    /// Its location.
    pub location: u32,
    /// Its name in the module.
    pub name: String,
    /// Its type in the module.
    #[serde(rename = "type", serialize_with = "text")]
    pub ty: Type,
    /// The components that the code reads: `xyz`.
    pub components: String,
    /// The vertex format that names declare, or that of its type, in the words of each graphics API.
    pub formats: VertexFormats,
}

/// A varying of one stage.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Varying {
    /// The register: `v0`.
    pub register: String,
    /// Its location.
    pub location: u32,
    /// Its name in the module.
    pub name: String,
    /// Its type.
    #[serde(rename = "type", serialize_with = "text")]
    pub ty: Type,
    /// Its interpolation.
    #[serde(serialize_with = "interpolation")]
    pub interpolation: Interpolation,
    /// The components that the vertex stage writes or the fragment stage reads.
    pub components: String,
}

/// A varying of a pair.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Link {
    /// The register: `v0`.
    pub register: String,
    /// Its location.
    pub location: u32,
    /// Its type.
    #[serde(rename = "type", serialize_with = "text")]
    pub ty: Type,
    /// Its interpolation.
    #[serde(serialize_with = "interpolation")]
    pub interpolation: Interpolation,
    /// The components that the vertex stage writes; empty if it does not write the varying.
    pub written: String,
    /// The components that the fragment stage reads; empty if it does not read the varying.
    pub read: String,
}

/// A uniform. An AGAL program has a single uniform, an array with an element for each register.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Constants {
    /// The id of the input in the first function that declares it.
    pub id: u32,
    /// The register file, `vc`, `fc`, or `u` of a unified-shader program; `None` for a uniform that cannot be a
    /// register file.
    pub file: Option<&'static str>,
    /// Its name in the module.
    pub name: String,
    /// Its type.
    #[serde(rename = "type", serialize_with = "text")]
    pub ty: Type,
    /// The number of its registers: the elements of an array, the columns of a matrix, otherwise 1.
    pub length: u32,
    /// Its place in a buffer of uniforms, if it has one.
    pub place: Option<Place>,
    /// The ranges of registers that must be set.
    pub ranges: Vec<Range>,
    /// The registers that are read directly, and their components.
    pub registers: Vec<Register>,
    /// Its reads at computed indices, if there are any.
    pub indexed: Option<Indexed>,
    /// The registers that are used as matrices.
    pub matrices: Vec<Matrix>,
    /// Its named parts.
    pub members: Vec<Member>,
}

/// The place of a uniform in a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Place {
    /// The slot of the buffer.
    pub slot: u32,
    /// The offset of its first byte.
    pub offset: u32,
    /// Its size in bytes, without padding after it.
    pub size: u32,
}

/// Consecutive registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Range {
    /// The first register.
    pub first: u32,
    /// The number of registers.
    pub count: u32,
}

/// A register that is read directly.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Register {
    /// Its number.
    pub register: u32,
    /// The components that are read.
    pub components: String,
}

/// Reads at computed indices.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Indexed {
    /// The numbers that are added to the computed index, in ascending order: 4 for `vc[va0.x+4]`.
    pub bases: Vec<i32>,
    /// The components that are read.
    pub components: String,
}

/// Registers that are used as the columns of a matrix.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Matrix {
    /// The first register, or the number that is added to the computed index.
    pub first: i32,
    /// The number of columns, which are consecutive registers.
    pub columns: u8,
    /// The number of components of a column.
    pub rows: u8,
    /// Whether the first register is computed.
    pub indexed: bool,
    /// AGAL's opcode for this shape: `m44`, `m34` or `m33`.
    pub opcode: Option<&'static str>,
}

/// A named part of the constants.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Member {
    /// Its name.
    pub name: String,
    /// Its first register.
    pub register: u32,
    /// Its first component.
    pub component: u32,
    /// Its type.
    #[serde(rename = "type", serialize_with = "text")]
    pub ty: Type,
    /// Its offset in bytes; a register has 16 bytes.
    pub offset: u32,
    /// Its size in bytes. Matrices and arrays have whole registers.
    pub size: u32,
}

/// A storage buffer.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct StorageBuffer {
    /// The slot.
    pub slot: u32,
    /// Its name in the module.
    pub name: String,
    /// `read`, or `readwrite` if it may be written.
    pub access: &'static str,
    /// The type of an element.
    #[serde(serialize_with = "text")]
    pub element: Type,
    /// The distance between elements in bytes.
    pub stride: u32,
}

/// A storage texture.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct StorageTexture {
    /// The slot.
    pub slot: u32,
    /// Its name in the module.
    pub name: String,
    /// `read` or `write`.
    pub access: &'static str,
    /// The dimension.
    #[serde(serialize_with = "dimension_text")]
    pub dimension: Dimension,
    /// The format of its texels, by its name in WebGPU.
    pub format: &'static str,
}

/// A value from the pipeline.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Builtin {
    /// Its kind: `instanceindex`, `fragmentcoordinate` and so on.
    pub kind: &'static str,
    /// The register, if it has one: `iid`; `fragcoord`, `pointcoord` or `frontfacing` of a unified-shader program.
    pub register: Option<&'static str>,
    /// Its name in the module.
    pub name: String,
    /// Its type.
    #[serde(rename = "type", serialize_with = "text")]
    pub ty: Type,
    /// The components that are read.
    pub components: String,
}

/// An output that is not a varying.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct StageOutput {
    /// Its kind: `position`, `colour`, `depth`, `pointsize` or `clipdistance`.
    pub kind: &'static str,
    /// The register, if it has one: `op`, `oc`, `oc1` or `od`; `position`, `pointsize`, `fragcolor` or `d1` of a unified-shader
    /// program.
    pub register: Option<String>,
    /// The render target of a colour.
    pub target: Option<u32>,
    /// The index of a clip distance; left out for other outputs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub distance: Option<u32>,
    /// Its name in the module.
    pub name: String,
    /// Its type.
    #[serde(rename = "type", serialize_with = "text")]
    pub ty: Type,
}

/// A source in the debug table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Source {
    /// The file's name.
    pub file: String,
    /// The unit of line numbers: `line` or `token`.
    pub unit: &'static str,
    /// Its text, if the debug table has it.
    pub text: Option<String>,
}

impl Reflection {
    /// Returns the reflection as JSON.
    pub fn to_json(&self) -> String {
        json(self)
    }

    /// Returns the entry function of a stage.
    pub fn stage(&self, stage: FunctionKind) -> Option<&Stage> {
        self.stages.iter().find(|found| found.stage == stage)
    }
}

/// Writes a value as JSON, on several lines.
pub(super) fn json(value: &impl Serialize) -> String {
    // Writing to memory fails only for keys that are not strings, and these keys are all names of fields.
    serde_json::to_string_pretty(value).unwrap_or_default() + "\n"
}

/// Writes a value as its Display text.
pub(super) fn text<S: Serializer>(value: &impl std::fmt::Display, to: S) -> Result<S::Ok, S::Error> {
    to.collect_str(value)
}

/// Writes the name of a stage.
pub(super) fn stage_text<S: Serializer>(stage: &FunctionKind, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(stage.name())
}

/// Whether texels are floats, in which case the field is left out.
#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
pub(super) fn has_floats(texel: &Texel) -> bool {
    *texel == Texel::Float
}

/// Writes the kind of texels.
pub(super) fn texel_text<S: Serializer>(texel: &Texel, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(match texel {
        Texel::Float => "float",
        Texel::Int => "int",
        Texel::Uint => "uint",
        Texel::Depth => "depth",
    })
}

/// Writes AGAL's name of a dimension.
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
