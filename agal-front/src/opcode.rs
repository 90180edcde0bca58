//! AGAL's operation table, with one row for each opcode. The assembler, disassembler, validator and lifter read the
//! table.
//!
//! Rule: each fact about an opcode is stated in the opcode's row and nowhere else. The rows follow Adobe's published bytecode
//! format. Facts that the format does not specify, such as an opcode's flags and first version, follow Adobe's own header and
//! assembler.

use sdlbc::Op;

use crate::register::{FRAGMENT, Stage, VERTEX};
use sdlbc::front::Mask;

/// The kind of operand that an opcode expects in a source slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operand {
    /// The slot is unused and must be zero.
    None,
    /// A register read with a swizzle.
    Vector,
    /// A register from which a single component is read.
    Scalar,
    /// The first of several consecutive registers, which are the rows of a matrix.
    Matrix,
    /// A texture coordinate, with as many components as the sampler's dimension requires.
    Coordinate,
    /// A sampler with its options.
    Sampler,
}

/// The rule by which the lifter translates an opcode to the IR, with the rule's parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// Copies the operand; the lifter emits no instruction.
    Move,
    /// Applies an operation to each component in the write mask.
    Componentwise(Op),
    /// Applies an operation to the absolute value of each component, for square roots and the logarithm.
    OfAbsolute(Op),
    /// Computes `1 / a`.
    Reciprocal,
    /// Computes `|a| ^ b`, which is 1 if `b` is 0.
    Power,
    /// Clamps the operand to 0..1.
    Saturate,
    /// Compares two operands. Yields 1 if the comparison is true, and 0 otherwise.
    Compare(Op),
    /// Scales a vector to length one, except the zero vector, which stays zero.
    Normalize,
    /// Computes the cross product of two three-component vectors.
    Cross,
    /// Computes the dot product of the given number of components, and writes the product to every component in the
    /// write mask.
    Dot(u8),
    /// Computes the dot products of a vector of `width` components with `rows` consecutive registers.
    Matrix {
        /// The number of rows, which is also the number of components of the result.
        rows: u8,
        /// The number of components in the vector and in each row.
        width: u8,
    },
    /// Computes a screen-space derivative.
    Derivative(Op),
    /// Opens a conditional, whose condition compares two operands.
    If(Op),
    /// Opens the second branch of a conditional.
    Else,
    /// Closes a conditional.
    EndIf,
    /// Discards the fragment if the operand is below zero.
    Kill,
    /// Samples a texture.
    Texture,
    /// Samples a texture at a level of detail that is part of the coordinate, as Direct3D's `texldl` does. No published source
    /// confirms this behaviour, so the opcode is refused unless the caller allows it.
    TextureLevel,
}

/// The facts about one opcode, as a row of the operation table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// The opcode number in a token's first word.
    pub code: u32,
    /// The three-letter mnemonic in source text.
    pub mnemonic: &'static str,
    /// Whether the operation writes a destination.
    pub destination: bool,
    /// The kinds of the two source operands.
    pub sources: [Operand; 2],
    /// The only stage that supports the opcode, or `None` if both stages do.
    pub stage: Option<Stage>,
    /// The first AGAL version that has the opcode.
    pub since: u32,
    /// The lifter's rule for translating the opcode.
    pub meaning: Meaning,
    /// The destination components that the operation yields. `nrm`, `crs`, `m33` and `m34` yield no w, and an operation without a
    /// destination yields no components.
    pub yields: Mask,
    /// The swizzle slots that each register operand reads, regardless of the write mask. The set is empty if the mask determines
    /// the slots.
    pub reads: Mask,
}

impl Row {
    /// Returns the kind of the operand in a source slot (0 or 1).
    pub fn source(&self, slot: usize) -> Operand {
        of_slot(self.sources, slot)
    }

    /// Returns the number of consecutive registers that the operand of a source slot (0 or 1) covers. A matrix covers one
    /// register for each row.
    pub fn registers(&self, slot: usize) -> u8 {
        match (self.source(slot), self.meaning) {
            (Operand::Matrix, Meaning::Matrix { rows, .. }) => rows,
            _ => 1,
        }
    }
}

/// Returns the element of a pair that belongs to a source slot (0 or 1).
pub(crate) fn of_slot<T: Copy>(pair: [T; 2], slot: usize) -> T {
    if slot & 1 == 0 { pair[0] } else { pair[1] }
}

const fn yields(destination: bool, meaning: Meaning) -> Mask {
    match meaning {
        _ if !destination => Mask(0),
        Meaning::Normalize | Meaning::Cross | Meaning::Matrix { rows: 3, .. } => Mask(7),
        _ => Mask::ALL,
    }
}

const fn reads(meaning: Meaning) -> Mask {
    match meaning {
        Meaning::Normalize => Mask(7),
        Meaning::Dot(width) | Meaning::Matrix { width, .. } => Mask((1 << width) - 1),
        Meaning::If(_) | Meaning::Kill => Mask(1),
        _ => Mask(0),
    }
}

macro_rules! table {
    ($($code:literal $name:ident $mnemonic:literal $dst:literal $a:ident $b:ident $stage:expr, $since:literal, $meaning:expr;)*) => {
        /// An operation of AGAL.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[allow(missing_docs)]
        pub enum Opcode { $($name),* }

        impl Opcode {
            /// Every operation, in ascending order of the opcode numbers.
            pub const ALL: &[Opcode] = &[$(Opcode::$name),*];

            /// Returns the operation's row in the table.
            pub const fn row(self) -> &'static Row {
                match self {
                    $(Opcode::$name => const { &Row {
                        code: $code, mnemonic: $mnemonic, destination: $dst, sources: [Operand::$a, Operand::$b],
                        stage: $stage, since: $since, meaning: $meaning, yields: yields($dst, $meaning), reads: reads($meaning),
                    } }),*
                }
            }

            /// Returns the row of the operation with the opcode number `code`, or `None` if no operation has that number.
            #[inline]
            pub fn row_of(code: u32) -> Option<&'static Row> {
                static ROWS: [Option<&Row>; CODES as usize] = {
                    let mut rows = [None; CODES as usize];
                    $(rows[$code] = Some(Opcode::$name.row());)*
                    rows
                };
                *ROWS.get(code as usize)?
            }

            /// Returns the operation with the opcode number `code`, or `None` if no operation has that number.
            pub const fn from_code(code: u32) -> Option<Opcode> {
                match code { $($code => Some(Opcode::$name),)* _ => None }
            }

            /// Returns the operation with the given mnemonic, which must be in lower case.
            pub fn from_mnemonic(mnemonic: &str) -> Option<Opcode> {
                match mnemonic { $($mnemonic => Some(Opcode::$name),)* _ => None }
            }
        }
    };
}

const BOTH: Option<Stage> = None;

table! {
//  code name mnemonic  dst   source1    source2  stage  since  meaning
    0x00 Mov "mov" true  Vector     None    BOTH,     1, Meaning::Move;
    0x01 Add "add" true  Vector     Vector  BOTH,     1, Meaning::Componentwise(Op::Add);
    0x02 Sub "sub" true  Vector     Vector  BOTH,     1, Meaning::Componentwise(Op::Subtract);
    0x03 Mul "mul" true  Vector     Vector  BOTH,     1, Meaning::Componentwise(Op::Multiply);
    0x04 Div "div" true  Vector     Vector  BOTH,     1, Meaning::Componentwise(Op::Divide);
    0x05 Rcp "rcp" true  Vector     None    BOTH,     1, Meaning::Reciprocal;
    0x06 Min "min" true  Vector     Vector  BOTH,     1, Meaning::Componentwise(Op::Min);
    0x07 Max "max" true  Vector     Vector  BOTH,     1, Meaning::Componentwise(Op::Max);
    0x08 Frc "frc" true  Vector     None    BOTH,     1, Meaning::Componentwise(Op::Fract);
    0x09 Sqt "sqt" true  Vector     None    BOTH,     1, Meaning::OfAbsolute(Op::Sqrt);
    0x0a Rsq "rsq" true  Vector     None    BOTH,     1, Meaning::OfAbsolute(Op::Rsqrt);
    0x0b Pow "pow" true  Vector     Vector  BOTH,     1, Meaning::Power;
    0x0c Log "log" true  Vector     None    BOTH,     1, Meaning::OfAbsolute(Op::Log2);
    0x0d Exp "exp" true  Vector     None    BOTH,     1, Meaning::Componentwise(Op::Exp2);
    0x0e Nrm "nrm" true  Vector     None    BOTH,     1, Meaning::Normalize;
    0x0f Sin "sin" true  Vector     None    BOTH,     1, Meaning::Componentwise(Op::Sin);
    0x10 Cos "cos" true  Vector     None    BOTH,     1, Meaning::Componentwise(Op::Cos);
    0x11 Crs "crs" true  Vector     Vector  BOTH,     1, Meaning::Cross;
    0x12 Dp3 "dp3" true  Vector     Vector  BOTH,     1, Meaning::Dot(3);
    0x13 Dp4 "dp4" true  Vector     Vector  BOTH,     1, Meaning::Dot(4);
    0x14 Abs "abs" true  Vector     None    BOTH,     1, Meaning::Componentwise(Op::Abs);
    0x15 Neg "neg" true  Vector     None    BOTH,     1, Meaning::Componentwise(Op::Negate);
    0x16 Sat "sat" true  Vector     None    BOTH,     1, Meaning::Saturate;
    0x17 M33 "m33" true  Vector     Matrix  BOTH,     1, Meaning::Matrix { rows: 3, width: 3 };
    0x18 M44 "m44" true  Vector     Matrix  BOTH,     1, Meaning::Matrix { rows: 4, width: 4 };
    0x19 M34 "m34" true  Vector     Matrix  BOTH,     1, Meaning::Matrix { rows: 3, width: 4 };
    0x1a Ddx "ddx" true  Vector     None    FRAGMENT, 2, Meaning::Derivative(Op::Ddx);
    0x1b Ddy "ddy" true  Vector     None    FRAGMENT, 2, Meaning::Derivative(Op::Ddy);
    0x1c Ife "ife" false Scalar     Scalar  BOTH,     2, Meaning::If(Op::Equal);
    0x1d Ine "ine" false Scalar     Scalar  BOTH,     2, Meaning::If(Op::NotEqual);
    0x1e Ifg "ifg" false Scalar     Scalar  BOTH,     2, Meaning::If(Op::GreaterThanOrEqual);
    0x1f Ifl "ifl" false Scalar     Scalar  BOTH,     2, Meaning::If(Op::LessThan);
    0x20 Els "els" false None       None    BOTH,     2, Meaning::Else;
    0x21 Eif "eif" false None       None    BOTH,     2, Meaning::EndIf;
    0x26 Ted "ted" true  Coordinate Sampler FRAGMENT, 2, Meaning::TextureLevel;
    0x27 Kil "kil" false Scalar     None    FRAGMENT, 1, Meaning::Kill;
    0x28 Tex "tex" true  Coordinate Sampler FRAGMENT, 1, Meaning::Texture;
    0x29 Sge "sge" true  Vector     Vector  BOTH,     1, Meaning::Compare(Op::GreaterThanOrEqual);
    0x2a Slt "slt" true  Vector     Vector  BOTH,     1, Meaning::Compare(Op::LessThan);
    0x2b Sgn "sgn" true  Vector     None    BOTH,     2, Meaning::Componentwise(Op::Sign);
    0x2c Seq "seq" true  Vector     Vector  BOTH,     1, Meaning::Compare(Op::Equal);
    0x2d Sne "sne" true  Vector     Vector  BOTH,     1, Meaning::Compare(Op::NotEqual);
    0x2e Tld "tld" true  Coordinate Sampler VERTEX,   4, Meaning::Texture;
}

/// The first number beyond the opcode table. The player reports an opcode number of [`CODES`] or more as "out of range" (3620),
/// and a lower number without a row as "not implemented" (3621).
pub const CODES: u32 = 0x2f;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_ascend_and_find_their_rows() {
        let mut last = None;
        for &op in Opcode::ALL {
            let row = op.row();
            assert!(Some(row.code) > last && row.code < CODES, "{}", row.mnemonic);
            assert_eq!(Opcode::from_code(row.code), Some(op));
            assert_eq!(Opcode::from_mnemonic(row.mnemonic), Some(op));
            assert_eq!(row.mnemonic.len(), 3);
            last = Some(row.code);
        }
    }
}
