//! What is known of a value without running it, so that guards it cannot need are left out.

use crate::{Inst, Op, Type};

/// Facts that hold for every component of a value; false is "not known".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// Not below zero (or NaN).
    pub non_negative: bool,
    /// From 0 to 1 (or NaN, as the fraction of infinity is: whether clamping NaN gives a number is not promised).
    pub unit: bool,
    /// Without a fraction.
    pub whole: bool,
    /// The same for all invocations of a draw.
    pub uniform: bool,
}

impl Facts {
    /// The facts of an instruction's result from those of its inputs.
    pub fn of(inst: &Inst, inputs: &[Facts]) -> Facts {
        let all = |fact: fn(&Facts) -> bool| !inputs.is_empty() && inputs.iter().all(fact);
        let any = |fact: fn(&Facts) -> bool| inputs.iter().any(fact);
        let same = matches!(inst.inputs[..], [a, b] if a == b);
        let floats = || inst.immediates.iter().map(|&bits| f32::from_bits(bits));
        let from_bool =
            inst.op == Op::Convert && inst.immediates.first() == Some(&Type::FLOAT.word()) && any(|f| f.unit);
        let unit = match inst.op {
            Op::Fract | Op::LiteralBool => true,
            Op::LiteralFloat | Op::LiteralFloat4 => floats().all(|v| (0.0..=1.0).contains(&v)),
            Op::LessThan | Op::GreaterThan | Op::LessThanOrEqual | Op::GreaterThanOrEqual => true,
            Op::Equal | Op::NotEqual | Op::LogicalAnd | Op::LogicalOr | Op::Not => true,
            Op::Multiply | Op::Swizzle | Op::Vector | Op::Min | Op::Max | Op::Abs | Op::Floor | Op::Ceil => {
                all(|f| f.unit)
            }
            Op::Clamp => inputs[1..].iter().all(|f| f.unit),
            Op::Select => inputs[1..].iter().all(|f| f.unit),
            Op::Phi => all(|f| f.unit),
            _ => from_bool,
        };
        let non_negative = unit
            || match inst.op {
                Op::Abs | Op::Sqrt | Op::Rsqrt | Op::Exp2 | Op::Pow => true,
                Op::LiteralFloat | Op::LiteralFloat4 => floats().all(|v| v >= 0.0),
                Op::Multiply | Op::Dot => same || all(|f| f.non_negative),
                Op::Add | Op::Divide | Op::Min | Op::Swizzle | Op::Vector | Op::Floor | Op::Ceil | Op::Phi => {
                    all(|f| f.non_negative)
                }
                Op::Max => any(|f| f.non_negative),
                Op::Clamp => inputs.get(1).is_some_and(|f| f.non_negative),
                Op::Select => inputs[1..].iter().all(|f| f.non_negative),
                _ => false,
            };
        let whole = match inst.op {
            Op::Floor | Op::Ceil | Op::Sign => true,
            Op::LiteralFloat | Op::LiteralFloat4 => floats().all(|v| v == v.trunc()),
            Op::Add | Op::Subtract | Op::Multiply | Op::Swizzle | Op::Vector | Op::Negate | Op::Abs | Op::Phi => {
                all(|f| f.whole)
            }
            Op::Convert => from_bool,
            _ => false,
        };
        let uniform = match inst.op {
            Op::Phi | Op::Sample | Op::SampleBias | Op::SampleLod | Op::SampleGrad => false,
            _ => inputs.iter().all(|f| f.uniform),
        };
        Facts { non_negative, unit, whole, uniform }
    }
}
