//! Selects float arithmetic as one AGAL operation, or as several operations with the same result.

use agal_front::opcode::Opcode;
use sdlbc::Op;

use super::{Selected, Selector};
use crate::code::Lane;
use crate::refusal::RefusalKind;

impl Selector<'_> {
    pub(super) fn arithmetic(&mut self, op: Op, a: &[Lane], b: &[Lane], c: &[Lane]) -> Selected<Vec<Lane>> {
        let is = |lanes: &[Lane], number: f32| lanes.iter().all(|lane| lane.is(number));
        let simple = match op {
            Op::Add => Some(Opcode::Add),
            Op::Subtract => Some(Opcode::Sub),
            Op::Divide if is(a, 1.0) && b.len() >= a.len() => return self.each(Opcode::Rcp, b, &[]),
            Op::Divide => Some(Opcode::Div),
            Op::Negate => Some(Opcode::Neg),
            Op::Abs => Some(Opcode::Abs),
            Op::Fract => Some(Opcode::Frc),
            Op::Sqrt => Some(Opcode::Sqt),
            Op::Rsqrt => Some(Opcode::Rsq),
            Op::Log2 => Some(Opcode::Log),
            Op::Exp2 => Some(Opcode::Exp),
            Op::Pow => Some(Opcode::Pow),
            Op::Sin => Some(Opcode::Sin),
            Op::Cos => Some(Opcode::Cos),
            Op::Min => Some(Opcode::Min),
            Op::Max => Some(Opcode::Max),
            Op::Ddx | Op::Ddy => {
                self.since(2, "a derivative")?;
                Some(if op == Op::Ddx { Opcode::Ddx } else { Opcode::Ddy })
            }
            _ => None,
        };
        if let Some(simple) = simple {
            return self.each(simple, a, b);
        }
        match op {
            Op::Clamp if is(b, 0.0) && is(c, 1.0) => self.each(Opcode::Sat, a, &[]),
            Op::Clamp => {
                let low = self.each(Opcode::Max, a, b)?;
                self.each(Opcode::Min, &low, c)
            }
            Op::Mad => {
                let product = self.each(Opcode::Mul, a, b)?;
                self.each(Opcode::Add, &product, c)
            }
            Op::Mix => {
                let rest = self.not(c)?;
                let first = self.each(Opcode::Mul, a, &rest)?;
                let second = self.each(Opcode::Mul, b, c)?;
                self.each(Opcode::Add, &first, &second)
            }
            Op::Step => self.each(Opcode::Sge, b, a),
            Op::SmoothStep => {
                let above = self.each(Opcode::Sub, c, a)?;
                let range = self.each(Opcode::Sub, b, a)?;
                let part = self.each(Opcode::Div, &above, &range)?;
                let part = self.each(Opcode::Sat, &part, &[])?;
                let square = self.each(Opcode::Mul, &part, &part)?;
                let twice = self.each(Opcode::Add, &part, &part)?;
                let rest = self.each(Opcode::Sub, &Self::number(3.0), &twice)?;
                self.each(Opcode::Mul, &square, &rest)
            }
            Op::Dot => self.dot(a, b),
            Op::Cross => self.whole(Opcode::Crs, a, b, 3),
            Op::Len => match a {
                [_] => self.each(Opcode::Abs, a, &[]),
                _ => {
                    let square = self.dot(a, a)?;
                    self.each(Opcode::Sqt, &square, &[])
                }
            },
            Op::Distance => {
                let difference = self.each(Opcode::Sub, a, b)?;
                self.arithmetic(Op::Len, &difference, &[], &[])
            }
            Op::Normalize if a.len() == 3 => self.whole(Opcode::Nrm, a, &[], 3),
            Op::Normalize => {
                let square = self.dot(a, a)?;
                let length = self.each(Opcode::Sqt, &square, &[])?;
                self.each(Opcode::Div, a, &length)
            }
            Op::Reflect => {
                let along = self.dot(b, a)?;
                let twice = self.each(Opcode::Add, &along, &along)?;
                let part = self.each(Opcode::Mul, &twice, b)?;
                self.each(Opcode::Sub, a, &part)
            }
            _ => self.rounding(op, a, b),
        }
    }

    fn rounding(&mut self, op: Op, a: &[Lane], b: &[Lane]) -> Selected<Vec<Lane>> {
        match op {
            Op::Floor => {
                let part = self.each(Opcode::Frc, a, &[])?;
                self.each(Opcode::Sub, a, &part)
            }
            Op::Ceil => {
                let minus = self.each(Opcode::Neg, a, &[])?;
                let part = self.each(Opcode::Frc, &minus, &[])?;
                self.each(Opcode::Add, a, &part)
            }
            Op::Sign if self.code.version >= 2 => self.each(Opcode::Sgn, a, &[]),
            Op::Sign => {
                let zero = Self::number(0.0);
                let above = self.each(Opcode::Slt, &zero, a)?;
                let below = self.each(Opcode::Slt, a, &zero)?;
                self.each(Opcode::Sub, &above, &below)
            }
            Op::Trunc => {
                let size = self.each(Opcode::Abs, a, &[])?;
                let whole = self.rounding(Op::Floor, &size, &[])?;
                let sign = self.rounding(Op::Sign, a, &[])?;
                self.each(Opcode::Mul, &whole, &sign)
            }
            Op::Round => {
                let whole = self.rounding(Op::Trunc, a, &[])?;
                let rest = self.each(Opcode::Sub, a, &whole)?;
                let rest = self.each(Opcode::Abs, &rest, &[])?;
                let up = self.each(Opcode::Sge, &rest, &Self::number(0.5))?;
                let sign = self.rounding(Op::Sign, a, &[])?;
                let more = self.each(Opcode::Mul, &up, &sign)?;
                self.each(Opcode::Add, &whole, &more)
            }
            Op::Mod | Op::Modulo => {
                let quotient = self.each(Opcode::Div, a, b)?;
                let whole = self.rounding(if op == Op::Mod { Op::Floor } else { Op::Trunc }, &quotient, &[])?;
                let product = self.each(Opcode::Mul, b, &whole)?;
                self.each(Opcode::Sub, a, &product)
            }
            Op::Radians => self.each(Opcode::Mul, a, &Self::number(std::f32::consts::PI / 180.0)),
            Op::Degrees => self.each(Opcode::Mul, a, &Self::number(1f32.to_degrees())),
            Op::Tan => {
                let sine = self.each(Opcode::Sin, a, &[])?;
                let cosine = self.each(Opcode::Cos, a, &[])?;
                self.each(Opcode::Div, &sine, &cosine)
            }
            Op::Exp => {
                let scaled = self.each(Opcode::Mul, a, &Self::number(std::f32::consts::LOG2_E))?;
                self.each(Opcode::Exp, &scaled, &[])
            }
            Op::Log => {
                let log = self.each(Opcode::Log, a, &[])?;
                self.each(Opcode::Mul, &log, &Self::number(std::f32::consts::LN_2))
            }
            _ => Err(RefusalKind::Operation(op)),
        }
    }
}
