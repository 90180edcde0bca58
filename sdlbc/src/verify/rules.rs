//! The rules by number, and what a violation says.
//!
//! Rule: a number is given once and stays with its rule; a new rule takes the next one. docs/format.md lists them.

use std::fmt;

use crate::infer::TypeError;
use crate::limits::Counted;
use crate::{FunctionKind, Id, Op, Type};

macro_rules! rules {
    ($($number:literal $name:ident $text:literal;)*) => {
        /// What a module must keep.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum Rule {
            $(#[doc = $text] $name = $number),*
        }

        impl Rule {
            /// Every rule, by number.
            pub const ALL: &[Rule] = &[$(Rule::$name),*];

            /// The rule's number; it prints as `V01`.
            pub const fn number(self) -> u8 {
                match self { $(Rule::$name => $number),* }
            }

            /// What it asks, in one line.
            pub const fn text(self) -> &'static str {
                match self { $(Rule::$name => $text),* }
            }
        }
    };
}

rules! {
    1  InputId          "an input has an id other than 0";
    2  UniqueIds        "an id is defined once in its function";
    3  IdLimit          "an id is not above the limit";
    4  OperandPresent   "an operand has an id other than 0, where its operation does not allow for none";
    5  Defined          "an operand is defined before it is used, in reading order; the second value of a phi at the head of a loop, before the loop's end";
    6  Visible          "a value of a block is not used behind the block, except by a phi";
    7  Shape            "an instruction has the output, inputs and immediates of its operation";
    8  Types            "the operands' types fit the operation";
    9  Blocks           "an if has two blocks, a loop one, a switch one for each case and one more, and nothing else has any";
    10 PhiPlace         "phis stand directly after an if or at the head of a loop, before everything else but nops";
    11 PhiValues        "a phi's values are visible where they come from: behind an if, at the end of its first and at the end of its second block; at the head of a loop, in front of the loop and at the end of its block";
    12 FragmentOnly     "discard, derivatives and samples without a level or gradients stand in fragment functions, and in generic functions that no vertex function reaches";
    13 BehindJump       "a discard, break, continue or return is the last instruction of its block, nops aside";
    14 Nesting          "blocks are not nested above the limit";
    15 OneEntry         "there is at most one vertex function and one fragment function";
    16 EntryName        "a vertex or fragment function has a name";
    17 FunctionNames    "no two functions have one name";
    18 InputKind        "an input is of a kind that its function may have";
    19 InputType        "an input's type is one that its kind may have";
    20 OutputKind       "an output is of a kind that its function may have";
    21 OutputType       "an output's type is one that its kind may have";
    22 Places           "no two inputs, and no two outputs, of one kind have one location, slot, target or meaning";
    23 Names            "no two inputs, and no two outputs, of one kind have one name";
    24 PlaceNumbers     "a colour's target is 0 to 3; a location or slot is below the limit";
    25 TypeWords        "a type has one to four components, two to four columns, and elements if it is an array";
    26 ArrayLength      "an array is not longer than the limit";
    27 SamplerFields    "a sampler's fields have known values";
    28 NulInName        "a name, and a source, holds no nul, at which a string ends in a file";
    29 Position         "a vertex function has a position";
    30 Written          "every output is written on every way to the function's end and to its returns";
    31 NamedFunction    "the debug table names functions that exist";
    32 NamesOrder       "the debug table has each function once, in order, with a name, names of ids or lines";
    33 NamedId          "the debug table names ids that exist";
    34 Jump             "a break stands in a loop or a switch, a continue in a loop";
    35 LoopExit         "a loop has a break that leaves it, a return or a discard";
    36 ContinueValues   "the second value of a phi at the head of a loop is visible at each continue of the loop";
    37 CaseValues       "no two cases of a switch have one value";
    38 Callee           "a call names a generic function of the module";
    39 Recursion        "no function calls itself, through others or not";
    40 Slot             "the slot that a poke writes is a local of its function";
    41 Returned         "a function that returns a value returns one on every way to its end";
    42 Resources        "uniforms of one name, and textures of one slot, that one vertex or fragment function reaches are one: they have one type and one sampler";
    43 Varyings         "a varying has one type and interpolation in the vertex function and in the fragment function";
    44 Limits           "a module has no more functions, inputs, outputs, instructions, cases, operands, names and bytes of them than the limits allow";
    45 Lines            "the debug table's lines are of a source that it has, and no more than the function has instructions";
    46 DebugProgram     "the debug table names its program in a file without functions only";
    47 SlotComponents   "the slots of all functions have no more components together than the limit";
}

/// `V01`.
impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "V{:02}", self.number())
    }
}

/// One place where a module does not keep a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The rule.
    pub rule: Rule,
    /// The index of the function, where there is one.
    pub function: Option<usize>,
    /// The instruction in reading order, blocks' instructions included, the first being 0; `None` when it is not about
    /// an instruction.
    pub instruction: Option<usize>,
    /// The byte at which it stands in the file that [`encode()`](crate::encode()) writes: of the instruction, else of
    /// the input, output or function, else of the debug table's record.
    pub offset: Option<usize>,
    /// What it is about.
    pub detail: Detail,
}

/// What a violation is about.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Detail {
    /// What the rule says is all.
    None,
    /// A value.
    Id(Id),
    /// An operation.
    Op(Op),
    /// An instruction as it stands.
    Operands {
        /// Its operation.
        op: Op,
        /// Whether it has an output's id.
        output: bool,
        /// The number of its inputs.
        inputs: usize,
        /// The number of its immediates.
        immediates: usize,
        /// The number of its blocks.
        blocks: usize,
    },
    /// Operands and what the operation asks for.
    Types(TypeError),
    /// A name.
    Name(String),
    /// A function's index that a CALL or the debug table names.
    Index(u32),
    /// What there is too much of, and how much.
    Over(Counted, usize),
    /// A source's index.
    Source(u32),
    /// A case's value.
    Case(u32),
    /// More than there may be.
    Count {
        /// So many there are.
        found: usize,
        /// So many there may be.
        most: usize,
    },
    /// An input of the function.
    Input {
        /// Its index.
        index: usize,
        /// Its name.
        name: String,
        /// Its kind.
        kind: &'static str,
        /// Its type.
        ty: Type,
        /// The kind of the function.
        function: FunctionKind,
    },
    /// An output of the function.
    Output {
        /// Its index.
        index: usize,
        /// Its name.
        name: String,
        /// Its kind.
        kind: &'static str,
        /// Its type.
        ty: Type,
        /// The kind of the function.
        function: FunctionKind,
    },
}

impl fmt::Display for Detail {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Detail::None => Ok(()),
            Detail::Id(id) => write!(f, "{id}"),
            Detail::Op(op) => write!(f, "{op}"),
            Detail::Operands { op, output, inputs, immediates, blocks } => {
                let output = if *output { "an output, " } else { "" };
                write!(f, "{op} with {output}{inputs} inputs, {immediates} immediates, {blocks} blocks")
            }
            Detail::Types(error) => write!(f, "{error}"),
            Detail::Name(name) => write!(f, "{name:?}"),
            Detail::Index(index) => write!(f, "function {index}"),
            Detail::Over(counted, found) => {
                write!(f, "{found} {}, and not {} at most", counted.what(), counted.limit())
            }
            Detail::Source(index) => write!(f, "source {index}"),
            Detail::Case(value) => write!(f, "case {}", value.cast_signed()),
            Detail::Count { found, most } => write!(f, "{found}, and not {most} at most"),
            Detail::Input { index, name, kind, ty, function } => {
                write!(f, "input {index} {name:?} of a {function} function: {kind}, {ty}", function = function.name())
            }
            Detail::Output { index, name, kind, ty, function } => {
                write!(f, "output {index} {name:?} of a {function} function: {kind}, {ty}", function = function.name())
            }
        }
    }
}

impl Violation {
    /// What is wrong, without where: for who shows the place in a text.
    pub fn message(&self) -> String {
        match self.detail {
            Detail::None => format!("{}: {}", self.rule, self.rule.text()),
            _ => format!("{}: {}: {}", self.rule, self.rule.text(), self.detail),
        }
    }
}

/// One lower-case line behind the rule's number.
impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message())?;
        if let Some(function) = self.function {
            write!(f, ", in function {function}")?;
        }
        if let Some(instruction) = self.instruction {
            write!(f, " at instruction {instruction}")?;
        }
        if let Some(offset) = self.offset {
            write!(f, ", byte {offset}")?;
        }
        Ok(())
    }
}
