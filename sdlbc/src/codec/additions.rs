//! The additions to the first revision of the format, and the record in which a file announces the additions that it uses.
//!
//! Rule: each extension of the first revision is an addition with a row in the table. The writer announces each addition that a
//! file uses. A file without additions therefore has the same bytes as in the first revision, and a reader can name each addition
//! that it does not support (docs/format.md, "Additions").

use std::fmt;

use super::DecodeErrorKind;
use super::region::{Region, Result};
use crate::{Function, FunctionKind, FunctionOutput, Input, InputKind, Module, Op, OutputKind, Texel, Type};

macro_rules! additions {
    ($($name:ident $number:literal $revision:literal $what:literal = $covers:literal;)*) => {
        /// An extension of the first revision of the format.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum Addition {
            $(#[doc = $what] $name = $number),*
        }

        impl Addition {
            /// All additions, in ascending order of their numbers.
            pub const ALL: &[Addition] = &[$(Addition::$name),*];

            /// Returns the number that denotes the addition in a file.
            pub const fn number(self) -> u32 {
                self as u32
            }

            /// Returns the addition that a number denotes, or `None` if the number is unknown.
            pub const fn from_number(number: u32) -> Option<Addition> {
                match number { $($number => Some(Addition::$name),)* _ => None }
            }

            /// Returns the revision of the addition, counted from 1. A later revision includes all earlier revisions.
            pub const fn revision(self) -> u32 {
                match self { $(Addition::$name => $revision),* }
            }

            /// Returns the addition's name for messages, such as `storage buffers`.
            pub const fn what(self) -> &'static str {
                match self { $(Addition::$name => $what),* }
            }

            /// Returns the parts of the format that require the addition, such as `output kind 6`.
            pub const fn covers(self) -> &'static str {
                match self { $(Addition::$name => $covers),* }
            }
        }
    };
}

additions! {
    ColourTargets 1 1 "colour targets 4 to 7" = "output kind 2 with a target above 3";
    PlacedUniforms 2 1 "uniforms with a slot and an offset" = "input kind 7";
    Bitcast 3 1 "the operation bitcast" = "BITCAST";
    TextureSize 4 1 "the operation texturesize" = "TEXTURESIZE";
    Compute 5 1 "compute functions" = "`fntype` 3, the workgroup record, builtins 5 to 9, input kind 9 (shared), BARRIER";
    StorageBuffers 6 1 "storage buffers" = "input kind 8, types of class 4, BUFFERSIZE";
    StorageTextures 7 1 "storage textures" = "input kind 10, types of class 5, IMAGELOAD, IMAGESTORE, IMAGESIZE";
    ArrayTextures 8 1 "array textures" = "textures with dimension 4 or 5";
    IntegerTexels 9 1 "integer texels" = "textures with texel kind 1 or 2";
    DepthTextures 10 1 "depth textures for comparison" = "textures with texel kind 3, SAMPLECOMPARE, SAMPLECOMPAREZERO, GATHERCOMPARE";
    Gather 11 1 "the operation gather" = "GATHER";
    TextureOffset 12 1 "the operation textureoffset" = "TEXTUREOFFSET";
    ClipDistances 13 1 "clip distances" = "output kind 6";
    IntegerColours 14 1 "integer colours" = "output kind 2 with the type int4 or uint4";
    Atomics 15 1 "atomic operations" = "ATOMICADD, ATOMICMIN, ATOMICMAX, ATOMICAND, ATOMICOR, ATOMICXOR, ATOMICEXCHANGE, ATOMICCOMPAREEXCHANGE";
    SourceBindings 16 1 "bindings of the source" = "debug record 0x3006";
}

impl fmt::Display for Addition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.what())
    }
}

/// A set of additions to the format.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Additions(u32);

impl Additions {
    fn insert(&mut self, addition: Addition) {
        self.0 |= 1 << addition.number();
    }

    /// Reports whether the set contains `addition`.
    pub const fn has(self, addition: Addition) -> bool {
        self.0 >> addition.number() & 1 != 0
    }

    /// Reports whether the set is empty.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns the additions in the set, in ascending order of their numbers.
    pub fn iter(self) -> impl Iterator<Item = Addition> {
        Addition::ALL.iter().copied().filter(move |&addition| self.has(addition))
    }

    fn of_input(&mut self, input: &Input) {
        match input.kind {
            InputKind::Placed { .. } => self.insert(Addition::PlacedUniforms),
            InputKind::Buffer { .. } => self.insert(Addition::StorageBuffers),
            InputKind::Shared => self.insert(Addition::Compute),
            InputKind::Image { .. } => self.insert(Addition::StorageTextures),
            InputKind::Builtin(builtin) if builtin.is_of_compute() => self.insert(Addition::Compute),
            _ => {}
        }
        self.of_memory(input.ty);
        if let Type::Texture(dimension, texel) = input.ty {
            if dimension.has_layers() {
                self.insert(Addition::ArrayTextures);
            }
            match texel {
                Texel::Float => {}
                Texel::Int | Texel::Uint => self.insert(Addition::IntegerTexels),
                Texel::Depth => self.insert(Addition::DepthTextures),
            }
        }
    }

    fn of_memory(&mut self, ty: Type) {
        match ty {
            Type::Buffer(..) => self.insert(Addition::StorageBuffers),
            Type::Image(..) => self.insert(Addition::StorageTextures),
            _ => {}
        }
    }

    fn of_output(&mut self, output: &FunctionOutput) {
        match output.kind {
            OutputKind::Colour { target } => {
                if target > 3 {
                    self.insert(Addition::ColourTargets);
                }
                if output.ty != Type::FLOAT4 {
                    self.insert(Addition::IntegerColours);
                }
            }
            OutputKind::ClipDistance { .. } => self.insert(Addition::ClipDistances),
            _ => {}
        }
        self.of_memory(output.ty);
    }

    fn of_interface(&mut self, function: &Function) {
        if function.kind == FunctionKind::Compute || function.workgroup.is_some() {
            self.insert(Addition::Compute);
        }
        function.inputs.iter().for_each(|input| self.of_input(input));
        function.outputs.iter().for_each(|output| self.of_output(output));
    }

    fn of_code(&mut self, function: &Function) {
        let additions = function.body.insts().iter().filter_map(|inst| of_operation(inst.op));
        additions.for_each(|addition| self.insert(addition));
    }

    /// Returns the additions that a module uses. `newest` is the highest operation number in the module.
    pub(super) fn with_newest(module: &Module, newest: u32) -> Additions {
        let mut used = Additions::default();
        module.functions.iter().for_each(|function| used.of_interface(function));
        if newest > LAST_OPERATION {
            module.functions.iter().for_each(|function| used.of_code(function));
        }
        if module.debug.functions.iter().any(|function| !function.bindings.is_empty()) {
            used.insert(Addition::SourceBindings);
        }
        used
    }
}

/// The number of the last operation in the first revision of the format.
const LAST_OPERATION: u32 = Op::Exponent.number();

/// Returns the addition that introduced an operation, or `None` for an operation of the first revision.
const fn of_operation(op: Op) -> Option<Addition> {
    match op {
        Op::Bitcast => Some(Addition::Bitcast),
        Op::TextureSize => Some(Addition::TextureSize),
        Op::SampleCompare | Op::SampleCompareZero | Op::GatherCompare => Some(Addition::DepthTextures),
        Op::Gather => Some(Addition::Gather),
        Op::TextureOffset => Some(Addition::TextureOffset),
        Op::BufferSize => Some(Addition::StorageBuffers),
        Op::ImageLoad | Op::ImageStore | Op::ImageSize => Some(Addition::StorageTextures),
        Op::Barrier => Some(Addition::Compute),
        _ if op.is_atomic() => Some(Addition::Atomics),
        _ => None,
    }
}

/// Returns the additions that a module uses.
///
/// ```
/// use sdlbc::{Addition, FunctionOutput, Function, Module, OutputKind, Type, additions};
///
/// let output = |target| FunctionOutput { ty: Type::FLOAT4, name: String::new(), kind: OutputKind::Colour { target } };
/// let module = |target| Module {
///     functions: vec![Function { outputs: vec![output(target)], ..Function::default() }],
///     ..Module::default()
/// };
/// assert!(additions(&module(3)).is_empty());
/// assert!(additions(&module(4)).has(Addition::ColourTargets));
/// ```
pub fn additions(module: &Module) -> Additions {
    Additions::with_newest(module, u32::MAX)
}

/// Returns an error if this reader does not know the addition `number` in the given revision.
pub(crate) const fn unknown(number: u32, revision: u32) -> Option<DecodeErrorKind> {
    match Addition::from_number(number) {
        Some(addition) if revision > 0 && revision <= addition.revision() => None,
        _ => Some(DecodeErrorKind::Addition { number, revision }),
    }
}

impl Region<'_> {
    /// Reads and checks the entries of the record without storing them, because the additions of a module can be derived from its
    /// functions.
    pub(super) fn additions(mut self) -> Result<()> {
        let mut last = None;
        while !self.is_empty() {
            let at = self.at;
            let (number, revision) = (self.word()?, self.word()?);
            if last >= Some(number) {
                return Err(DecodeErrorKind::AdditionsOrder(number).at(at));
            }
            last = Some(number);
            if let Some(unknown) = unknown(number, revision) {
                self.counts.step_over(unknown.at(at))?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_addition_has_a_number_that_fits_into_a_set() {
        let mut last = 0;
        for &addition in Addition::ALL {
            let number = addition.number();
            assert!(number > last, "{addition} is out of order");
            assert_eq!(Addition::from_number(number), Some(addition));
            assert!(number < u32::BITS && addition.revision() > 0);
            last = number;
        }
    }

    #[test]
    fn each_later_operation_is_part_of_an_addition() {
        for &op in Op::ALL {
            assert_eq!(of_operation(op).is_some(), op.number() > LAST_OPERATION, "{op}");
        }
    }
}
