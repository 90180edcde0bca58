//! The interface between the provers and an arithmetic, and the choices that the format leaves to a machine.
//!
//! Rule: an arithmetic follows the definitions of docs/instructions.md and IEEE 754, and shares no code with the operation table,
//! except the functions that IEEE 754 does not define (`single.rs`).

use std::cmp::Ordering;
use std::sync::Arc;

use sdlbc::{Op, Scalar};
use sdlbc_passes::table::Condition;

use crate::program::LANES;

/// The operand that MIN or MAX returns if one operand is NaN.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum OfNan {
    /// The number, as in the format's reference arithmetic.
    Number,
    Nan,
    First,
    Second,
}

/// The operand that MIN or MAX returns if the operands are 0.0 and -0.0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum OfZeroes {
    First,
    Second,
    Negative,
    Positive,
}

/// A machine's behaviour where the format allows a choice. It depends only on which operands are NaN, and on which zero is
/// negative. These are all functions of this kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Choice {
    pub(crate) nan: OfNan,
    pub(crate) zeroes: OfZeroes,
    /// Whether the product of a MAD is left unrounded.
    pub(crate) fused: bool,
}

impl Choice {
    /// The choices of the reference arithmetic, which does not define which zero MIN and MAX return.
    pub(crate) fn of_reference() -> Vec<Choice> {
        let zeroes = [OfZeroes::First, OfZeroes::Second, OfZeroes::Negative, OfZeroes::Positive];
        zeroes.map(|zeroes| Choice { nan: OfNan::Number, zeroes, fused: false }).to_vec()
    }

    /// Every choice, with only one choice for MIN and MAX if a row contains neither.
    pub(crate) fn all(has_extreme: bool) -> Vec<Choice> {
        let nans = [OfNan::Number, OfNan::Nan, OfNan::First, OfNan::Second];
        let of = |nan| Choice::of_reference().into_iter().map(move |choice| Choice { nan, ..choice });
        let all = nans.into_iter().flat_map(of).take(if has_extreme { 16 } else { 1 });
        all.flat_map(|choice| [false, true].map(|fused| Choice { fused, ..choice })).collect()
    }

    /// The choice in which an operation returns its first or its second permitted result.
    pub(crate) fn either(second: bool) -> Choice {
        match second {
            false => Choice { nan: OfNan::First, zeroes: OfZeroes::First, fused: false },
            true => Choice { nan: OfNan::Second, zeroes: OfZeroes::Second, fused: true },
        }
    }
}

/// The compiled code of an operation on components.
pub(crate) enum Code {
    /// A result for each 8-bit value.
    Unary(Arc<[u8]>),
    /// A result for each pair of 8-bit values.
    Binary(Arc<[u8]>),
    /// A function for any other operation, which writes the results for the operands of each case.
    Call(Box<OfLanes>),
}

/// A function that writes the results of an operation for the operands of each case.
pub(crate) type OfLanes = dyn Fn([&Lanes; 3], &mut Lanes) + Send + Sync;

/// A value for each case of a batch.
pub(crate) type Lanes = [u32; LANES];

impl Code {
    /// Code from a function of the operands of one case, which is inlined into the loop over all cases.
    pub(crate) fn of(f: impl Fn([u32; 3]) -> u32 + Send + Sync + 'static) -> Code {
        Code::Call(Box::new(move |[a, b, c], results| {
            for (((result, &a), &b), &c) in results.iter_mut().zip(a).zip(b).zip(c) {
                *result = f([a, b, c]);
            }
        }))
    }
}

/// An arithmetic on components, which are represented by their bits.
pub(crate) trait Machine: Sync {
    /// An operation on components of the first operand's type; `to` is the result type of CONVERT.
    fn code(&self, op: Op, scalar: Scalar, to: Scalar, choice: Choice) -> Code;
    /// The bits of a number.
    fn number(&self, number: f64, scalar: Scalar) -> u32;
    /// The number that the bits of a float represent.
    fn float(&self, bits: u32) -> f64;
    /// The largest exponent of a power of two whose reciprocal is not denormal.
    fn most_exponent(&self) -> i32;
    /// The value of an int's bits.
    fn int(&self, bits: u32, scalar: Scalar) -> i64;

    /// Whether a condition on one value holds for the value with the given bits.
    fn holds(&self, condition: Condition, scalar: Scalar, bits: u32) -> bool {
        let is_float = scalar == Scalar::Float;
        let (float, int) = (self.float(bits), self.int(bits, scalar));
        match condition {
            Condition::Scalar(_) | Condition::Ascending(..) | Condition::Below(..) => true,
            Condition::Number(_) | Condition::Ordered(_) => !is_float || !float.is_nan(),
            Condition::Unsigned(_) => float.is_nan() || float.is_sign_positive(),
            Condition::NonNegative(_) => float.is_nan() || float >= 0.0,
            Condition::Unit(_) => float.is_nan() || (0.0..=1.0).contains(&float),
            Condition::Whole(_) => float.is_nan() || float.trunc() == float,
            Condition::Nonzero(_) => {
                if is_float {
                    !float.is_nan() && float != 0.0
                } else {
                    int != 0
                }
            }
            Condition::PowerOfTwo(_) if !is_float => int > 0 && int & (int - 1) == 0,
            Condition::PowerOfTwo(_) => {
                let most = self.most_exponent();
                (-most..=most).any(|exponent| float.abs() == f64::from(exponent).exp2())
            }
            Condition::UpToOne(_) => 0.0 < float && float <= 1.0,
            Condition::BelowOne(_) => (0.0..1.0).contains(&float),
        }
    }

    /// The order of two constants.
    fn order(&self, scalar: Scalar, a: u32, b: u32) -> Option<Ordering> {
        match scalar {
            Scalar::Float => self.float(a).partial_cmp(&self.float(b)),
            _ => self.int(a, scalar).partial_cmp(&self.int(b, scalar)),
        }
    }
}

/// MIN or MAX of floats.
pub(crate) fn extreme(is_max: bool, choice: Choice, a: f64, b: f64) -> f64 {
    if a.is_nan() && b.is_nan() {
        return a;
    }
    if a.is_nan() || b.is_nan() {
        let (number, nan) = if a.is_nan() { (b, a) } else { (a, b) };
        return match choice.nan {
            OfNan::Number => number,
            OfNan::Nan => nan,
            OfNan::First => a,
            OfNan::Second => b,
        };
    }
    if a == b {
        return match choice.zeroes {
            OfZeroes::First => a,
            OfZeroes::Second => b,
            OfZeroes::Negative => {
                if a.is_sign_negative() {
                    a
                } else {
                    b
                }
            }
            OfZeroes::Positive => {
                if a.is_sign_negative() {
                    b
                } else {
                    a
                }
            }
        };
    }
    if (a > b) == is_max { a } else { b }
}

/// The result of an operation on floats before it is rounded, for significands of at most 24 bits. A double has more than twice as
/// many, so rounding its sum, product, quotient or root again is the same as rounding once. `None` for an operation that rounds
/// several times or does not return a float.
pub(crate) fn of_floats(op: Op, choice: Choice, [a, b]: [f64; 2]) -> Option<f64> {
    Some(match op {
        Op::Negate => -a,
        Op::Abs => a.abs(),
        Op::Add => a + b,
        Op::Subtract => a - b,
        Op::Multiply => a * b,
        // A dot product is a function of the products of the components.
        Op::Dot => a * b,
        Op::Divide => a / b,
        Op::Sqrt => a.sqrt(),
        Op::Floor => a.floor(),
        Op::Ceil => a.ceil(),
        Op::Trunc => a.trunc(),
        Op::Round => a.round(),
        Op::RoundEven => a.round_ties_even(),
        Op::Sign => f64::from(u8::from(a > 0.0)) - f64::from(u8::from(a < 0.0)),
        Op::Min => extreme(false, choice, a, b),
        Op::Max => extreme(true, choice, a, b),
        _ => return None,
    })
}

/// A comparison of floats.
pub(crate) fn comparison(op: Op, a: f64, b: f64) -> Option<bool> {
    Some(match op {
        Op::LessThan => a < b,
        Op::GreaterThan => a > b,
        Op::LessThanOrEqual => a <= b,
        Op::GreaterThanOrEqual => a >= b,
        Op::Equal => a == b,
        Op::NotEqual => a != b,
        _ => return None,
    })
}

/// An operation on bools.
pub(crate) fn of_bools(op: Op, a: bool, b: bool) -> bool {
    match op {
        Op::Not => !a,
        Op::All | Op::Any => a,
        Op::LogicalAnd => a && b,
        Op::LogicalOr => a || b,
        Op::Equal => a == b,
        Op::NotEqual => a != b,
        _ => panic!("{op} of bools is not defined here"),
    }
}
