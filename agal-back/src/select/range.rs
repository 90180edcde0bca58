//! Derives the range of a component's values from the operations that compute the component.
//!
//! Rule: a range contains every number that the component may be; NaN is never excluded.

use agal_front::opcode::{Meaning, Opcode};

use super::{Range, Selector};
use crate::code::{Inst, Lane};

const ANY: Range = (f64::NEG_INFINITY, f64::INFINITY);

impl Selector<'_> {
    pub(super) fn range(&self, lane: Lane) -> Range {
        match lane {
            Lane::Literal(word) => {
                let number = f64::from(f32::from_bits(word));
                if number.is_nan() { ANY } else { (number, number) }
            }
            lane => self.ranges.get(&lane).copied().unwrap_or(ANY),
        }
    }

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

    /// Records a range that the caller has established for the given lanes.
    pub(super) fn note(&mut self, lanes: &[Lane], range: Range) {
        for lane in lanes {
            if !matches!(lane, Lane::Literal(_)) {
                self.ranges.insert(*lane, range);
            }
        }
    }

    /// Records that each lane is equal to the lane at the same position in `first` or in `second`.
    pub(super) fn note_either(&mut self, lanes: &[Lane], first: &[Lane], second: &[Lane]) {
        for ((lane, one), other) in lanes.iter().zip(first).zip(second) {
            let ((low, high), (least, most)) = (self.range(*one), self.range(*other));
            self.note(&[*lane], (low.min(least), high.max(most)));
        }
    }
}

fn result(inst: &Inst, (low, high): Range, (least, most): Range) -> Range {
    let wide = |low: f64, high: f64| {
        // The computed result is rounded to a float, so the bounds are widened.
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

/// Reports whether the number is whole and small enough for a float to represent exactly.
fn is_exact(number: f64) -> bool {
    number.fract() == 0.0 && number.abs() <= 16_777_216.0
}

/// Returns a bound on the float to which a number is rounded: an upper bound for direction 1, a lower bound for direction -1.
fn bound(number: f64, direction: f64) -> f64 {
    match is_exact(number) {
        true => number,
        false => number + direction * number.abs() * f64::from(f32::EPSILON) + direction * f64::from(f32::MIN_POSITIVE),
    }
}
