//! Facts about values, derived without running the code. Front ends and passes use the facts to leave out unnecessary guards.
//!
//! Rule: facts other than uniformity are recorded only for floats and bools, because ints wrap around and matrix products are not
//! componentwise.

use crate::{Few, Id, Inst, Op, Scalar, Type};

/// Facts that hold for every component of a value. A field is false if the fact is not known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// Each component is NaN or not below zero.
    pub non_negative: bool,
    /// Each component is from 0 to 1, or NaN. NaN is included because the fraction of infinity is NaN, and clamping NaN need not
    /// return a number.
    pub unit: bool,
    /// Each component is a whole number.
    pub whole: bool,
    /// The value is the same in all invocations of a draw call.
    pub uniform: bool,
}

impl Facts {
    /// Returns the facts about an instruction's result of type `ty`, given the facts about its inputs. A PHI at the head of a
    /// LOOP has no facts, because its second value is not known yet.
    pub fn of(inst: &Inst, ty: Type, inputs: &[Facts]) -> Facts {
        let inputs: Few<Set> = inputs.iter().map(|&facts| facts.into()).collect();
        Set::of_result(&Row::of(inst.op), ty, &inst.inputs, &inst.immediates, &inputs).into()
    }

    /// Reports whether the facts about an operation's result, other than uniformity, depend on the facts about its operands.
    pub const fn depend_on_operands(op: Op) -> bool {
        let Row { keeps, gives: _, also } = Row::of(op);
        keeps & !UNIFORM != 0 || matches!(also, Also::Any | Also::Bounds | Also::Values)
    }
}

/// A bit set of [`Facts`], for the values of a function that is under construction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Set(u8);

const NON_NEGATIVE: u8 = 1;
const UNIT: u8 = 2;
const WHOLE: u8 = 4;
const UNIFORM: u8 = 8;

impl From<Facts> for Set {
    fn from(facts: Facts) -> Set {
        let Facts { non_negative, unit, whole, uniform } = facts;
        let fact = |holds, fact| if holds { fact } else { 0 };
        Set(fact(non_negative, NON_NEGATIVE) | fact(unit, UNIT) | fact(whole, WHOLE) | fact(uniform, UNIFORM))
    }
}

impl From<Set> for Facts {
    fn from(set: Set) -> Facts {
        let [non_negative, unit, whole, uniform] = [NON_NEGATIVE, UNIT, WHOLE, UNIFORM].map(|fact| set.0 & fact != 0);
        Facts { non_negative, unit, whole, uniform }
    }
}

impl Set {
    /// The set of all facts, which is the neutral element of intersection. A missing operand counts as having all facts.
    pub(crate) const ALL: Set = Set(u8::MAX);

    #[inline]
    pub(crate) fn of_result(row: &Row, ty: Type, inputs: &[Id], immediates: &[u32], facts: &[Set]) -> Set {
        // Only uniformity is known about the result of an operation without operands.
        let none = if inputs.is_empty() { UNIFORM } else { u8::MAX };
        let all = facts.iter().fold(none, |all, set| all & set.0);
        let special = match row.also {
            Also::Nothing => 0,
            _ => also(row.also, inputs, immediates, facts),
        };
        let known = all & row.keeps | row.gives | special;
        match ty {
            // A value from 0 to 1 is also not below zero.
            Type::Vector(Scalar::Float | Scalar::Half | Scalar::Bool, _) if known & UNIT != 0 => {
                Set(known | NON_NEGATIVE)
            }
            Type::Vector(Scalar::Float | Scalar::Half | Scalar::Bool, _) => Set(known),
            _ => Set(known & UNIFORM),
        }
    }
}

#[derive(Clone, Copy)]
pub(crate) struct Row {
    /// The facts that the result has if all operands have them.
    keeps: u8,
    /// The facts that the result always has, regardless of the operands.
    gives: u8,
    also: Also,
}

#[derive(Clone, Copy)]
enum Also {
    Nothing,
    /// The product of a value with itself is not negative.
    Square,
    /// The result is not negative if at least one operand is not negative.
    Any,
    /// The result has the facts that follow from the bounds of the CLAMP.
    Bounds,
    /// The result has the facts that both values of the SELECT have in common.
    Values,
    /// The result has the facts that the numbers in the literal have in common.
    Numbers,
}

impl Row {
    pub(crate) const fn of(op: Op) -> Row {
        let uniform = match op {
            // Control flow, texture contents and function bodies are not analysed. An element of a local slot is not
            // uniform, because the slot itself is not uniform.
            Op::Phi | Op::Call | Op::Fetch | Op::TextureSize | Op::TextureOffset | Op::BufferSize => 0,
            Op::SampleCompare | Op::SampleCompareZero | Op::Gather | Op::GatherCompare => 0,
            Op::ImageLoad | Op::ImageSize => 0,
            _ if op.is_atomic() => 0,
            // The derivative of a uniform value is zero, but WGSL's uniformity analysis treats every derivative as non-uniform.
            Op::Ddx | Op::Ddy => 0,
            Op::Sample | Op::SampleBias | Op::SampleLod | Op::SampleGrad => 0,
            _ => UNIFORM,
        };
        let (keeps, gives) = match op {
            Op::Fract => (0, UNIT | NON_NEGATIVE),
            Op::Swizzle | Op::Vector | Op::Phi | Op::Convert | Op::Multiply => (UNIT | NON_NEGATIVE | WHOLE, 0),
            Op::Add => (NON_NEGATIVE | WHOLE, 0),
            Op::Subtract | Op::Negate => (WHOLE, 0),
            Op::Divide | Op::Dot => (NON_NEGATIVE, 0),
            Op::Min => (UNIT | NON_NEGATIVE, 0),
            Op::Max => (UNIT, 0),
            Op::Abs => (UNIT | WHOLE, NON_NEGATIVE),
            Op::Floor | Op::Ceil | Op::Round | Op::RoundEven | Op::Trunc => (UNIT | NON_NEGATIVE, WHOLE),
            Op::Sign => (0, WHOLE),
            Op::Sqrt | Op::Rsqrt | Op::Exp2 | Op::Pow => (0, NON_NEGATIVE),
            // A CONVERT turns a bool into 0 or 1.
            Op::LessThan | Op::GreaterThan | Op::LessThanOrEqual | Op::GreaterThanOrEqual => {
                (0, UNIT | NON_NEGATIVE | WHOLE)
            }
            Op::Equal | Op::NotEqual | Op::LogicalAnd | Op::LogicalOr | Op::Not => (0, UNIT | NON_NEGATIVE | WHOLE),
            Op::All | Op::Any | Op::LiteralBool => (0, UNIT | NON_NEGATIVE | WHOLE),
            _ => (0, 0),
        };
        let also = match op {
            Op::Multiply | Op::Dot => Also::Square,
            Op::Max => Also::Any,
            Op::Clamp => Also::Bounds,
            Op::Select => Also::Values,
            Op::LiteralFloat | Op::LiteralFloat4 => Also::Numbers,
            _ => Also::Nothing,
        };
        Row { keeps: keeps | uniform, gives, also }
    }
}

fn also(also: Also, inputs: &[Id], immediates: &[u32], facts: &[Set]) -> u8 {
    let of = |index: usize| facts.get(index).map_or(0, |set| set.0);
    match also {
        Also::Square if matches!(inputs, [a, b] if a == b) => NON_NEGATIVE,
        Also::Nothing | Also::Square => 0,
        Also::Any => facts.iter().fold(0, |any, set| any | set.0 & NON_NEGATIVE),
        Also::Bounds => of(1) & of(2) & UNIT | of(1) & NON_NEGATIVE,
        Also::Values => of(1) & of(2) & (UNIT | NON_NEGATIVE),
        Also::Numbers => {
            let all = |holds: fn(f32) -> bool| immediates.iter().all(|&bits| holds(f32::from_bits(bits)));
            let [non_negative, unit] = [all(|v| v >= 0.0), all(|v| (0.0..=1.0).contains(&v))];
            Set::from(Facts { non_negative, unit, whole: all(|v| v == v.trunc()), uniform: false }).0
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operations_whose_facts_depend_on_no_operands_have_the_same_ones_for_all() {
        let facts = |op: Op, bits: usize| {
            let bit = |bit: usize| bits >> bit & 1 == 1;
            let known = Facts { non_negative: bit(0), unit: bit(1), whole: bit(2), uniform: false };
            Facts::of(&Inst::new(op, Id(9), &[Id(1), Id(2), Id(3)], &[0]), Type::FLOAT, &[known; 3])
        };
        for &op in Op::ALL {
            let same = (0..8).all(|bits| facts(op, bits) == facts(op, 0));
            assert_eq!(same, !Facts::depend_on_operands(op), "{op}");
        }
    }

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
