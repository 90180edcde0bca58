//! Ints that are unknown at compile time, represented as floats.
//!
//! Floats represent every whole number exactly up to 2^24 in absolute value. Rule: an int is represented as a float only if the
//! ranges of its operands prove that its absolute value is at most 2^24 (`range.rs`). A uint must also be proven not to be
//! negative. All other ints are refused.

use agal_front::opcode::Opcode;
use sdlbc::compute::Value;
use sdlbc::{Id, Inst, Op, Scalar, Type};

use super::Range;
use super::operation::is_comparison;
use super::{Frame, Selected, Selector, Val, operand};
use crate::code::Lane;
use crate::refusal::RefusalKind;

/// The absolute value up to which floats represent every whole number.
const LARGEST: f64 = 16_777_216.0;
/// The maximum absolute value of an int uniform, which is low enough that a few operations on the uniform stay exact.
pub(super) const UNIFORM: f64 = 1_048_576.0;

const LARGE: &str = "an int that may exceed 16777216: clamp the float before its conversion, or compute with floats";

impl<'a> Selector<'a> {
    /// Selects an operation on ints if at least one operand is an unknown int. Returns `None` for any other operation, and for
    /// operations that another function selects.
    pub(super) fn of_ints(&mut self, frame: &Frame<'a>, inst: &'a Inst) -> Selected<Option<Val>> {
        let is_int = |id: &Id| matches!(frame.values.get(id), Some(Val::Whole(..) | Val::Int { .. }));
        if !inst.inputs.iter().any(is_int) || matches!(inst.op, Op::Peek) {
            return Ok(None);
        }
        let refused = |what| RefusalKind::Operands { op: inst.op, what };
        if inst.op == Op::Convert {
            return self.of_int(frame, inst, operand(inst, 0));
        }
        if inst.op == Op::Select {
            return Ok(None);
        }
        // The first operand determines the type, because the second operand of a shift may have another type.
        let mut scalar = None;
        let mut operands = Vec::new();
        for &id in &inst.inputs {
            let Some((of, lanes)) = self.int_lanes(&frame.value(id)?.clone())? else { return Err(refused("ints")) };
            scalar = scalar.or(Some(of));
            operands.push(lanes);
        }
        let scalar = scalar.unwrap_or(Scalar::Int);
        let mut operand = operands.iter().cloned();
        let (a, b, c) = (operand.next().unwrap_or_default(), operand.next(), operand.next());
        let second = || b.clone().ok_or(RefusalKind::Operation(inst.op));
        let lanes = match inst.op {
            op if is_comparison(op) => return Ok(Some(Val::comparison(op, &a, &second()?))),
            Op::Swizzle => inst.lanes().filter_map(|lane| a.get(usize::from(lane)).copied()).collect(),
            Op::Vector => operands.into_iter().flatten().collect(),
            Op::Add | Op::Subtract | Op::Multiply | Op::Min | Op::Max => {
                let op = match inst.op {
                    Op::Add => Opcode::Add,
                    Op::Subtract => Opcode::Sub,
                    Op::Multiply => Opcode::Mul,
                    Op::Min => Opcode::Min,
                    _ => Opcode::Max,
                };
                self.each(op, &a, &second()?)?
            }
            Op::Negate => self.each(Opcode::Neg, &a, &[])?,
            Op::Abs => self.each(Opcode::Abs, &a, &[])?,
            Op::Sign => self.arithmetic(Op::Sign, &a, &[], &[])?,
            Op::Clamp => {
                let low = self.each(Opcode::Max, &a, &second()?)?;
                self.each(Opcode::Min, &low, &c.ok_or(RefusalKind::Operation(inst.op))?)?
            }
            Op::Divide | Op::Modulo => {
                let power = power_of_two(&second()?);
                let power = power
                    .ok_or(refused("ints with a divisor that is not a known power of two: compute with floats"))?;
                let parts = self.each(Opcode::Mul, &a, &Self::number(power.recip()))?;
                let whole = self.cut(&parts)?;
                match inst.op {
                    Op::Divide => whole,
                    _ => {
                        let multiple = self.each(Opcode::Mul, &whole, &Self::number(power))?;
                        let rest = self.each(Opcode::Sub, &a, &multiple)?;
                        let below = f64::from(power) - 1.0;
                        let is_positive = a.iter().all(|lane| self.range(*lane).0 >= 0.0);
                        self.note(&rest, (if is_positive { 0.0 } else { -below }, below));
                        rest
                    }
                }
            }
            Op::ShiftLeft | Op::ShiftRight => {
                let power = shifted(&second()?).ok_or(refused("ints by an unknown number of bits"))?;
                match inst.op {
                    Op::ShiftLeft => self.each(Opcode::Mul, &a, &Self::number(power))?,
                    _ => self.floor_of(&a, power)?,
                }
            }
            Op::BinaryAnd => {
                let b = second()?;
                let (of, power) = match (mask(&b), mask(&a)) {
                    (Some(power), _) => (a, power),
                    (_, Some(power)) => (b, power),
                    _ => return Err(refused("ints, neither of which is known to be 2^n - 1")),
                };
                let whole = self.floor_of(&of, power)?;
                let multiple = self.each(Opcode::Mul, &whole, &Self::number(power))?;
                let rest = self.each(Opcode::Sub, &of, &multiple)?;
                self.note(&rest, (0.0, f64::from(power) - 1.0));
                rest
            }
            _ => return Err(refused("ints whose values are not known at compile time")),
        };
        Ok(Some(Val::Whole(scalar, self.exact(scalar, lanes, inst.op)?)))
    }

    /// Returns the lanes if their ranges prove that each lane represents the int exactly.
    fn exact(&self, scalar: Scalar, lanes: Vec<Lane>, op: Op) -> Selected<Vec<Lane>> {
        let is_in = |lane: &Lane| {
            let (low, high) = self.range(*lane);
            low >= if scalar == Scalar::Uint { 0.0 } else { -LARGEST } && high <= LARGEST
        };
        if lanes.iter().all(is_in) {
            return Ok(lanes);
        }
        let negative = "a uint that may be negative or exceed 16777216";
        Err(RefusalKind::Operands { op, what: if scalar == Scalar::Uint { negative } else { LARGE } })
    }

    /// Returns the components of an int as floats, with their scalar type, or `None` if the value is not an int.
    pub(super) fn int_lanes(&mut self, value: &Val) -> Selected<Option<(Scalar, Vec<Lane>)>> {
        match value {
            Val::Whole(scalar, lanes) => Ok(Some((*scalar, lanes.clone()))),
            Val::Known(Value { ty: Type::Vector(scalar @ (Scalar::Int | Scalar::Uint), _), words }) => {
                let lane = |word: &u32| {
                    let number = match scalar {
                        Scalar::Uint => f64::from(*word),
                        _ => f64::from(word.cast_signed()),
                    };
                    (number.abs() <= LARGEST).then(|| Self::number_of(number))
                };
                let lanes: Option<Vec<Lane>> = words.iter().map(lane).collect();
                let large = RefusalKind::Operands { op: Op::Convert, what: "an int that exceeds 16777216" };
                Ok(Some((*scalar, lanes.ok_or(large)?)))
            }
            &Val::Int { lane, is_whole, plus } => {
                let mut lanes = vec![lane];
                if !is_whole {
                    // Adding one half and rounding down rounds the float to the nearest whole number.
                    let half = self.each(Opcode::Add, &lanes, &Self::number(0.5))?;
                    lanes = self.arithmetic(Op::Floor, &half, &[], &[])?;
                }
                lanes = self.exact(Scalar::Int, lanes, Op::Convert)?;
                if plus != 0 {
                    lanes = self.each(Opcode::Add, &lanes, &[Self::number_of(f64::from(plus))])?;
                }
                Ok(Some((Scalar::Int, self.exact(Scalar::Int, lanes, Op::Convert)?)))
            }
            _ => Ok(None),
        }
    }

    #[expect(clippy::cast_possible_truncation, reason = "the caller has checked that it is exact")]
    fn number_of(number: f64) -> Lane {
        Lane::Literal((number as f32).to_bits())
    }

    /// Divides lanes by `power`, a power of two, and rounds the quotients down.
    fn floor_of(&mut self, lanes: &[Lane], power: f32) -> Selected<Vec<Lane>> {
        let ranges: Vec<Range> = lanes.iter().map(|lane| self.range(*lane)).collect();
        let parts = self.each(Opcode::Mul, lanes, &Self::number(power.recip()))?;
        let whole = self.arithmetic(Op::Floor, &parts, &[], &[])?;
        for (lane, (low, high)) in whole.iter().zip(ranges) {
            self.note(&[*lane], ((low / f64::from(power)).floor(), (high / f64::from(power)).floor()));
        }
        Ok(whole)
    }

    fn cut(&mut self, lanes: &[Lane]) -> Selected<Vec<Lane>> {
        let ranges: Vec<Range> = lanes.iter().map(|lane| self.range(*lane)).collect();
        let is_positive = ranges.iter().all(|range| range.0 >= 0.0);
        let whole = self.arithmetic(if is_positive { Op::Floor } else { Op::Trunc }, lanes, &[], &[])?;
        for (lane, (low, high)) in whole.iter().zip(ranges) {
            self.note(&[*lane], (low.trunc(), high.trunc()));
        }
        Ok(whole)
    }

    /// Converts an int to floats, bools or other ints.
    fn of_int(&mut self, frame: &Frame<'a>, inst: &Inst, of: Id) -> Selected<Option<Val>> {
        let to = inst.immediates.first().and_then(|&word| Type::from_words(word, 0));
        match (frame.value(of)?.clone(), to) {
            // An int that is a single whole float may still be used as an index, so `convert` converts it.
            (Val::Int { plus: 0, is_whole: true, .. }, Some(Type::FLOAT)) => Ok(None),
            (Val::Int { .. }, Some(Type::Vector(Scalar::Int | Scalar::Uint, _))) => Ok(None),
            (value, Some(Type::Vector(Scalar::Float, _))) => {
                Ok(self.int_lanes(&value)?.map(|(_, lanes)| Val::Lanes(lanes)))
            }
            (value, Some(Type::Vector(Scalar::Bool, _))) => {
                let zero = |lanes: &[Lane]| vec![Lane::Literal(0); lanes.len()];
                Ok(self.int_lanes(&value)?.map(|(_, lanes)| Val::Comparison(Op::NotEqual, lanes.clone(), zero(&lanes))))
            }
            (Val::Whole(_, lanes), Some(Type::Vector(scalar @ (Scalar::Int | Scalar::Uint), _))) => {
                Ok(Some(Val::Whole(scalar, self.exact(scalar, lanes, Op::Convert)?)))
            }
            _ => Ok(None),
        }
    }

    /// Converts floats to ints if the floats' ranges prove that floats represent each int exactly.
    pub(super) fn ints_of(&mut self, lanes: &[Lane], scalar: Scalar) -> Selected<Val> {
        let lanes = self.exact(scalar, lanes.to_vec(), Op::Convert)?;
        Ok(Val::Whole(scalar, self.cut(&lanes)?))
    }
}

/// Returns the number if all lanes are the same literal.
fn same_number(lanes: &[Lane]) -> Option<f32> {
    let (first, rest) = lanes.split_first()?;
    first.literal().filter(|_| rest.iter().all(|lane| lane == first)).map(f32::from_bits)
}

/// Returns the number if all lanes are the same literal and the number is a power of two.
fn power_of_two(lanes: &[Lane]) -> Option<f32> {
    same_number(lanes).filter(|power| is_power_of_two(*power))
}

fn is_power_of_two(number: f32) -> bool {
    number >= 1.0 && number.to_bits() & 0x007f_ffff == 0
}

/// Returns 2^n, the factor of a left shift by n bits, if all lanes are equal to n.
fn shifted(lanes: &[Lane]) -> Option<f32> {
    let number = same_number(lanes)?;
    (0u8..24).map(f32::from).find(|bits| bits.to_bits() == number.to_bits()).map(f32::exp2)
}

/// Returns 2^n if all lanes are equal to the bit mask 2^n - 1.
fn mask(lanes: &[Lane]) -> Option<f32> {
    same_number(lanes).map(|number| number + 1.0).filter(|power| is_power_of_two(*power) && *power <= 8_388_608.0)
}
