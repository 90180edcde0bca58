//! The numbered rules, and the messages of violations.
//!
//! Rule: the number of a rule never changes and is never reused, and a new rule gets the next number. docs/format.md lists all
//! rules.

use std::fmt;

use crate::infer::TypeError;
use crate::limits::Counted;
use crate::messages::messages;
use crate::text::immediate;
use crate::{FunctionKind, Id, Member, Op, Type, limits};

macro_rules! rules {
    ($($number:literal $name:ident $text:literal;)*) => {
        /// A rule that every valid module obeys.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum Rule {
            $(#[doc = $text] $name = $number),*
        }

        impl Rule {
            /// Every rule, in ascending order of the rule numbers.
            pub const ALL: &[Rule] = &[$(Rule::$name),*];

            /// Returns the number of the rule, which is printed with two digits, as in `V01`.
            pub const fn number(self) -> u8 {
                match self { $(Rule::$name => $number),* }
            }

            /// Returns the requirement that the rule states, as one line of text.
            pub const fn text(self) -> &'static str {
                match self { $(Rule::$name => $text),* }
            }
        }
    };
}

rules! {
    1  InputId          "the id of an input must not be 0";
    2  UniqueIds        "an id must be defined only once in its function";
    3  IdLimit          "an id must not exceed the limit";
    4  OperandPresent   "the id of an operand must not be 0, unless the operation allows the operand to be absent";
    5  Defined          "an operand must be defined before it is used, in reading order; only the second value of a phi at the head of a loop may be defined later, inside the loop";
    6  Visible          "a value that is defined in a block must not be used after the block, except by a phi";
    7  Shape            "an instruction must have exactly the operands and immediates of its operation, and a result only if the operation has one";
    8  Types            "the types of the operands must fit the operation";
    9  Blocks           "an if must have two blocks, a loop one, a switch one for each case and one for the default, and any other instruction none";
    10 PhiPosition      "a phi must be directly after an if or at the head of a loop, with nothing but phis and nops in between";
    11 PhiValues        "the operands of a phi must be visible at the point from which control comes: after an if, the first at the end of the true block and the second at the end of the false block; at the head of a loop, the first before the loop and the second at the end of its block";
    12 FragmentOnly     "discard, derivatives and samples with an implicit level of detail are allowed only in fragment functions and in generic functions that no vertex or compute function reaches by calls";
    13 AfterJump        "a discard, break, continue or return must be the last instruction of its block, except for nops";
    14 Nesting          "the nesting depth of blocks must not exceed the limit";
    15 OneEntry         "a module must have at most one vertex function, one fragment function and one compute function";
    16 EntryName        "a vertex, fragment or compute function must have a name";
    17 FunctionNames    "no two functions may have the same name";
    18 InputKind        "the kind of an input must be allowed in its function";
    19 InputType        "the type of an input must be allowed for its kind";
    20 OutputKind       "the kind of an output must be allowed in its function";
    21 OutputType       "the type of an output must be allowed for its kind";
    22 Places           "no two inputs of the same kind in a function may have the same location, slot or builtin, nor may two outputs of the same kind have the same location, target or index; position, depth, pointsize and returned outputs may occur only once";
    23 Names            "no two inputs of the same kind in a function may have the same name, nor may two outputs of the same kind";
    24 PlaceNumbers     "a location, a slot, a colour target or the index of a clip distance must not exceed the limit";
    25 TypeWords        "a vector must have one to four components, a matrix two to four columns and rows, and an array at least one element";
    26 ArrayLength      "an array must not be longer than the limit";
    27 SamplerFields    "the fields of a sampler must have known values";
    28 NulInName        "no name, file name or source text may contain a nul, which would end the string in a file";
    29 Position         "a vertex function must have a position output";
    30 Written          "every output except a returned one must be written on every path to the function's end and to its returns";
    31 NamedFunction    "the debug table may refer only to functions that exist";
    32 NamesOrder       "the debug table must have at most one entry for each function, in ascending order, and each entry must have a name, value names, members, bindings or line numbers";
    33 NamedId          "the debug table may name only ids that the function defines";
    34 Jump             "a break must be inside a loop or a switch, and a continue inside a loop";
    35 LoopExit         "a loop must contain a return, a discard, or a break that leaves the loop";
    36 ContinueValues   "the second value of a phi at the head of a loop must be visible at each continue of the loop";
    37 CaseValues       "no two cases of a switch may have the same value";
    38 Callee           "a call must refer to a generic function of the module";
    39 Recursion        "no function may call itself, directly or indirectly";
    40 Slot             "a poke must write to a local or shared array of its function, or to a storage buffer that may be written; an atomic operation must change a shared array of its function or a storage buffer that may be written; an imagestore must write to a storage texture that may be written, and an imageload must read from one that may be read";
    41 Returned         "the end of a function with a returned output must not be reached, and each of its returns must have a value";
    42 Resources        "uniforms with the same name, textures with the same slot, storage buffers with the same slot, and storage textures with the same slot must have the same type, sampler, slot, offset and access in all functions that one vertex, fragment or compute function reaches";
    43 Varyings         "a varying must have the same type and interpolation in the vertex function and in the fragment function";
    44 Limits           "the numbers of functions, inputs, outputs, instructions, cases, operands, names, members, sources and line numbers, and the bytes of strings, must not exceed the limits";
    45 Lines            "the line numbers of a function must refer to a source in the debug table and must not outnumber the instructions";
    46 DebugProgram     "the debug table may have a program record only in a file without functions";
    47 SlotComponents   "the local slots of all functions must not have more components than the limit";
    48 MembersOf        "only a uniform of its function that is an array of float4 may have members, and there must be at least one";
    49 MemberType       "a member must be a float, a float2 at component x or z, or a float3, float4, matrix or array of float4 at component x";
    50 MemberPlace      "the members of an array must lie within it, be in ascending order of their places, and not overlap";
    51 MemberName       "a member must have a name, and no two members of an array may have the same name";
    52 UniformPlace     "a uniform with a slot must have a name, an offset that is a multiple of its alignment, and an end within the limit on buffers";
    53 UniformOverlap   "no two uniforms with the same slot may overlap, in one function or in all functions that one vertex, fragment or compute function reaches; functions may share a uniform of the same name";
    54 TexelOffset      "a textureoffset or a texturesize must read a texture of its function, not the result of a textureoffset; the offset must be from -8 to 7 along each axis of the texture, and 0 in the rest of its word";
    60 Workgroup        "a compute function must have a workgroup, with numbers of invocations that are at least 1 and within the limits; no other function may have one";
    61 ComputeAlone     "a module with a compute function must not have a vertex or fragment function";
    62 ComputeOnly      "a barrier is allowed only in compute functions";
    63 UniformBarrier   "a barrier must be in uniform control flow: no enclosing or preceding condition, selector or loop exit may depend on a value that can differ between the invocations of a workgroup";
    64 WrittenMemory    "a writable storage buffer or storage texture is allowed only in compute functions and in generic functions that no vertex or fragment function reaches by calls";
    65 SharedComponents "the shared arrays of all functions must not have more components than the limit";
    66 ClipDistances    "the indices of a function's clip distances must be numbered from 0 without a gap";
    67 SourceBindings   "only a uniform, a texture, a storage buffer or a storage texture of its function may have a binding of the source, only a texture one of its sampler, only a uniform push constants, and each number must be below 4294967295";
}

/// Prints the number of the rule, such as `V01`.
impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "V{:02}", self.number())
    }
}

/// A violation of a rule, with its position in the module.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Violation {
    /// The rule that the module breaks.
    pub rule: Rule,
    /// The index of the function, or `None` if the violation concerns the whole module.
    pub function: Option<usize>,
    /// The index of the instruction in reading order, counting instructions in nested blocks, or `None` if the violation concerns
    /// no instruction.
    pub instruction: Option<usize>,
    /// The byte offset of the faulty part in the file that [`encode()`](crate::encode()) writes. The faulty part is the
    /// instruction if there is one, and otherwise an input, an output, a function or a debug record.
    pub offset: Option<usize>,
    /// The details that complete the violation's message.
    pub detail: Detail,
}

messages! {
    /// The details of a violation, such as the id or the operation that breaks the rule.
    #[derive(Clone, Debug, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum Detail {
        /// No details beyond the text of the rule.
        None => "";
        /// The id of the value that breaks the rule.
        Id(id: Id) => "{id}";
        /// The operation that breaks the rule.
        Op(op: Op) => "{op}";
        /// The shape of an instruction: its result, and its numbers of operands, immediates and blocks.
        Operands {
            /// The operation of the instruction.
            op: Op,
            /// Whether the instruction has a result.
            output: bool,
            /// The number of the instruction's operands.
            inputs: usize,
            /// The number of the instruction's immediates.
            immediates: usize,
            /// The number of the instruction's blocks.
            blocks: usize,
        } => "{op} with {}{inputs} operands, {immediates} immediates, {blocks} blocks", if *output { "a result, " } else { "" };
        /// Operands whose types do not fit the operation.
        Types(error: TypeError) => "{error}";
        /// The name that breaks the rule.
        Name(name: String) => "{name:?}";
        /// The index of a function, from a CALL or the debug table.
        Index(index: u32) => "function {index}";
        /// The quantity that exceeds its limit, and the number found in the module.
        Over(counted: Counted, found: usize) => "{found} {}, but the limit is {}", counted.what(), counted.limit();
        /// The index of a source in the debug table.
        Source(index: u32) => "source {index}";
        /// The value of a SWITCH case.
        Case(value: u32) => "case {}", value.cast_signed();
        /// More line numbers than the function has instructions.
        Count {
            /// The number of line numbers in the debug table's entry for the function.
            found: usize,
            /// The number of instructions in the function, which is the maximum number of line numbers.
            most: usize,
        } => "{found}, expected at most {most}";
        /// The offset word of a TEXTUREOFFSET.
        Offset(word: u32) => "offset {}", immediate(Op::TextureOffset, *word);
        /// The workgroup size of a function, or `None` if the function has no workgroup size.
        Workgroup(size: Option<[u32; 3]>) => "{}", workgroup(*size);
        /// The function input that breaks the rule.
        Input {
            /// The index of the input in its function.
            index: usize,
            /// The name of the input, which may be empty.
            name: String,
            /// The name of the input's kind.
            kind: &'static str,
            /// The type of the input.
            ty: Type,
            /// The kind of the function that contains the input.
            function: FunctionKind,
        } => "input {index} {name:?} of a {} function: {kind}, {ty}", function.name();
        /// A member of an array of uniforms.
        Member {
            /// The id of the array of uniforms.
            id: Id,
            /// The index of the member in the array's list of members.
            index: usize,
            /// The member's name, position in the array and type.
            member: Member,
        } => "{:?} at {id}{}: {}", member.name, member.place(), member.ty;
        /// The function output that breaks the rule.
        Output {
            /// The index of the output in its function.
            index: usize,
            /// The name of the output, which may be empty.
            name: String,
            /// The name of the output's kind.
            kind: &'static str,
            /// The type of the output.
            ty: Type,
            /// The kind of the function that contains the output.
            function: FunctionKind,
        } => "output {index} {name:?} of a {} function: {kind}, {ty}", function.name();
    }
}

/// Describes a workgroup size and the limits on workgroup sizes.
fn workgroup(size: Option<[u32; 3]>) -> String {
    let Some([x, y, z]) = size else { return "it has none".to_string() };
    let [most_x, most_y, most_z] = limits::WORKGROUP;
    let all = limits::INVOCATIONS;
    format!("{x} x {y} x {z}; the limits are {most_x}, {most_y} and {most_z}, and {all} in all")
}

impl Violation {
    /// Returns the message of the violation without its position, for callers that show the position themselves.
    pub fn message(&self) -> String {
        match self.detail {
            Detail::None => format!("{}: {}", self.rule, self.rule.text()),
            _ => format!("{}: {}: {}", self.rule, self.rule.text(), self.detail),
        }
    }
}

/// Prints the rule's number and a lower-case message on one line.
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
