//! The operation table: one row per operation of the IR.
//!
//! Rule: what is true of one operation stands in its row. The codec, the text form, the dump, the type inference, the
//! verifier and the backends read the row; a new operation is a new row, plus a lowering rule if no present one fits.
//! Numbers up to 89 are those of the public header of SDL_shader_tools; our own start at 0x1000, so that a later
//! published list cannot collide with them (docs/format.md, "Operations").
//!
//! The `lowering` column is a token tree that only the backends give a meaning to, by calling [`crate::operations!`] with a
//! macro of their own.

/// Calls `$callback!` with the operation table: rows of
/// `number Name "mnemonic" shape, type rule, stage, (lowering), "documentation";`.
#[macro_export]
macro_rules! operations {
    ($callback:ident) => {
        $callback! {
//  number Name              mnemonic         shape       type rule               stage     lowering
    2      Nop               "nop"            Ignored,    None,                   Any,      (nothing),
           "does nothing; its operands are skipped";
    3      Negate            "negate"         Unary,      Componentwise(Signed),  Any,      (unary Negate),
           "-a";
    5      Not               "not"            Unary,      Componentwise(Bools),    Any,      (unary LogicalNot),
           "true where a is false";
    6      Multiply          "multiply"       Binary,     Product,                Any,      (multiply),
           "a * b, component by component; a vector and a matrix, or two matrices, multiply as in linear algebra, vector on the left as a row";
    7      Divide            "divide"         Binary,     Componentwise(Numbers), Any,      (binary Divide),
           "a / b";
    9      Add               "add"            Binary,     Componentwise(Numbers), Any,      (binary Add),
           "a + b";
    10     Subtract          "subtract"       Binary,     Componentwise(Numbers), Any,      (binary Subtract),
           "a - b";
    13     LessThan          "lessthan"       Binary,     Comparison,             Any,      (binary Less),
           "whether a < b; false for NaN";
    14     GreaterThan       "greaterthan"    Binary,     Comparison,             Any,      (binary Greater),
           "whether a > b; false for NaN";
    15     LessThanOrEqual   "lessthanorequal" Binary,    Comparison,             Any,      (binary LessEqual),
           "whether a <= b; false for NaN";
    16     GreaterThanOrEqual "greaterthanorequal" Binary, Comparison,            Any,      (binary GreaterEqual),
           "whether a >= b; false for NaN";
    17     Equal             "equal"          Binary,     Comparison,             Any,      (binary Equal),
           "whether a == b; false for NaN";
    18     NotEqual          "notequal"       Binary,     Comparison,             Any,      (binary NotEqual),
           "whether a != b; true for NaN";
    22     LogicalAnd        "logicaland"     Binary,     Componentwise(Bools),    Any,      (binary LogicalAnd),
           "whether both are true";
    23     LogicalOr         "logicalor"      Binary,     Componentwise(Bools),    Any,      (binary LogicalOr),
           "whether one is true";
    24     LiteralInt        "literalint"     Literal1,   Literal(Int, 1),        Any,      (literal),
           "an int";
    25     LiteralFloat      "literalfloat"   Literal1,   Literal(Float, 1),      Any,      (literal),
           "a float";
    26     LiteralInt4       "literalint4"    Literal4,   Literal(Int, 4),        Any,      (literal),
           "four ints";
    27     LiteralFloat4     "literalfloat4"  Literal4,   Literal(Float, 4),      Any,      (literal),
           "four floats";
    28     If                "if"             If,         None,                   Any,      (branch),
           "runs its first block if the bool is true, else its second";
    30     Discard           "discard"        Bare,       None,                   Fragment, (discard),
           "ends the fragment without output";
    36     Phi               "phi"            Binary,     Phi,                    Any,      (phi),
           "directly behind an IF: the first value if its first block was left at the end, else the second";
    37     Swizzle           "swizzle"        Swizzle,    Swizzle,                Any,      (swizzle),
           "components of a vector, or a scalar, in the order of `swizvals`";
    44     Abs               "abs"            Unary,      Componentwise(Numbers), Any,      (math Abs),
           "the absolute value";
    45     Sign              "sign"           Unary,      Componentwise(Signed),  Any,      (math Sign),
           "-1, 0 or 1";
    46     Floor             "floor"          Unary,      Componentwise(Floats),   Any,      (math Floor),
           "the largest whole number not above a";
    47     Ceil              "ceil"           Unary,      Componentwise(Floats),   Any,      (math Ceil),
           "the smallest whole number not below a";
    48     Fract             "fract"          Unary,      Componentwise(Floats),   Any,      (math Fract),
           "a - floor(a)";
    51     Sin               "sin"            Unary,      Componentwise(Floats),   Any,      (math Sin),
           "the sine, in radians";
    52     Cos               "cos"            Unary,      Componentwise(Floats),   Any,      (math Cos),
           "the cosine, in radians";
    64     Pow               "pow"            Binary,     Componentwise(Floats),   Any,      (math Pow),
           "a to the power b, for a >= 0";
    67     Exp2              "exp2"           Unary,      Componentwise(Floats),   Any,      (math Exp2),
           "2 to the power a";
    68     Log2              "log2"           Unary,      Componentwise(Floats),   Any,      (math Log2),
           "the logarithm to the base 2, for a > 0";
    69     Sqrt              "sqrt"           Unary,      Componentwise(Floats),   Any,      (math Sqrt),
           "the square root, for a >= 0";
    70     Rsqrt             "rsqrt"          Unary,      Componentwise(Floats),   Any,      (math InverseSqrt),
           "1 / sqrt(a), for a > 0";
    71     Min               "min"            Binary,     Componentwise(Numbers), Any,      (math Min),
           "the smaller of a and b";
    72     Max               "max"            Binary,     Componentwise(Numbers), Any,      (math Max),
           "the larger of a and b";
    73     Clamp             "clamp"          Ternary,    Componentwise(Numbers), Any,      (clamp),
           "a, not below b and not above c";
    82     Dot               "dot"            Binary,     Dot,                    Any,      (math Dot),
           "the sum of the products of the components";
    83     Cross             "cross"          Binary,     Cross,                  Any,      (math Cross),
           "the cross product of two float3";
    89     Sample            "sample"         Binary,     Sample,                 Fragment, (sample Auto),
           "the texel of texture a at coordinate b, its level of detail from the neighbours' coordinates";
    0x1000 Peek              "peek"           Peek,       Peek,                   Any,      (peek),
           "element `b + offset` of the array a, the index held within the array; without an index, element `offset`";
    0x1001 Poke              "poke"           Poke,       Poke,                   Any,      (poke),
           "writes the function's output of that number";
    0x1002 Vector            "vector"         Many,       Vector,                 Any,      (vector),
           "a vector of the components of its parts, in order";
    0x1003 Select            "select"         Ternary,    Select,                 Any,      (select),
           "b where the bool a is true, else c";
    0x1004 Ddx               "ddx"            Unary,      Componentwise(Floats),   Fragment, (derivative X),
           "how a changes from this fragment to its right neighbour";
    0x1005 Ddy               "ddy"            Unary,      Componentwise(Floats),   Fragment, (derivative Y),
           "how a changes from this fragment to the one below it";
    0x1006 SampleBias        "samplebias"     Ternary,    Sample,                 Fragment, (sample Bias),
           "as sample, the float c added to the level of detail";
    0x1007 SampleLod         "samplelod"      Ternary,    Sample,                 Any,      (sample Exact),
           "as sample, at the level of detail c";
    0x1008 SampleGrad        "samplegrad"     Quaternary, Sample,                 Any,      (sample Gradient),
           "as sample, its level of detail from the derivatives c in x and d in y";
    0x1009 Convert           "convert"        Convert,    Convert,                Any,      (convert),
           "the same value in another component type: floats toward zero and held in range, bools to 0 or 1";
    0x100a LiteralBool       "literalbool"    Literal1,   Literal(Bool, 1),       Any,      (literal),
           "a bool: 0 or 1";
    0x100b Matrix            "matrix"         Many,       Matrix,                 Any,      (matrix),
           "a matrix of two to four columns";
        }
    };
}

/// How many ids an operation reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arity {
    /// Exactly so many.
    Fixed(usize),
    /// Two to four.
    TwoToFour,
}

/// What the words of an instruction are, in this order: the output's id if `output`, the ids of the `inputs`, then
/// `immediates` plain words; for IF, the word count of the first block and the blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Whether there is a word for the output's id.
    pub output: bool,
    /// The ids it reads.
    pub inputs: Arity,
    /// Plain words behind the ids.
    pub immediates: usize,
    /// Whether two blocks follow (IF).
    pub blocks: bool,
    /// Whether any operands are allowed and skipped (NOP).
    pub ignored: bool,
}

#[allow(non_upper_case_globals)]
impl Shape {
    const fn of(output: bool, inputs: usize, immediates: usize) -> Shape {
        Shape { output, inputs: Arity::Fixed(inputs), immediates, blocks: false, ignored: false }
    }
    const Ignored: Shape = Shape { ignored: true, ..Shape::of(false, 0, 0) };
    const Bare: Shape = Shape::of(false, 0, 0);
    const Unary: Shape = Shape::of(true, 1, 0);
    const Binary: Shape = Shape::of(true, 2, 0);
    const Ternary: Shape = Shape::of(true, 3, 0);
    const Quaternary: Shape = Shape::of(true, 4, 0);
    const Many: Shape = Shape { inputs: Arity::TwoToFour, ..Shape::of(true, 0, 0) };
    const Literal1: Shape = Shape::of(true, 0, 1);
    const Literal4: Shape = Shape::of(true, 0, 4);
    const Swizzle: Shape = Shape::of(true, 1, 1);
    const Convert: Shape = Shape::of(true, 1, 1);
    const Peek: Shape = Shape::of(true, 2, 1);
    const Poke: Shape = Shape::of(false, 1, 1);
    const If: Shape = Shape { blocks: true, ..Shape::of(false, 1, 0) };
}

/// The component types that a rule admits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Domain {
    /// float and half.
    Floats,
    /// int, unsigned int, float and half.
    Numbers,
    /// int, float and half.
    Signed,
    /// bool.
    Bools,
}

/// How the type of the result follows from the types of the inputs (see [`crate::infer()`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TypeRule {
    /// There is no result.
    None,
    /// Inputs of one component type and one width, or scalars beside vectors, which count for each component; the
    /// result is of the widest input's type.
    Componentwise(Domain),
    /// As componentwise over numbers, or a product of linear algebra.
    Product,
    /// As componentwise over numbers; the result is bools.
    Comparison,
    /// Words of a component type.
    Literal(crate::Scalar, u8),
    /// Both values have one type, which is the result's.
    Phi,
    /// Components of a vector or scalar.
    Swizzle,
    /// Two vectors of one float type; a scalar.
    Dot,
    /// Two float3; a float3.
    Cross,
    /// A texture and its coordinate, with further floats as the operation asks; a float4.
    Sample,
    /// An array and an optional int; its element.
    Peek,
    /// A value of the output's type.
    Poke,
    /// Scalars and vectors of one component type, two to four components together.
    Vector,
    /// A bool, or as many as the values have components, and two values of one type.
    Select,
    /// Numbers or bools; the component type of the immediate.
    Convert,
    /// Columns: float vectors of one width.
    Matrix,
}

/// The functions that an operation may stand in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stages {
    /// All.
    Any,
    /// Fragment functions: it ends a fragment, or reads its neighbours for a derivative.
    Fragment,
}

macro_rules! define {
    ($($number:literal $name:ident $mnemonic:literal $shape:ident, $rule:ident $(($($arg:tt)*))?, $stage:ident, $lowering:tt, $doc:literal;)*) => {
        /// An operation.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u32)]
        pub enum Op {
            $(#[doc = $doc] $name = $number),*
        }

        impl Op {
            /// Every operation, by number.
            pub const ALL: &[Op] = &[$(Op::$name),*];

            /// The operation of a number.
            pub const fn from_number(number: u32) -> Option<Op> {
                match number { $($number => Some(Op::$name),)* _ => None }
            }

            /// The operation's name in text.
            pub const fn mnemonic(self) -> &'static str {
                match self { $(Op::$name => $mnemonic),* }
            }

            /// What its words are.
            pub const fn shape(self) -> Shape {
                match self { $(Op::$name => Shape::$shape),* }
            }

            /// How its result's type follows.
            pub const fn type_rule(self) -> TypeRule {
                #[allow(unused_imports)]
                use {Domain::*, crate::Scalar::*};
                match self { $(Op::$name => TypeRule::$rule $(($($arg)*))?),* }
            }

            /// Where it may stand.
            pub const fn stage(self) -> Stages {
                match self { $(Op::$name => Stages::$stage),* }
            }

            /// What it does, in one line.
            pub const fn documentation(self) -> &'static str {
                match self { $(Op::$name => $doc),* }
            }
        }
    };
}

operations!(define);

impl Op {
    /// The number in the file.
    pub const fn number(self) -> u32 {
        self as u32
    }
}

impl std::fmt::Display for Op {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.mnemonic())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_rise_and_find_their_rows() {
        let mut last = 0;
        for &op in Op::ALL {
            assert!(op.number() > last, "{op} stands in order");
            assert!(op.number() <= 89 || op.number() >= 0x1000, "{op} is published or ours");
            assert_eq!(Op::from_number(op.number()), Some(op));
            last = op.number();
        }
    }
}
