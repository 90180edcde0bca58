//! The instruction table: one row per opcode, read by the code words, the assembler, the disassembler, the validator and the
//! lifter.
//!
//! Rule: every fact about an opcode is in its row and nowhere else. The opcodes are the 29 of the paper, in its order, and TEX,
//! which the paper encodes in the code word of NOP; the numbers are our own (docs/isa.md).

use sdlbc::Op;
use sdlbc::front::Mask;

/// The names of the macros in text, which are not opcodes.
pub(crate) const MACROS: [&str; 3] = ["LIT", "POW", "SUB"];

/// The format of an instruction's code word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// NOP: no bits other than the opcode.
    Bare,
    /// One or two sources; the first has an extended swizzle.
    Standard,
    /// Three sources.
    Mad,
    /// A texture load in the code word of NOP.
    External,
}

impl Format {
    /// Whether the first source has an extended swizzle.
    pub const fn has_extended(self) -> bool {
        matches!(self, Format::Standard | Format::External)
    }
}

/// The result of an instruction, by which the lifter selects its rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// Nothing.
    Nothing,
    /// Loads the address register.
    Address,
    /// A copy.
    Move,
    /// An operation for each component.
    Componentwise(Op),
    /// 1 where the comparison holds, else 0.
    Compare(Op),
    /// `a * b + c` for each component.
    MultiplyAdd,
    /// `min(max(a, 0), b)` for each component.
    Clamp,
    /// `a` with its z multiplied by b's z.
    MultiplyZ,
    /// A function of the first component, in all components.
    Scalar(Function),
    /// A dot product of this many components, in all components.
    Dot(u8),
    /// A dot product of three components plus b's w, in all components.
    DotHomogeneous,
    /// `(1, a.y * b.y, a.z, b.w)`.
    Distance,
    /// The cross product; w is 0.
    Cross,
    /// ARB's EXP: `(2^floor(s), s - floor(s), 2^s, 1)`.
    Exponential,
    /// ARB's LOG: `(e, |s| / 2^e, log2(|s|), 1)` for the exponent e of s.
    Logarithm,
    /// A texture load.
    Texture,
}

/// A function of one component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Function {
    /// `2^s`.
    Power,
    /// `log2(s)`.
    Logarithm,
    /// `log2(s)`, but the lowest number for 0.
    RoughLogarithm,
    /// `1 / s`.
    Reciprocal,
    /// `1 / sqrt(|s|)`.
    ReciprocalRoot,
}

/// A row of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// The opcode.
    pub op: Opcode,
    /// The number in the code word, 0 to 63.
    pub number: u8,
    /// The name in text.
    pub mnemonic: &'static str,
    /// The format of the code word.
    pub format: Format,
    /// The number of sources.
    pub sources: u8,
    /// The result, for the lifter.
    pub meaning: Meaning,
    /// The result, in words.
    pub text: &'static str,
}

macro_rules! opcodes {
    ($($name:ident $number:literal $mnemonic:literal $format:ident $sources:literal ($meaning:expr) $text:literal;)*) => {
        /// An opcode.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Opcode {
            $(#[doc = $text] $name,)*
        }

        impl Opcode {
            /// Every opcode, in the order of the table.
            pub const ALL: &[Opcode] = &[$(Opcode::$name),*];

            /// The row of the opcode.
            pub const fn row(self) -> &'static Row {
                use Meaning::*;
                match self {
                    $(Opcode::$name => &const { Row {
                        op: Opcode::$name,
                        number: $number,
                        mnemonic: $mnemonic,
                        format: Format::$format,
                        sources: $sources,
                        meaning: $meaning,
                        text: $text,
                    } },)*
                }
            }
        }
    };
}

opcodes! {
//  name   number mnemonic format sources meaning                                  text
    Nop    0  "NOP"   Bare     0 (Nothing)                                  "nothing";
    Arl    1  "ARL"   Standard 1 (Address)                                  "the address register becomes floor(s)";
    Mov    2  "MOV"   Standard 1 (Move)                                     "a";
    Abs    3  "ABS"   Standard 1 (Componentwise(Op::Abs))                   "the absolute value of a";
    Flr    4  "FLR"   Standard 1 (Componentwise(Op::Floor))                 "floor(a)";
    Frc    5  "FRC"   Standard 1 (Componentwise(Op::Fract))                 "a - floor(a)";
    Swz    6  "SWZ"   Standard 1 (Move)                                     "a: a MOV that is written with an extended swizzle";
    Add    7  "ADD"   Standard 2 (Componentwise(Op::Add))                   "a + b";
    Mul    8  "MUL"   Standard 2 (Componentwise(Op::Multiply))              "a * b";
    Dst    9  "DST"   Standard 2 (Distance)                                 "(1, a.y * b.y, a.z, b.w)";
    Xpd    10 "XPD"   Standard 2 (Cross)                                    "the cross product of a.xyz and b.xyz; w is 0 (ours)";
    Max    11 "MAX"   Standard 2 (Componentwise(Op::Max))                   "the larger of a and b";
    Min    12 "MIN"   Standard 2 (Componentwise(Op::Min))                   "the smaller of a and b";
    Sge    13 "SGE"   Standard 2 (Compare(Op::GreaterThanOrEqual))          "1 where a >= b, else 0";
    Slt    14 "SLT"   Standard 2 (Compare(Op::LessThan))                    "1 where a < b, else 0";
    Dph    15 "DPH"   Standard 2 (DotHomogeneous)                           "a.x * b.x + a.y * b.y + a.z * b.z + b.w, in all components";
    Dp3    16 "DP3"   Standard 2 (Dot(3))                                   "a.x * b.x + a.y * b.y + a.z * b.z, in all components";
    Dp4    17 "DP4"   Standard 2 (Dot(4))                                   "a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w, in all components";
    Clamp  18 "CLAMP" Standard 2 (Clamp)                                    "min(max(a, 0), b)";
    MulZ   19 "MULZ"  Standard 2 (MultiplyZ)                                "(a.x, a.y, a.z * b.z, a.w)";
    Mad    20 "MAD"   Mad      3 (MultiplyAdd)                              "a * b + c: the product is rounded, and then the sum";
    Exp    21 "EXP"   Standard 1 (Exponential)                              "(2^floor(s), s - floor(s), 2^s, 1)";
    Log    22 "LOG"   Standard 1 (Logarithm)                                "(e, |s| / 2^e, log2(|s|), 1), where 2^e is the greatest power of two that is not above |s|; of 0, denormals, infinities and NaN, x is log2(|s|) and y is 1";
    Ex2    23 "EX2"   Standard 1 (Scalar(Function::Power))                  "2^s, in all components";
    Lg2    24 "LG2"   Standard 1 (Scalar(Function::Logarithm))              "log2(s), in all components";
    Rcp    25 "RCP"   Standard 1 (Scalar(Function::Reciprocal))             "1 / s, in all components";
    Rsq    26 "RSQ"   Standard 1 (Scalar(Function::ReciprocalRoot))         "1 / sqrt(|s|), in all components";
    REx2   27 "REX2"  Standard 1 (Scalar(Function::Power))                  "2^s, in all components; rough";
    RLg2   28 "RLG2"  Standard 1 (Scalar(Function::RoughLogarithm))         "log2(s), in all components; rough, and the lowest number for 0";
    Tex    0  "TEX"   External 1 (Texture)                                  "the texel of a sampler's texture at a; level 0 in vertex programs";
}

impl Opcode {
    /// The opcode with this number; never TEX.
    pub fn from_number(number: u8) -> Option<Opcode> {
        Opcode::ALL.iter().copied().find(|op| op.row().number == number && op.row().format != Format::External)
    }

    /// The opcode with this name, in either case.
    pub fn from_mnemonic(mnemonic: &str) -> Option<Opcode> {
        Opcode::ALL.iter().copied().find(|op| op.row().mnemonic.eq_ignore_ascii_case(mnemonic))
    }
}

/// The slots of source `source` (0 to 2) that are used to compute the components `mask` of the result. `coordinate` is the
/// number of components of a texture's coordinate.
pub(crate) fn slots(op: Opcode, source: usize, mask: Mask, coordinate: u8) -> Mask {
    let row = op.row();
    if source >= usize::from(row.sources) || mask.is_empty() && row.format != Format::Bare && op != Opcode::Arl {
        return Mask(0);
    }
    let of = |component: u8| Mask(mask.0 & 1 << component);
    match row.meaning {
        Meaning::Nothing => Mask(0),
        Meaning::Move | Meaning::Componentwise(_) | Meaning::Compare(_) | Meaning::MultiplyAdd | Meaning::Clamp => mask,
        Meaning::Address | Meaning::Scalar(_) => Mask(1),
        Meaning::Exponential | Meaning::Logarithm => Mask(u8::from(mask.0 & 7 != 0)),
        Meaning::MultiplyZ if source == 0 => mask,
        Meaning::MultiplyZ => of(2),
        Meaning::Dot(width) => Mask((1 << width) - 1),
        Meaning::DotHomogeneous if source == 0 => Mask(7),
        Meaning::DotHomogeneous => Mask::ALL,
        Meaning::Distance if source == 0 => Mask(mask.0 & 0b0110),
        Meaning::Distance => Mask(mask.0 & 0b1010),
        Meaning::Cross => mask.of_cross(),
        Meaning::Texture => Mask((1 << coordinate) - 1),
    }
}
