//! The module: functions, their inputs and outputs, blocks and instructions, and the names of the debug table.
//!
//! Rule: a module is plain data. It can say things that are wrong; [`crate::verify()`] says which.

use std::collections::BTreeMap;
use std::fmt;

use crate::nested::{Nested, instructions};
use crate::{Op, Type};

/// The number of a value in its function; 0 stands for no value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Id(pub u32);

impl Id {
    /// No value: an output that is not stored, an index that is not there.
    pub const NONE: Id = Id(0);

    /// Whether it stands for a value.
    pub const fn is_some(self) -> bool {
        self.0 != 0
    }
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "%{}", self.0)
    }
}

/// A file's content.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Module {
    /// The functions, in order; at most one vertex and one fragment function. CALL names them by their index.
    pub functions: Vec<Function>,
    /// The debug table; nothing in it when the file has none.
    pub debug: Debug,
}

impl Module {
    /// What the debug table says of the function at `index`.
    pub fn debug_of(&self, index: usize) -> Option<&FunctionDebug> {
        self.debug.functions.iter().find(|debug| debug.function as usize == index)
    }

    /// What a CALL needs to know of each function.
    pub fn signatures(&self) -> Vec<Signature> {
        self.functions.iter().map(Function::signature).collect()
    }
}

/// The debug table: nothing in it changes what a program computes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Debug {
    /// The checksum of the file that the table belongs to, when the table is a file of its own.
    pub program: Option<u32>,
    /// What the program was made from.
    pub sources: Vec<Source>,
    /// What is known of each function, by rising index.
    pub functions: Vec<FunctionDebug>,
}

impl Debug {
    /// Whether it says nothing; then there is no table in the file.
    pub fn is_empty(&self) -> bool {
        *self == Debug::default()
    }
}

/// A text or a file of bytecode that functions were made from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Source {
    /// The file's name.
    pub file: String,
    /// The text; empty when it is not included.
    pub text: String,
    /// What [`Lines`] count in it.
    pub unit: Unit,
}

/// What the numbers of [`Lines`] count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Unit {
    /// Lines of a text, from 1.
    #[default]
    Line = 0,
    /// Instructions of a bytecode, from 1.
    Token = 1,
}

impl Unit {
    /// Every unit, by number.
    pub const ALL: [Unit; 2] = [Unit::Line, Unit::Token];

    /// The name in text.
    pub const fn name(self) -> &'static str {
        match self {
            Unit::Line => "lines",
            Unit::Token => "tokens",
        }
    }
}

/// What the debug table says of one function.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FunctionDebug {
    /// The function's index.
    pub function: u32,
    /// Its name, where the function itself has none; else empty.
    pub name: String,
    /// The names of values.
    pub ids: BTreeMap<Id, String>,
    /// Where its instructions come from.
    pub lines: Option<Lines>,
}

/// Where a function's instructions come from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lines {
    /// The index of the source.
    pub source: u32,
    /// The number of each instruction, in reading order; 0 for one that has none, as those behind the end have.
    pub numbers: Vec<u32>,
}

/// What a function is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FunctionKind {
    /// Called by other functions.
    #[default]
    Generic = 0,
    /// The vertex stage's entry.
    Vertex = 1,
    /// The fragment stage's entry.
    Fragment = 2,
}

impl FunctionKind {
    /// Every kind, by number.
    pub const ALL: [FunctionKind; 3] = [FunctionKind::Generic, FunctionKind::Vertex, FunctionKind::Fragment];

    /// The name in text.
    pub const fn name(self) -> &'static str {
        match self {
            FunctionKind::Generic => "generic",
            FunctionKind::Vertex => "vertex",
            FunctionKind::Fragment => "fragment",
        }
    }
}

/// A function.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Function {
    /// What it is for.
    pub kind: FunctionKind,
    /// Its name; empty when it is not exported.
    pub name: String,
    /// What it is given.
    pub inputs: Vec<Input>,
    /// What it gives; POKE writes them by their index.
    pub outputs: Vec<Output>,
    /// Its code.
    pub body: Block,
}

impl Function {
    /// What a CALL of it needs to know.
    pub fn signature(&self) -> Signature {
        let parameters = self.inputs.iter().filter(|input| input.kind == InputKind::Parameter);
        Signature {
            kind: self.kind,
            parameters: parameters.map(|input| input.ty).collect(),
            returned: self.returned().map(|output| output.ty),
        }
    }

    /// The output that RETURN gives.
    pub fn returned(&self) -> Option<&Output> {
        self.outputs.iter().find(|output| output.kind == OutputKind::Returned)
    }

    /// The highest id that the function defines.
    pub fn max_id(&self) -> u32 {
        let results = instructions(std::slice::from_ref(&self.body)).map(|inst| inst.output.0);
        self.inputs.iter().map(|input| input.id.0).chain(results).max().unwrap_or(0)
    }
}

/// What a CALL needs to know of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    /// Only generic functions are called.
    pub kind: FunctionKind,
    /// The types of its parameters, in the order of its inputs.
    pub parameters: Vec<Type>,
    /// The type of what it returns.
    pub returned: Option<Type>,
}

/// Instructions in order.
pub type Block = Vec<Inst>;

/// An instruction. Its [`Shape`](crate::Shape) says how many inputs, immediates and blocks belong to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inst {
    /// The operation.
    pub op: Op,
    /// The id of the result; [`Id::NONE`] when it is not stored or there is none.
    pub output: Id,
    /// The ids that it reads.
    pub inputs: Box<[Id]>,
    /// Its plain words; of a SWITCH the values of its cases.
    pub immediates: Box<[u32]>,
    /// Its blocks: two of an IF, one of a LOOP, of a SWITCH one for each case and the default's.
    pub blocks: Nested,
}

impl Inst {
    /// An instruction without blocks.
    pub fn new(op: Op, output: Id, inputs: &[Id], immediates: &[u32]) -> Inst {
        Inst { op, output, inputs: inputs.into(), immediates: immediates.into(), blocks: Nested::default() }
    }

    /// The same with blocks.
    pub fn with_blocks(self, blocks: impl Into<Nested>) -> Inst {
        Inst { blocks: blocks.into(), ..self }
    }

    /// The component selectors of a SWIZZLE (see [`lanes`]).
    pub fn lanes(&self) -> impl Iterator<Item = u8> + use<> {
        lanes(self.immediates.first().copied().unwrap_or(u32::MAX))
    }
}

/// The selectors of a `swizvals` word: eight bits an element, up to the first that is above 3.
pub fn lanes(swizvals: u32) -> impl Iterator<Item = u8> {
    swizvals.to_le_bytes().into_iter().take_while(|&lane| lane <= 3)
}

/// The `swizvals` word of one to four selectors; unused elements are FF.
pub fn swizvals(lanes: &[u8]) -> u32 {
    u32::from_le_bytes(std::array::from_fn(|i| lanes.get(i).copied().unwrap_or(0xff)))
}

/// One input of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// The id that the code reads it by.
    pub id: Id,
    /// Its type.
    pub ty: Type,
    /// Its name.
    pub name: String,
    /// What it is.
    pub kind: InputKind,
}

/// What an input is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum InputKind {
    /// A vertex attribute.
    Attribute {
        /// Its location.
        location: u32,
    },
    /// A value interpolated from the vertices.
    Varying {
        /// Its location.
        location: u32,
        /// How it is interpolated.
        interpolation: Interpolation,
    },
    /// A value that the application sets; an array is a whole register file.
    Uniform,
    /// A texture with its sampler.
    Texture {
        /// The unit that it is bound to.
        slot: u32,
        /// How it is sampled.
        sampler: Sampler,
    },
    /// A value of the pipeline.
    Builtin(Builtin),
    /// A parameter of a generic function.
    Parameter,
    /// A slot of the function's own, an array that PEEK reads and POKE writes; zero when the function begins.
    Local,
}

/// How a varying is interpolated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Interpolation {
    /// In space.
    #[default]
    Perspective = 0,
    /// On the screen.
    Linear = 1,
    /// Not at all.
    Flat = 2,
}

impl Interpolation {
    /// Every interpolation, by number.
    pub const ALL: [Interpolation; 3] = [Interpolation::Perspective, Interpolation::Linear, Interpolation::Flat];
}

/// A value of the pipeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Builtin {
    /// The vertex's number: uint.
    VertexIndex = 0,
    /// The instance's number: uint.
    InstanceIndex = 1,
    /// The fragment's place: float4.
    FragmentCoordinate = 2,
    /// Whether the front is seen: bool.
    FrontFacing = 3,
    /// The place in a point: float2.
    PointCoordinate = 4,
}

impl Builtin {
    /// Every builtin, by number.
    pub const ALL: [Builtin; 5] = [
        Builtin::VertexIndex,
        Builtin::InstanceIndex,
        Builtin::FragmentCoordinate,
        Builtin::FrontFacing,
        Builtin::PointCoordinate,
    ];

    /// The name in text.
    pub const fn name(self) -> &'static str {
        match self {
            Builtin::VertexIndex => "vertexindex",
            Builtin::InstanceIndex => "instanceindex",
            Builtin::FragmentCoordinate => "fragmentcoordinate",
            Builtin::FrontFacing => "frontfacing",
            Builtin::PointCoordinate => "pointcoordinate",
        }
    }
}

/// How a texture is sampled: AGAL's sampler fields, whose numbers these are (docs/format.md, "Samplers").
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Sampler {
    /// 0 nearest, 1 linear, 2 to 5 anisotropic 2x, 4x, 8x, 16x.
    pub filter: u8,
    /// 0 no mip levels, 1 nearest, 2 linear.
    pub mip: u8,
    /// 0 clamp, 1 repeat; horizontally.
    pub wrap_u: u8,
    /// The same vertically.
    pub wrap_v: u8,
    /// 0 rgba, 1 compressed, 2 compressed with alpha, 3 video.
    pub format: u8,
    /// Flags: 1 centroid, 2 single component, 4 state set elsewhere.
    pub special: u8,
    /// Level-of-detail bias in eighths, for reflection; the code samples with it.
    pub bias: i8,
}

impl Sampler {
    /// The two words in a file.
    pub const fn words(self) -> [u32; 2] {
        [
            u32::from_le_bytes([self.filter, self.mip, self.wrap_u, self.wrap_v]),
            u32::from_le_bytes([self.format, self.special, self.bias as u8, 0]),
        ]
    }

    /// The sampler of two words; the last byte must be zero.
    pub const fn from_words(words: [u32; 2]) -> Option<Sampler> {
        let [filter, mip, wrap_u, wrap_v] = words[0].to_le_bytes();
        let [format, special, bias, zero] = words[1].to_le_bytes();
        if zero != 0 {
            return None;
        }
        Some(Sampler { filter, mip, wrap_u, wrap_v, format, special, bias: bias as i8 })
    }
}

/// One output of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    /// Its type.
    pub ty: Type,
    /// Its name.
    pub name: String,
    /// What it is.
    pub kind: OutputKind,
}

/// What an output is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OutputKind {
    /// Clip space: x and y in -w..w, y up; z in 0..w. float4.
    Position,
    /// A value for the fragments.
    Varying {
        /// Its location.
        location: u32,
        /// How it is interpolated.
        interpolation: Interpolation,
    },
    /// The colour of a render target. float4.
    Colour {
        /// The target, 0 to 3.
        target: u32,
    },
    /// The fragment's depth, 0 to 1. float.
    Depth,
    /// The size of a point. float.
    PointSize,
    /// What a generic function returns.
    Returned,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_swizzle_word_is_the_published_one() {
        assert_eq!(swizvals(&[1, 2, 2]), 0xFF020201);
        assert_eq!(lanes(0xFF020201).collect::<Vec<_>>(), [1, 2, 2]);
    }
}
