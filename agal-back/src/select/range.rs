//! The range of numbers in which a component lies, derived from the operations that compute it.
//!
//! Rule: a range contains every number that the component can be; it does not exclude NaN.

use agal_front::opcode::{Meaning, Opcode};

use super::{Range, Selector};
use crate::code::{Inst, Lane};

const ANY: Range = (f64::NEG_INFINITY, f64::INFINITY);

impl Selector<'_> {
    /// The range of a component.
    pub(super) fn range(&self, lane: Lane) -> Range {
        match lane {
            Lane::Literal(word) => {
                let number = f64::from(f32::from_bits(word));
                if number.is_nan() { ANY } else { (number, number) }
            }
            lane => self.ranges.get(&lane).copied().unwrap_or(ANY),
        }
    }

    /// Records the ranges of an instruction's results.
    pub(super) fn note_ranges(&mut self, inst: &Inst) {
        if !inst.is_componentwise() {
            return;
        }
        let [a, b] = &inst.sources;
        for (at, part) in inst.parts.iter().enumerate() {
            let of = |lanes: &[Lane]| lanes.get(at).map_or(ANY, |lane| self.range(*lane));
            let range = result(inst, of(a), of(b));
            if range != ANY {
                self.ranges.insert(Lane::Web(part.web), range);
            }
        }
    }

    /// Records a range that is known for another reason.
    pub(super) fn note(&mut self, lanes: &[Lane], range: Range) {
        for lane in lanes {
            if !matches!(lane, Lane::Literal(_)) {
                self.ranges.insert(*lane, range);
            }
        }
    }

    /// Records that each of these components is equal to one of two components.
    pub(super) fn note_either(&mut self, lanes: &[Lane], first: &[Lane], second: &[Lane]) {
        for ((lane, one), other) in lanes.iter().zip(first).zip(second) {
            let ((low, high), (least, most)) = (self.range(*one), self.range(*other));
            self.note(&[*lane], (low.min(least), high.max(most)));
        }
    }
}

fn result(inst: &Inst, (low, high): Range, (least, most): Range) -> Range {
    let wide = |low: f64, high: f64| {
        // A result is rounded to a float that is not beyond these bounds.
        if low.is_nan() || high.is_nan() { ANY } else { (bound(low, -1.0), bound(high, 1.0)) }
    };
    match inst.op {
        Opcode::Mov => (low, high),
        Opcode::Sat => (low.clamp(0.0, 1.0), high.clamp(0.0, 1.0)),
        Opcode::Min => (low.min(least), high.min(most)),
        Opcode::Max => (low.max(least), high.max(most)),
        Opcode::Neg => (-high, -low),
        Opcode::Abs if low >= 0.0 => (low, high),
        Opcode::Abs => (0.0, high.max(-low)),
        Opcode::Add => wide(low + least, high + most),
        Opcode::Sub => wide(low - most, high - least),
        Opcode::Mul if low.is_finite() && high.is_finite() && least.is_finite() && most.is_finite() => {
            let products = [low * least, low * most, high * least, high * most];
            wide(
                products.into_iter().fold(f64::INFINITY, f64::min),
                products.into_iter().fold(f64::NEG_INFINITY, f64::max),
            )
        }
        Opcode::Frc => (0.0, 1.0),
        Opcode::Sgn => (-1.0, 1.0),
        _ if matches!(inst.meaning(), Meaning::Compare(_)) => (0.0, 1.0),
        _ => ANY,
    }
}

/// Whether a number is a whole number that a float represents exactly.
fn is_exact(number: f64) -> bool {
    number.fract() == 0.0 && number.abs() <= 16_777_216.0
}

/// A bound on the float to which a number is rounded: an upper bound for the direction 1, a lower bound for -1.
fn bound(number: f64, direction: f64) -> f64 {
    match is_exact(number) {
        true => number,
        false => number + direction * number.abs() * f64::from(f32::EPSILON) + direction * f64::from(f32::MIN_POSITIVE),
    }
}
