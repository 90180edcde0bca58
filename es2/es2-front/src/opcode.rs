//! The instruction table, which has one row per opcode. The code-word codec, the assembler, the disassembler, the validator and
//! the lifter all read the table.
//!
//! Rule: every fact about an opcode is in its row and nowhere else. The table contains the 29 opcodes of the paper that
//! docs/isa.md follows, in the paper's order, and TEX, which the paper encodes in the code word of NOP. The opcode numbers are
//! agalc's own.

use sdlbc::Op;
use sdlbc::front::Mask;

/// The mnemonics of the assembler's macros, which are not opcodes.
pub(crate) const MACROS: [&str; 3] = ["LIT", "POW", "SUB"];

/// The format of an instruction's code word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// The format of NOP, which uses only the opcode bits.
    Bare,
    /// The format for one or two sources, the first of which has an extended swizzle.
    Standard,
    /// The format of MAD, which has three sources.
    Mad,
    /// The format of a texture load, which is encoded in the code word of NOP.
    External,
}

impl Format {
    /// Reports whether the first source has an extended swizzle in this format.
    pub const fn has_extended(self) -> bool {
        matches!(self, Format::Standard | Format::External)
    }
}

/// The computation of a result from the sources `a`, `b` and `c`. The lifter selects a lowering rule by this enum. In the
/// descriptions of the variants, `s` is the first component of `a`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// The instruction has no result.
    Nothing,
    /// The instruction loads the address register.
    Address,
    /// The result is a copy of `a`.
    Move,
    /// The operation is applied to each component of the sources.
    Componentwise(Op),
    /// The result is 1 in each component for which the comparison is true, and 0 in the other components.
    Compare(Op),
    /// The result is `a * b + c` in each component.
    MultiplyAdd,
    /// The result is `min(max(a, 0), b)` in each component.
    Clamp,
    /// The result is `a` with its z component multiplied by the z component of `b`.
    MultiplyZ,
    /// The result is a function of `s`, copied to all components.
    Scalar(Function),
    /// The result is the dot product of the first 3 or 4 components, copied to all components.
    Dot(u8),
    /// The result is the dot product of the first three components plus the w component of `b`, copied to all components.
    DotHomogeneous,
    /// The result is the distance vector `(1, a.y * b.y, a.z, b.w)`.
    Distance,
    /// The result is the cross product of `a` and `b`, with 0 in the w component.
    Cross,
    /// The result of ARB's EXP instruction: `(2^floor(s), s - floor(s), 2^s, 1)`.
    Exponential,
    /// The result of ARB's LOG instruction: `(e, |s| / 2^e, log2(|s|), 1)`, where e is the exponent of `s`.
    Logarithm,
    /// The result is a texel of a sampler's texture.
    Texture,
}

/// A function of `s`, the first component of a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Function {
    /// The power `2^s`.
    Power,
    /// The logarithm `log2(s)`.
    Logarithm,
    /// The logarithm `log2(s)`, except that the logarithm of 0 is the lowest finite float.
    RoughLogarithm,
    /// The reciprocal `1 / s`.
    Reciprocal,
    /// The reciprocal square root `1 / sqrt(|s|)`.
    ReciprocalRoot,
}

/// A row of the instruction table, which describes one opcode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// The opcode that the row describes.
    pub op: Opcode,
    /// The opcode's number in the code word, 0 to 63.
    pub number: u8,
    /// The opcode's name in assembly.
    pub mnemonic: &'static str,
    /// The format of the opcode's code word.
    pub format: Format,
    /// The number of sources, 0 to 3.
    pub sources: u8,
    /// The computation of the instruction's result.
    pub meaning: Meaning,
    /// A description of the instruction's result, as printed in docs/isa.md.
    pub text: &'static str,
}

macro_rules! opcodes {
    ($($name:ident $number:literal $mnemonic:literal $format:ident $sources:literal ($meaning:expr) $text:literal;)*) => {
        /// An opcode of the unified-shader instruction set.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Opcode {
            $(#[doc = $text] $name,)*
        }

        impl Opcode {
            /// Every opcode, in the order of the instruction table.
            pub const ALL: &[Opcode] = &[$(Opcode::$name),*];

            /// Returns the opcode's row of the instruction table.
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
    Swz    6  "SWZ"   Standard 1 (Move)                                     "a, with an extended swizzle; encoded as MOV";
    Add    7  "ADD"   Standard 2 (Componentwise(Op::Add))                   "a + b";
    Mul    8  "MUL"   Standard 2 (Componentwise(Op::Multiply))              "a * b";
    Dst    9  "DST"   Standard 2 (Distance)                                 "(1, a.y * b.y, a.z, b.w)";
    Xpd    10 "XPD"   Standard 2 (Cross)                                    "the cross product of a.xyz and b.xyz; w is 0 (agalc's choice)";
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
    Log    22 "LOG"   Standard 1 (Logarithm)                                "(e, |s| / 2^e, log2(|s|), 1), where 2^e is the greatest power of two that does not exceed |s|; for 0, denormals, infinities and NaN, x is log2(|s|) and y is 1";
    Ex2    23 "EX2"   Standard 1 (Scalar(Function::Power))                  "2^s, in all components";
    Lg2    24 "LG2"   Standard 1 (Scalar(Function::Logarithm))              "log2(s), in all components";
    Rcp    25 "RCP"   Standard 1 (Scalar(Function::Reciprocal))             "1 / s, in all components";
    Rsq    26 "RSQ"   Standard 1 (Scalar(Function::ReciprocalRoot))         "1 / sqrt(|s|), in all components";
    REx2   27 "REX2"  Standard 1 (Scalar(Function::Power))                  "approximately 2^s, in all components";
    RLg2   28 "RLG2"  Standard 1 (Scalar(Function::RoughLogarithm))         "approximately log2(s), in all components; the lowest finite number for 0";
    Tex    0  "TEX"   External 1 (Texture)                                  "the sampler's texture at the coordinates a; in vertex programs, at mip level 0";
}

impl Opcode {
    /// Returns the opcode with this number in a code word, or `None`. NOP and TEX share a number, for which NOP is returned.
    pub fn from_number(number: u8) -> Option<Opcode> {
        Opcode::ALL.iter().copied().find(|op| op.row().number == number && op.row().format != Format::External)
    }

    /// Returns the opcode with this mnemonic, ignoring case.
    pub fn from_mnemonic(mnemonic: &str) -> Option<Opcode> {
        Opcode::ALL.iter().copied().find(|op| op.row().mnemonic.eq_ignore_ascii_case(mnemonic))
    }
}

/// Returns the slots of source `source` (0 to 2) that are needed to compute the components `mask` of the result. `coordinate` is
/// the number of components of a texture coordinate.
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
