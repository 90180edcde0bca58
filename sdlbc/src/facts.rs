//! Facts about values that are known without running the code, so that unnecessary guards can be omitted.
//!
//! Rule: facts other than uniformity are only about floats and bools. Ints wrap around, and matrices multiply differently.

use crate::{Inst, Op, Scalar, Type};

/// Facts that hold for every component of a value; false means "not known".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// Not below zero (or NaN).
    pub non_negative: bool,
    /// From 0 to 1, or NaN, which is the fraction of infinity. (Clamping NaN need not return a number.)
    pub unit: bool,
    /// A whole number.
    pub whole: bool,
    /// The same in all invocations of a draw call.
    pub uniform: bool,
}

impl Facts {
    /// The facts of an instruction's result of type `ty`, from those of its inputs. A PHI at the head of a LOOP has none,
    /// because its second value is not known yet.
    pub fn of(inst: &Inst, ty: Type, inputs: &[Facts]) -> Facts {
        let all = inputs.iter().copied().fold(Facts::ALL, Facts::and);
        Facts::of_operands(inst, ty, all, |index| inputs.get(index).copied())
    }

    /// The same from what all operands have in common, and the facts of each.
    pub(crate) fn of_operands(inst: &Inst, ty: Type, all: Facts, of: impl Fn(usize) -> Option<Facts>) -> Facts {
        // Only uniformity is common to no operands.
        let all = if inst.inputs.is_empty() { Facts { uniform: true, ..Facts::default() } } else { all };
        let others = || (1..).map_while(&of).reduce(Facts::and).unwrap_or_default();
        let uniform = match inst.op {
            // Control flow, texture contents and function bodies are not analysed. A local slot is not uniform, so an
            // element read from it is not either.
            Op::Phi | Op::Call | Op::Fetch => false,
            // The derivative of a uniform value is zero, but WGSL's uniformity analysis does not know that.
            Op::Ddx | Op::Ddy => false,
            Op::Sample | Op::SampleBias | Op::SampleLod | Op::SampleGrad => false,
            _ => all.uniform,
        };
        if !matches!(ty, Type::Vector(Scalar::Float | Scalar::Half | Scalar::Bool, _)) {
            return Facts { uniform, ..Facts::default() };
        }
        let same = || matches!(inst.inputs[..], [a, b] if a == b);
        let floats = || inst.immediates.iter().map(|&bits| f32::from_bits(bits));
        // What is from 0 to 1 is not below zero either.
        let (unit, non_negative, whole) = match inst.op {
            Op::Fract => (true, true, false),
            Op::LiteralFloat | Op::LiteralFloat4 => (
                floats().all(|v| (0.0..=1.0).contains(&v)),
                floats().all(|v| v >= 0.0),
                floats().all(|v| v == v.trunc()),
            ),
            Op::Swizzle | Op::Vector | Op::Phi | Op::Convert => (all.unit, all.non_negative, all.whole),
            Op::Multiply => (all.unit, same() || all.non_negative, all.whole),
            Op::Add => (false, all.non_negative, all.whole),
            Op::Subtract | Op::Negate => (false, false, all.whole),
            Op::Divide => (false, all.non_negative, false),
            Op::Dot => (false, same() || all.non_negative, false),
            Op::Min => (all.unit, all.non_negative, false),
            Op::Max => (all.unit, (0..).map_while(&of).any(|f| f.non_negative), false),
            Op::Abs => (all.unit, true, all.whole),
            Op::Floor | Op::Ceil | Op::Round | Op::RoundEven | Op::Trunc => (all.unit, all.non_negative, true),
            Op::Sign => (false, false, true),
            Op::Clamp => (others().unit, of(1).is_some_and(|f| f.non_negative), false),
            Op::Select => (others().unit, others().non_negative, false),
            Op::Sqrt | Op::Rsqrt | Op::Exp2 | Op::Pow => (false, true, false),
            // A bool is 0 or 1 after CONVERT.
            Op::LessThan | Op::GreaterThan | Op::LessThanOrEqual | Op::GreaterThanOrEqual => (true, true, true),
            Op::Equal | Op::NotEqual | Op::LogicalAnd | Op::LogicalOr | Op::Not | Op::All | Op::Any => {
                (true, true, true)
            }
            Op::LiteralBool => (true, true, true),
            _ => (false, false, false),
        };
        Facts { non_negative: unit || non_negative, unit, whole, uniform }
    }

    /// Every fact: what `and` begins with.
    pub(crate) const ALL: Facts = Facts { non_negative: true, unit: true, whole: true, uniform: true };

    /// What two values have in common.
    #[inline]
    pub(crate) fn and(self, other: Facts) -> Facts {
        Facts::of_bits(self.bits() & other.bits())
    }

    fn bits(self) -> u32 {
        u32::from_ne_bytes([self.non_negative, self.unit, self.whole, self.uniform].map(u8::from))
    }

    fn of_bits(bits: u32) -> Facts {
        let [non_negative, unit, whole, uniform] = bits.to_ne_bytes().map(|byte| byte != 0);
        Facts { non_negative, unit, whole, uniform }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Id;

    /// The facts of an operation on inputs with these facts.
    fn of(op: Op, ty: Type, inputs: &[Facts]) -> Facts {
        let ids = (1..).map(Id).take(inputs.len()).collect::<Vec<_>>();
        Facts::of(&Inst::new(op, Id(9), &ids, &[]), ty, inputs)
    }

    #[test]
    fn rounding_returns_whole_numbers_and_keeps_the_sign() {
        let unit = Facts { unit: true, non_negative: true, ..Facts::default() };
        for op in [Op::Round, Op::RoundEven, Op::Trunc, Op::Floor, Op::Ceil] {
            assert_eq!(of(op, Type::FLOAT, &[unit]), Facts { whole: true, ..unit }, "{op}");
            assert_eq!(of(op, Type::FLOAT, &[Facts::default()]), Facts { whole: true, ..Facts::default() }, "{op}");
        }
    }

    #[test]
    fn a_conversion_keeps_the_facts_of_its_operand() {
        let uniform = Facts { uniform: true, ..Facts::default() };
        let truth = of(Op::LessThan, Type::BOOL, &[uniform, uniform]);
        assert_eq!(of(Op::Convert, Type::FLOAT, &[truth]), truth);
        assert_eq!(truth, Facts { non_negative: true, unit: true, whole: true, uniform: true });
        let fraction = of(Op::Fract, Type::FLOAT, &[uniform]);
        assert!(!of(Op::Convert, Type::FLOAT, &[fraction]).whole);
    }

    #[test]
    fn calls_and_phis_are_not_uniform_and_ints_may_wrap_around() {
        let known = Facts { non_negative: true, unit: true, whole: true, uniform: true };
        assert_eq!(of(Op::Call, Type::FLOAT, &[]), Facts::default());
        assert!(!of(Op::Phi, Type::FLOAT, &[known, known]).uniform);
        assert_eq!(of(Op::Abs, Type::INT, &[known]), Facts { uniform: true, ..Facts::default() });
    }
}
