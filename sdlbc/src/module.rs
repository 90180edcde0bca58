//! The module: functions with their inputs, outputs, blocks and instructions, and the debug table.
//!
//! Rule: a module is plain data and may be invalid. [`crate::verify()`] checks whether a module is valid.

use std::collections::BTreeMap;

pub use crate::inst::{first_lanes, lanes, swizvals, texel_offset, texel_offset_word};
use crate::named::named;
use crate::{Body, Id, Type, ValueNames};

/// The content of an SDLSHADERBC file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Module {
    /// The functions, to which CALL refers by index. A valid module has at most one vertex function and one fragment function.
    pub functions: Vec<Function>,
    /// The debug table, which is empty if the file has none.
    pub debug: Debug,
}

impl Module {
    /// Returns the debug information of the function at `index`, or `None` if the debug table has no entry for the function.
    pub fn debug_of(&self, index: usize) -> Option<&FunctionDebug> {
        self.debug.functions.iter().find(|debug| debug.function as usize == index)
    }

    /// Returns the signature of each function, against which CALLs are checked.
    pub fn signatures(&self) -> Vec<Signature> {
        self.functions.iter().map(Function::signature).collect()
    }
}

/// The debug table, which does not affect what a program computes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Debug {
    /// The checksum of the program's file, if the debug table is in a separate file.
    pub program: Option<u32>,
    /// The source files of the program.
    pub sources: Vec<Source>,
    /// The debug information of functions, in ascending order of the functions' indices.
    pub functions: Vec<FunctionDebug>,
}

impl Debug {
    /// Reports whether the debug table is empty. An empty debug table is not written to a file.
    pub fn is_empty(&self) -> bool {
        *self == Debug::default()
    }
}

/// A text or bytecode file from which functions were translated.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Source {
    /// The name of the source file.
    pub file: String,
    /// The source text; empty if the text is not included.
    pub text: String,
    /// The unit in which [`Lines`] counts positions in the source.
    pub unit: Unit,
}

named! {
    /// The unit of the line numbers in [`Lines`].
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub enum Unit {
        /// The line numbers count lines of text, from 1.
        #[default]
        Line = 0 "lines",
        /// The line numbers count instructions of bytecode, from 1.
        Token = 1 "tokens",
    }
    /// Returns the name of the unit in the text form.
    fn name
}

/// The debug information of one function.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FunctionDebug {
    /// The index of the function in the module.
    pub function: u32,
    /// The debug name of the function; empty if the function itself has a name.
    pub name: String,
    /// The debug names of the function's values.
    pub ids: ValueNames,
    /// The members of the function's arrays of uniforms, keyed by the id of the array. The members of an array are sorted by
    /// position.
    pub members: BTreeMap<Id, Vec<Member>>,
    /// The places that the source states for the function's resources, keyed by the id of the input.
    pub bindings: BTreeMap<Id, SourceBinding>,
    /// The line numbers of the function's instructions; `None` if they are unknown.
    pub lines: Option<Lines>,
}

impl FunctionDebug {
    /// Reports whether the entry contains no information. A file cannot contain an empty entry.
    pub fn is_empty(&self) -> bool {
        let FunctionDebug { function: _, name, ids, members, bindings, lines } = self;
        name.is_empty()
            && ids.is_empty()
            && members.values().all(Vec::is_empty)
            && bindings.is_empty()
            && lines.is_none()
    }
}

/// A named part of an array of uniforms, which a target may declare as a member of a structure. Members do not change the layout
/// of the array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// The name of the member, which must not be empty.
    pub name: String,
    /// The index of the first array element that the member covers.
    pub first: u32,
    /// The first component that the member covers in its first element: 0 unless the type is a float or a float2.
    pub component: u32,
    /// The type of the member: a float or float vector within one element, a matrix with one column per element, or an array of
    /// float4.
    pub ty: Type,
}

/// The place that the source of a program states for a resource, which a layout may keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SourceBinding {
    /// The group (WebGPU) or descriptor set (Vulkan) and the binding of the resource.
    Bound {
        /// The group and the binding of a uniform buffer, texture, storage buffer or storage texture.
        place: [u32; 2],
        /// The group and the binding of a texture's sampler; `None` if the source combines the texture with its sampler, or uses
        /// no sampler.
        sampler: Option<[u32; 2]>,
    },
    /// The push constants of the source, which have no binding.
    Push,
}

impl SourceBinding {
    /// The word that stands for an absent group or binding.
    const NONE: [u32; 2] = [u32::MAX; 2];

    /// Returns the words of the place in a file: the group and binding of the resource, and those of its sampler.
    pub(crate) const fn words(self) -> [[u32; 2]; 2] {
        match self {
            SourceBinding::Push => [SourceBinding::NONE; 2],
            SourceBinding::Bound { place, sampler: Some(sampler) } => [place, sampler],
            SourceBinding::Bound { place, sampler: None } => [place, SourceBinding::NONE],
        }
    }

    /// Decodes the words of a file. Returns `None` if only one number of a place is absent, or if push constants have a sampler.
    pub(crate) fn from_words([place, sampler]: [[u32; 2]; 2]) -> Option<SourceBinding> {
        let is_half = |[group, binding]: [u32; 2]| (group == u32::MAX) != (binding == u32::MAX);
        match (place, sampler) {
            (place, sampler) if is_half(place) || is_half(sampler) => None,
            (SourceBinding::NONE, SourceBinding::NONE) => Some(SourceBinding::Push),
            (SourceBinding::NONE, _) => None,
            (place, SourceBinding::NONE) => Some(SourceBinding::Bound { place, sampler: None }),
            (place, sampler) => Some(SourceBinding::Bound { place, sampler: Some(sampler) }),
        }
    }
}

/// The line numbers of a function's instructions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lines {
    /// The index of the source file in the debug table.
    pub source: u32,
    /// The line number of each instruction, in reading order. An instruction has no line number if its entry is 0 or if the list
    /// is too short to contain an entry for it.
    pub numbers: Vec<u32>,
}

named! {
    /// The kind of a function: generic, or the entry point of a stage.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum FunctionKind {
        /// A function that other functions call.
        #[default]
        Generic = 0 "generic",
        /// The entry point of the vertex stage.
        Vertex = 1 "vertex",
        /// The entry point of the fragment stage.
        Fragment = 2 "fragment",
        /// The entry point of a compute program.
        Compute = 3 "compute",
    }
    /// Returns the name of the function kind in the text form.
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

/// A function of a module: an entry point, or a generic function that other functions call.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Function {
    /// The kind of the function: generic, or the entry point of a stage.
    pub kind: FunctionKind,
    /// The name of the function; empty if the function is not exported.
    pub name: String,
    /// The inputs of the function, in file order.
    pub inputs: Vec<Input>,
    /// The outputs of the function, to which POKE refers by index.
    pub outputs: Vec<FunctionOutput>,
    /// The size of a workgroup along x, y and z, in invocations; only a compute function has a workgroup size.
    pub workgroup: Option<[u32; 3]>,
    /// The blocks and instructions of the function.
    pub body: Body,
}

impl Function {
    /// Returns the signature of the function, against which CALLs are checked.
    pub fn signature(&self) -> Signature {
        let parameters = self.inputs.iter().filter(|input| input.kind == InputKind::Parameter);
        Signature {
            kind: self.kind,
            parameters: parameters.map(|input| input.ty).collect(),
            returned: self.returned().map(|output| output.ty),
        }
    }

    /// Returns the output that RETURN sets, or `None` if the function returns nothing.
    pub fn returned(&self) -> Option<&FunctionOutput> {
        self.outputs.iter().find(|output| output.kind == OutputKind::Returned)
    }

    /// Returns the highest id of an input or a result in the function, or 0 if the function has neither.
    pub fn max_id(&self) -> u32 {
        let results = self.body.insts().iter().map(|inst| inst.output.0);
        self.inputs.iter().map(|input| input.id.0).chain(results).max().unwrap_or(0)
    }
}

/// The properties of a function against which a CALL is checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    /// The kind of the function; only generic functions may be called.
    pub kind: FunctionKind,
    /// The types of the function's parameters, in the order of the inputs.
    pub parameters: Vec<Type>,
    /// The type of the value that the function returns; `None` if the function returns nothing.
    pub returned: Option<Type>,
}

/// An input of a function, such as an attribute, a uniform, a texture or a local slot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// The id by which the code refers to the input.
    pub id: Id,
    /// The type of the input, such as a vector, an array or a texture.
    pub ty: Type,
    /// The name of the input. Two inputs of the same kind in a function must not have the same non-empty name.
    pub name: String,
    /// The source of the input's value.
    pub kind: InputKind,
}

/// The source of an input's value, with its location or slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum InputKind {
    /// A vertex attribute.
    Attribute {
        /// The location of the attribute, below [`limits::PLACES`](crate::limits::PLACES).
        location: u32,
    },
    /// A value that is interpolated between the vertices of a primitive.
    Varying {
        /// The location of the varying, below [`limits::PLACES`](crate::limits::PLACES).
        location: u32,
        /// The interpolation mode of the varying.
        interpolation: Interpolation,
    },
    /// A value that the application sets. A uniform of array type represents a complete register file of constants.
    Uniform,
    /// A value that the application sets, at a fixed offset in a uniform buffer.
    Placed {
        /// The slot of the uniform buffer.
        slot: u32,
        /// The offset of the value in the uniform buffer, in bytes.
        offset: u32,
    },
    /// A texture and its sampler.
    Texture {
        /// The number of the texture unit.
        slot: u32,
        /// The state of the texture's sampler.
        sampler: Sampler,
    },
    /// A value that the pipeline provides, such as the index of the vertex.
    Builtin(Builtin),
    /// A parameter of a generic function.
    Parameter,
    /// A local slot: an array that PEEK reads and POKE writes. A local slot is zero when the function begins.
    Local,
    /// A storage buffer. PEEK reads the elements of a storage buffer, and POKE writes them if the access allows it.
    Buffer {
        /// The slot of the storage buffer.
        slot: u32,
        /// The access that the program has to the storage buffer.
        access: Access,
    },
    /// An array that the invocations of a workgroup share. A shared array is zero when the workgroup begins.
    Shared,
    /// A storage texture, whose texels IMAGELOAD reads or IMAGESTORE writes.
    Image {
        /// The slot of the storage texture.
        slot: u32,
        /// The access that the program has to the storage texture.
        access: ImageAccess,
    },
}

impl InputKind {
    /// Reports whether the input is a uniform, with or without a fixed offset in a buffer.
    pub const fn is_uniform(self) -> bool {
        matches!(self, InputKind::Uniform | InputKind::Placed { .. })
    }

    /// Reports whether repeated reads of the input may return different values, because POKE or IMAGESTORE can write the input.
    pub const fn is_variable(self) -> bool {
        matches!(self, InputKind::Local) || self.is_seen_by_others()
    }

    /// Reports whether other invocations see what POKE or IMAGESTORE writes to the input.
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
    /// The access that a program has to a storage buffer.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum Access {
        /// The program only reads the storage buffer.
        #[default]
        Read = 0 "read",
        /// The program reads and writes the storage buffer.
        ReadWrite = 1 "readwrite",
    }
    /// Returns the name of the access in the text form.
    fn name
}

named! {
    /// The access that a program has to a storage texture.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum ImageAccess {
        /// The program only reads the storage texture.
        #[default]
        Read = 0 "read",
        /// The program only writes the storage texture.
        Write = 1 "write",
    }
    /// Returns the name of the access in the text form.
    fn name
}

named! {
    /// The interpolation mode of a varying.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub enum Interpolation {
        /// Perspective-correct interpolation.
        #[default]
        Perspective = 0 "perspective",
        /// Linear interpolation in screen space.
        Linear = 1 "linear",
        /// No interpolation: all fragments of a primitive have the same value.
        Flat = 2 "flat",
    }
    /// Returns the name of the interpolation mode in the text form.
    fn name
}

named! {
    /// A value that the pipeline provides to a function.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Builtin {
        /// The index of the vertex, a uint.
        VertexIndex = 0 "vertexindex",
        /// The index of the instance, a uint.
        InstanceIndex = 1 "instanceindex",
        /// The position of the fragment, a float4.
        FragmentCoordinate = 2 "fragmentcoordinate",
        /// A bool that is true if the fragment belongs to a front face.
        FrontFacing = 3 "frontfacing",
        /// The position of the fragment within a point, a float2.
        PointCoordinate = 4 "pointcoordinate",
        /// The position of the invocation in the dispatch, a uint3.
        GlobalInvocationId = 5 "globalinvocationid",
        /// The position of the invocation in the workgroup, a uint3.
        LocalInvocationId = 6 "localinvocationid",
        /// The linear index of the invocation in the workgroup, a uint; x varies fastest.
        LocalInvocationIndex = 7 "localinvocationindex",
        /// The position of the workgroup in the dispatch, a uint3.
        WorkgroupId = 8 "workgroupid",
        /// The number of workgroups in the dispatch along each axis, a uint3.
        NumWorkgroups = 9 "numworkgroups",
    }
    /// Returns the name of the builtin in the text form.
    fn name
}

impl Builtin {
    /// Reports whether the builtin is available only in compute functions.
    pub const fn is_of_compute(self) -> bool {
        self as u32 >= Builtin::GlobalInvocationId as u32
    }
}

/// The sampler state of a texture, with the fields and numbers of AGAL's samplers (docs/format.md, "Samplers").
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Sampler {
    /// The filter: 0 is nearest, 1 is linear, and 2 to 5 are anisotropic 2x, 4x, 8x and 16x.
    pub filter: u8,
    /// The mip filter: 0 means no mip levels, 1 is nearest, and 2 is linear.
    pub mip: u8,
    /// The horizontal wrap mode: 0 clamps, and 1 repeats.
    pub wrap_u: u8,
    /// The vertical wrap mode: 0 clamps, and 1 repeats.
    pub wrap_v: u8,
    /// The texture format: 0 is RGBA, 1 is compressed, 2 is compressed with alpha, and 3 is video.
    pub format: u8,
    /// A set of flags: 1 is centroid, 2 is single component, and 4 means that the application sets the sampler state itself.
    pub special: u8,
    /// The level-of-detail bias in eighths. This field is for information only, because the code itself applies the bias.
    pub bias: i8,
}

impl Sampler {
    /// Encodes the sampler state as two words of a file.
    pub const fn words(self) -> [u32; 2] {
        [
            u32::from_le_bytes([self.filter, self.mip, self.wrap_u, self.wrap_v]),
            u32::from_le_bytes([self.format, self.special, self.bias as u8, 0]),
        ]
    }

    /// Decodes the sampler state from two words of a file. Returns `None` if the last byte is not zero.
    pub const fn from_words(words: [u32; 2]) -> Option<Sampler> {
        let [filter, mip, wrap_u, wrap_v] = words[0].to_le_bytes();
        let [format, special, bias, zero] = words[1].to_le_bytes();
        if zero != 0 {
            return None;
        }
        Some(Sampler { filter, mip, wrap_u, wrap_v, format, special, bias: bias as i8 })
    }
}

/// An output of a function, which POKE writes or RETURN sets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionOutput {
    /// The type of the value that the function writes to the output.
    pub ty: Type,
    /// The name of the output. Two outputs of the same kind in a function must not have the same non-empty name.
    pub name: String,
    /// The destination of the output's value.
    pub kind: OutputKind,
}

/// The destination of an output's value, with its location or number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OutputKind {
    /// The position in clip space, a float4. The coordinates x and y are in -w..w, with y pointing up, and z is in 0..w.
    Position,
    /// A value that is interpolated for the fragments of a primitive.
    Varying {
        /// The location of the varying, below [`limits::PLACES`](crate::limits::PLACES).
        location: u32,
        /// The interpolation mode of the varying.
        interpolation: Interpolation,
    },
    /// The colour of a render target, a float4, int4 or uint4. The render target must have a format of the same kind of numbers.
    Colour {
        /// The index of the render target, 0 to 7.
        target: u32,
    },
    /// The depth of the fragment, a float from 0 to 1.
    Depth,
    /// The size of a point, a float.
    PointSize,
    /// The value that a generic function returns.
    Returned,
    /// The distance from a clip plane, a float. The pipeline keeps the part of a primitive in which every clip distance is at
    /// least zero.
    ClipDistance {
        /// The index of the clip distance, 0 to 7.
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
