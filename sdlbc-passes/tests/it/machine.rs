//! The interface between the provers and an implementation of arithmetic, and the choices that the format leaves to a
//! machine.
//!
//! Rule: each implementation follows docs/instructions.md and IEEE 754, and shares no code with the operation table.
//! The only exceptions are functions that IEEE 754 does not define, in `single.rs`.

use std::cmp::Ordering;
use std::sync::Arc;

use sdlbc::{Op, Scalar};
use sdlbc_passes::table::Condition;

use crate::program::LANES;

/// The operand that MIN or MAX returns if one operand is NaN.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum OfNan {
    /// The operand that is a number, as in the format's reference arithmetic.
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

/// A machine's behaviour where the format allows a choice. A choice depends only on which operands are NaN and on which zero is
/// negative.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Choice {
    pub(crate) nan: OfNan,
    pub(crate) zeroes: OfZeroes,
    pub(crate) fused: bool,
}

impl Choice {
    /// Returns every choice that agrees with the reference arithmetic, in which MIN and MAX of two zeroes may return either zero.
    pub(crate) fn of_reference() -> Vec<Choice> {
        let zeroes = [OfZeroes::First, OfZeroes::Second, OfZeroes::Negative, OfZeroes::Positive];
        zeroes.map(|zeroes| Choice { nan: OfNan::Number, zeroes, fused: false }).to_vec()
    }

    /// Returns every combination of choices, but only one choice for MIN and MAX if `has_extreme` is false.
    pub(crate) fn all(has_extreme: bool) -> Vec<Choice> {
        let nans = [OfNan::Number, OfNan::Nan, OfNan::First, OfNan::Second];
        let of = |nan| Choice::of_reference().into_iter().map(move |choice| Choice { nan, ..choice });
        let all = nans.into_iter().flat_map(of).take(if has_extreme { 16 } else { 1 });
        all.flat_map(|choice| [false, true].map(|fused| Choice { fused, ..choice })).collect()
    }

    /// Returns the choice that makes every operation return its second permitted result if `second` is true, or else
    /// its first.
    pub(crate) fn either(second: bool) -> Choice {
        match second {
            false => Choice { nan: OfNan::First, zeroes: OfZeroes::First, fused: false },
            true => Choice { nan: OfNan::Second, zeroes: OfZeroes::Second, fused: true },
        }
    }
}

pub(crate) enum Code {
    /// A table with a result for each 8-bit value.
    Unary(Arc<[u8]>),
    /// A table with a result for each pair of 8-bit values.
    Binary(Arc<[u8]>),
    /// A function that computes the results of all cases, for operations without a table.
    Call(Box<OfLanes>),
}

/// A function that computes an operation's results for all cases of a batch.
pub(crate) type OfLanes = dyn Fn([&Lanes; 3], &mut Lanes) + Send + Sync;

/// One value for each case of a batch.
pub(crate) type Lanes = [u32; LANES];

impl Code {
    /// Wraps a function that computes the result of a single case.
    pub(crate) fn of(f: impl Fn([u32; 3]) -> u32 + Send + Sync + 'static) -> Code {
        Code::Call(Box::new(move |[a, b, c], results| {
            for (((result, &a), &b), &c) in results.iter_mut().zip(a).zip(b).zip(c) {
                *result = f([a, b, c]);
            }
        }))
    }
}

/// The arithmetic of a machine, whose values are represented as bits.
pub(crate) trait Machine: Sync {
    /// Compiles an operation whose first operand has type `scalar`; `to` is the result type of a CONVERT.
    fn code(&self, op: Op, scalar: Scalar, to: Scalar, choice: Choice) -> Code;
    fn number(&self, number: f64, scalar: Scalar) -> u32;
    fn float(&self, bits: u32) -> f64;
    /// Returns the exponent of the largest power of two whose reciprocal is not denormal.
    fn most_exponent(&self) -> i32;
    fn int(&self, bits: u32, scalar: Scalar) -> i64;

    /// Reports whether a value with the given bits satisfies a condition on a single variable.
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

    fn order(&self, scalar: Scalar, a: u32, b: u32) -> Option<Ordering> {
        match scalar {
            Scalar::Float => self.float(a).partial_cmp(&self.float(b)),
            _ => self.int(a, scalar).partial_cmp(&self.int(b, scalar)),
        }
    }
}

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

/// Returns the unrounded result of an operation on floats with significands of at most 24 bits. A double has more than twice as
/// many significand bits, so rounding a sum, product, quotient or root to a double, and then to the float's format, gives the
/// same result as rounding once. Returns `None` for an operation that rounds several times or does not return a float.
pub(crate) fn of_floats(op: Op, choice: Choice, [a, b]: [f64; 2]) -> Option<f64> {
    Some(match op {
        Op::Negate => -a,
        Op::Abs => a.abs(),
        Op::Add => a + b,
        Op::Subtract => a - b,
        Op::Multiply => a * b,
        // A dot product depends only on the products of components, so only those products are compared.
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
