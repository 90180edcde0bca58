//! The module: functions with their inputs, outputs, blocks and instructions, and the debug table.
//!
//! Rule: a module is plain data and may be invalid; [`crate::verify()`] checks it.

use std::collections::BTreeMap;

pub use crate::inst::{first_lanes, lanes, swizvals, texel_offset, texel_offset_word};
use crate::named::named;
use crate::{Body, Id, Type, ValueNames};

/// The content of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Module {
    /// The functions, in order; at most one vertex and one fragment function. CALL refers to them by index.
    pub functions: Vec<Function>,
    /// The debug table; empty if the file has none.
    pub debug: Debug,
}

impl Module {
    /// The debug information of the function at `index`.
    pub fn debug_of(&self, index: usize) -> Option<&FunctionDebug> {
        self.debug.functions.iter().find(|debug| debug.function as usize == index)
    }

    /// The signature of each function, for CALLs.
    pub fn signatures(&self) -> Vec<Signature> {
        self.functions.iter().map(Function::signature).collect()
    }
}

/// The debug table. It does not affect what a program computes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Debug {
    /// The checksum of the program's file, if the table is in a separate file.
    pub program: Option<u32>,
    /// The sources of the program.
    pub sources: Vec<Source>,
    /// The debug information of each function, in ascending order of their indices.
    pub functions: Vec<FunctionDebug>,
}

impl Debug {
    /// Whether the table is empty; then the file has none.
    pub fn is_empty(&self) -> bool {
        *self == Debug::default()
    }
}

/// A text or bytecode file from which functions were translated.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Source {
    /// The file's name.
    pub file: String,
    /// The text; empty when it is not included.
    pub text: String,
    /// The unit that [`Lines`] count in the source.
    pub unit: Unit,
}

named! {
    /// The unit of the line numbers in [`Lines`].
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub enum Unit {
        /// Lines of a text, counted from 1.
        #[default]
        Line = 0 "lines",
        /// Instructions of bytecode, counted from 1.
        Token = 1 "tokens",
    }
    /// The name in text.
    fn name
}

/// The debug information of a function.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FunctionDebug {
    /// The function's index.
    pub function: u32,
    /// The debug name of a function that has no name itself; otherwise empty.
    pub name: String,
    /// The names of values.
    pub ids: ValueNames,
    /// The named parts of the function's arrays of uniforms, by the array's id. The members of an array are sorted by
    /// position.
    pub members: BTreeMap<Id, Vec<Member>>,
    /// The line numbers of the instructions.
    pub lines: Option<Lines>,
}

impl FunctionDebug {
    /// Whether there is no information; then no file can contain the entry.
    pub fn is_empty(&self) -> bool {
        let FunctionDebug { function: _, name, ids, members, lines } = self;
        name.is_empty() && ids.is_empty() && members.values().all(Vec::is_empty) && lines.is_none()
    }
}

/// A named part of an array of uniforms: a value with its own name and type, which a target may declare as a member of a
/// structure. It occupies the elements that it covers, so it does not change what a program reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// The name; not empty.
    pub name: String,
    /// The first element of the array that the member covers.
    pub first: u32,
    /// The first component of that element that the member covers: 0 unless its type is a float or a float2.
    pub component: u32,
    /// The type: a float or a vector of floats within one element; a matrix with one column per element; or an array of float4.
    pub ty: Type,
}

/// The line numbers of a function's instructions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lines {
    /// The index of the source.
    pub source: u32,
    /// The line number of each instruction, in reading order. An instruction has no line number if its entry is 0 or missing at the
    /// end.
    pub numbers: Vec<u32>,
}

named! {
    /// The kind of a function.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum FunctionKind {
        /// A function that other functions call.
        #[default]
        Generic = 0 "generic",
        /// The entry function of the vertex stage.
        Vertex = 1 "vertex",
        /// The entry function of the fragment stage.
        Fragment = 2 "fragment",
        /// The entry function of a compute program.
        Compute = 3 "compute",
    }
    /// The name in text.
    fn name
}

impl From<crate::front::Stage> for FunctionKind {
    fn from(stage: crate::front::Stage) -> FunctionKind {
        match stage {
            crate::front::Stage::Vertex => FunctionKind::Vertex,
            crate::front::Stage::Fragment => FunctionKind::Fragment,
        }
    }
}

/// A function.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Function {
    /// The kind of the function.
    pub kind: FunctionKind,
    /// The name of the function; empty if it is not exported.
    pub name: String,
    /// The inputs of the function.
    pub inputs: Vec<Input>,
    /// The outputs of the function; POKE refers to them by index.
    pub outputs: Vec<FunctionOutput>,
    /// The numbers of invocations of a workgroup in x, y and z; only a compute function has them.
    pub workgroup: Option<[u32; 3]>,
    /// The code of the function.
    pub body: Body,
}

impl Function {
    /// The signature of the function, for CALLs.
    pub fn signature(&self) -> Signature {
        let parameters = self.inputs.iter().filter(|input| input.kind == InputKind::Parameter);
        Signature {
            kind: self.kind,
            parameters: parameters.map(|input| input.ty).collect(),
            returned: self.returned().map(|output| output.ty),
        }
    }

    /// The output that RETURN sets.
    pub fn returned(&self) -> Option<&FunctionOutput> {
        self.outputs.iter().find(|output| output.kind == OutputKind::Returned)
    }

    /// The highest id in the function.
    pub fn max_id(&self) -> u32 {
        let results = self.body.insts().iter().map(|inst| inst.output.0);
        self.inputs.iter().map(|input| input.id.0).chain(results).max().unwrap_or(0)
    }
}

/// The parts of a function that a CALL depends on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    /// The kind of the function; only generic functions may be called.
    pub kind: FunctionKind,
    /// The types of its parameters, in the order of its inputs.
    pub parameters: Vec<Type>,
    /// The type of the value that it returns, if any.
    pub returned: Option<Type>,
}

/// An input of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// The id by which the code refers to the input.
    pub id: Id,
    /// The type of the input.
    pub ty: Type,
    /// The name of the input.
    pub name: String,
    /// The kind of the input.
    pub kind: InputKind,
}

/// The kind of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum InputKind {
    /// A vertex attribute.
    Attribute {
        /// The location of the attribute.
        location: u32,
    },
    /// A value interpolated from the vertices.
    Varying {
        /// The location of the varying.
        location: u32,
        /// The interpolation mode.
        interpolation: Interpolation,
    },
    /// A value that the application sets. A uniform of array type is a whole register file of constants.
    Uniform,
    /// A value that the application sets, at an offset in a buffer.
    Placed {
        /// The buffer.
        slot: u32,
        /// The byte of the buffer at which the value begins.
        offset: u32,
    },
    /// A texture with its sampler.
    Texture {
        /// The texture unit.
        slot: u32,
        /// The sampler state.
        sampler: Sampler,
    },
    /// A value from the pipeline.
    Builtin(Builtin),
    /// A parameter of a generic function.
    Parameter,
    /// A local slot: an array that PEEK reads and POKE writes. It is zero when the function begins.
    Local,
    /// A storage buffer, whose elements PEEK reads, and POKE writes if the access allows it.
    Buffer {
        /// The number of the buffer.
        slot: u32,
        /// The allowed access.
        access: Access,
    },
    /// An array that the invocations of a workgroup share. It is zero when the workgroup begins.
    Shared,
    /// A storage texture: IMAGELOAD reads its texels, or IMAGESTORE writes them.
    Image {
        /// The number of the storage texture.
        slot: u32,
        /// The access.
        access: ImageAccess,
    },
}

impl InputKind {
    /// Whether the application sets the value, with or without an offset in a buffer.
    pub const fn is_uniform(self) -> bool {
        matches!(self, InputKind::Uniform | InputKind::Placed { .. })
    }

    /// Whether repeated reads of the input may return different values, because POKE or IMAGESTORE writes it.
    pub const fn is_variable(self) -> bool {
        matches!(self, InputKind::Local) || self.is_seen_by_others()
    }

    /// Whether other invocations see the writes of POKE or IMAGESTORE to the input.
    pub const fn is_seen_by_others(self) -> bool {
        matches!(
            self,
            InputKind::Shared
                | InputKind::Buffer { access: Access::ReadWrite, .. }
                | InputKind::Image { access: ImageAccess::Write, .. }
        )
    }
}

named! {
    /// The access of a program to a storage buffer.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum Access {
        /// The program only reads the buffer.
        #[default]
        Read = 0 "read",
        /// The program reads and writes the buffer.
        ReadWrite = 1 "readwrite",
    }
    /// The name in text.
    fn name
}

named! {
    /// The access of a program to a storage texture.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum ImageAccess {
        /// The program reads the texture.
        #[default]
        Read = 0 "read",
        /// The program writes the texture.
        Write = 1 "write",
    }
    /// The name in text.
    fn name
}

named! {
    /// The interpolation mode of a varying.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub enum Interpolation {
        /// Perspective-correct.
        #[default]
        Perspective = 0 "perspective",
        /// Linear in screen space.
        Linear = 1 "linear",
        /// Not interpolated.
        Flat = 2 "flat",
    }
    /// The name in text.
    fn name
}

named! {
    /// A value from the pipeline.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Builtin {
        /// The index of the vertex: uint.
        VertexIndex = 0 "vertexindex",
        /// The index of the instance: uint.
        InstanceIndex = 1 "instanceindex",
        /// The position of the fragment: float4.
        FragmentCoordinate = 2 "fragmentcoordinate",
        /// Whether the fragment belongs to a front face: bool.
        FrontFacing = 3 "frontfacing",
        /// The position within a point: float2.
        PointCoordinate = 4 "pointcoordinate",
        /// The position of the invocation in the whole dispatch: uint3.
        GlobalInvocationId = 5 "globalinvocationid",
        /// The position of the invocation in its workgroup: uint3.
        LocalInvocationId = 6 "localinvocationid",
        /// The number of the invocation in its workgroup, x first: uint.
        LocalInvocationIndex = 7 "localinvocationindex",
        /// The position of the workgroup in the dispatch: uint3.
        WorkgroupId = 8 "workgroupid",
        /// The numbers of workgroups in the dispatch: uint3.
        NumWorkgroups = 9 "numworkgroups",
    }
    /// The name in text.
    fn name
}

impl Builtin {
    /// Whether the builtin belongs to compute functions.
    pub const fn is_of_compute(self) -> bool {
        self as u32 >= Builtin::GlobalInvocationId as u32
    }
}

/// The sampler state of a texture: AGAL's sampler fields with AGAL's numbers (docs/format.md, "Samplers").
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Sampler {
    /// 0 nearest, 1 linear, 2 to 5 anisotropic 2x, 4x, 8x, 16x.
    pub filter: u8,
    /// 0 no mip levels, 1 nearest, 2 linear.
    pub mip: u8,
    /// Horizontal wrap: 0 clamp, 1 repeat.
    pub wrap_u: u8,
    /// Vertical wrap: 0 clamp, 1 repeat.
    pub wrap_v: u8,
    /// 0 rgba, 1 compressed, 2 compressed with alpha, 3 video.
    pub format: u8,
    /// Flags: 1 centroid, 2 single component, 4 state set elsewhere.
    pub special: u8,
    /// Level-of-detail bias in eighths. For information only: the code itself applies the bias.
    pub bias: i8,
}

impl Sampler {
    /// The two words of the sampler in a file.
    pub const fn words(self) -> [u32; 2] {
        [
            u32::from_le_bytes([self.filter, self.mip, self.wrap_u, self.wrap_v]),
            u32::from_le_bytes([self.format, self.special, self.bias as u8, 0]),
        ]
    }

    /// The sampler with these two words; the last byte must be zero.
    pub const fn from_words(words: [u32; 2]) -> Option<Sampler> {
        let [filter, mip, wrap_u, wrap_v] = words[0].to_le_bytes();
        let [format, special, bias, zero] = words[1].to_le_bytes();
        if zero != 0 {
            return None;
        }
        Some(Sampler { filter, mip, wrap_u, wrap_v, format, special, bias: bias as i8 })
    }
}

/// An output of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionOutput {
    /// The type of the output.
    pub ty: Type,
    /// The name of the output.
    pub name: String,
    /// The kind of the output.
    pub kind: OutputKind,
}

/// The kind of an output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OutputKind {
    /// The position in clip space: x and y in -w..w, y up; z in 0..w. float4.
    Position,
    /// A value that is interpolated for the fragments.
    Varying {
        /// The location of the varying.
        location: u32,
        /// The interpolation mode.
        interpolation: Interpolation,
    },
    /// The colour of a render target. float4.
    Colour {
        /// The target, 0 to 7.
        target: u32,
    },
    /// The fragment's depth, 0 to 1. float.
    Depth,
    /// The size of a point. float.
    PointSize,
    /// The value that a generic function returns.
    Returned,
    /// The distance from a clip plane. The part of a primitive where every distance is at least zero remains. float.
    ClipDistance {
        /// The number of the distance, 0 to 7.
        index: u32,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn swizvals_are_encoded_as_published() {
        assert_eq!(swizvals(&[1, 2, 2]), 0xFF020201);
        assert_eq!(lanes(0xFF020201).collect::<Vec<_>>(), [1, 2, 2]);
    }
}
