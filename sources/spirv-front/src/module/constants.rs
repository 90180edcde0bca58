//! The values of integer constants, and the values that an application gives to specialisation constants.

use rspirv::spirv::Op;
use sdlbc::Type;

use super::{Constant, Module};
use crate::accepted::Decoration;
use crate::words::refusal;
use sdlbc::front::{Refusal, RefusalKind};

impl Module<'_> {
    /// Returns the length of an array type: the value of its constant.
    pub(crate) fn length(&self, constant: u32) -> Option<u32> {
        self.int(constant, 0)
    }

    /// Returns the value of an integer constant.
    pub(crate) fn int(&self, id: u32, depth: u32) -> Option<u32> {
        if let Some(known) = self.ints.borrow().get(&id) {
            return *known;
        }
        let value = self.computed_int(id, depth);
        self.ints.borrow_mut().insert(id, value);
        value
    }

    fn computed_int(&self, id: u32, depth: u32) -> Option<u32> {
        let (_, constant) = self.constants.get(&id)?;
        match constant {
            Constant::Scalar(bits) => Some(*bits),
            Constant::Zero => Some(0),
            Constant::Composite(_) => None,
            Constant::Operation(..) if depth > 64 => None,
            Constant::Operation(op, operands) => {
                let arg = |at: usize| self.int(*operands.get(at)?, depth + 1);
                let bool = |value: bool| Some(u32::from(value));
                Some(match op {
                    Op::IAdd => arg(0)?.wrapping_add(arg(1)?),
                    Op::ISub => arg(0)?.wrapping_sub(arg(1)?),
                    Op::IMul => arg(0)?.wrapping_mul(arg(1)?),
                    Op::UDiv => arg(0)?.checked_div(arg(1)?)?,
                    Op::UMod => arg(0)?.checked_rem(arg(1)?)?,
                    Op::SDiv => arg(0)?.cast_signed().checked_div(arg(1)?.cast_signed())?.cast_unsigned(),
                    Op::SRem => arg(0)?.cast_signed().checked_rem(arg(1)?.cast_signed())?.cast_unsigned(),
                    Op::SMod => {
                        let (a, b) = (arg(0)?.cast_signed(), arg(1)?.cast_signed());
                        let remainder = a.checked_rem(b)?;
                        let moves = remainder != 0 && (remainder < 0) != (b < 0);
                        remainder.wrapping_add(if moves { b } else { 0 }).cast_unsigned()
                    }
                    Op::SNegate => arg(0)?.wrapping_neg(),
                    Op::Not => !arg(0)?,
                    Op::ShiftLeftLogical => arg(0)?.checked_shl(arg(1)?)?,
                    Op::ShiftRightLogical => arg(0)?.checked_shr(arg(1)?)?,
                    Op::ShiftRightArithmetic => arg(0)?.cast_signed().checked_shr(arg(1)?)?.cast_unsigned(),
                    Op::BitwiseAnd => arg(0)? & arg(1)?,
                    Op::BitwiseOr => arg(0)? | arg(1)?,
                    Op::BitwiseXor => arg(0)? ^ arg(1)?,
                    Op::IEqual => return bool(arg(0)? == arg(1)?),
                    Op::INotEqual => return bool(arg(0)? != arg(1)?),
                    Op::ULessThan => return bool(arg(0)? < arg(1)?),
                    Op::UGreaterThan => return bool(arg(0)? > arg(1)?),
                    Op::SLessThan => return bool(arg(0)?.cast_signed() < arg(1)?.cast_signed()),
                    Op::SGreaterThan => return bool(arg(0)?.cast_signed() > arg(1)?.cast_signed()),
                    Op::ULessThanEqual => return bool(arg(0)? <= arg(1)?),
                    Op::UGreaterThanEqual => return bool(arg(0)? >= arg(1)?),
                    Op::SLessThanEqual => return bool(arg(0)?.cast_signed() <= arg(1)?.cast_signed()),
                    Op::SGreaterThanEqual => return bool(arg(0)?.cast_signed() >= arg(1)?.cast_signed()),
                    Op::LogicalEqual => return bool(arg(0)? == arg(1)?),
                    Op::LogicalNotEqual => return bool(arg(0)? != arg(1)?),
                    Op::CompositeExtract => match (self.constants.get(operands.first()?)?, operands.get(1)?) {
                        ((_, Constant::Composite(parts)), &at) if operands.len() == 2 => {
                            self.int(*parts.get(at as usize)?, depth + 1)?
                        }
                        _ => return None,
                    },
                    Op::LogicalAnd => arg(0)? & arg(1)?,
                    Op::LogicalOr => arg(0)? | arg(1)?,
                    Op::LogicalNot => return bool(arg(0)? == 0),
                    Op::Select if arg(0)? != 0 => arg(1)?,
                    Op::Select => arg(2)?,
                    _ => return None,
                })
            }
        }
    }

    /// Sets the specialisation constants that `overrides` identifies by name or number. Returns the names that are used.
    pub(crate) fn specialise(&mut self, overrides: &[(String, f64)]) -> Result<Vec<String>, Refusal> {
        self.ints.borrow_mut().clear();
        let mut used = Vec::new();
        for (name, value) in overrides {
            let numbered = self.constants.keys().copied().filter(|&id| match self.number(id, Decoration::SpecId) {
                Some(number) => self.name(id) == name || *name == number.to_string(),
                None => false,
            });
            for id in numbered.collect::<Vec<_>>() {
                let Some((ty, _)) = self.constants.get(&id) else { continue };
                let ty = self.value_type(*ty);
                let Some(bits) = ty.and_then(|ty| bits(ty, *value)) else {
                    let (name, value) = (name.clone(), value.to_string());
                    let ty = ty.map_or_else(|| "another kind".to_string(), |ty| ty.to_string());
                    return Err(refusal(RefusalKind::OverrideValue { name, value, ty }, None));
                };
                if let Some((_, constant)) = self.constants.get_mut(&id) {
                    *constant = Constant::Scalar(bits);
                }
                used.push(name.clone());
            }
        }
        self.ints.borrow_mut().clear();
        Ok(used)
    }
}

/// Returns a number as a scalar's bits. Returns `None` if the scalar is an integer that cannot represent the number, or is a half.
fn bits(ty: Type, value: f64) -> Option<u32> {
    let is_whole = value.fract() == 0.0;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the ranges are tested")]
    match ty {
        Type::BOOL => Some(u32::from(value != 0.0)),
        Type::INT if is_whole && value >= f64::from(i32::MIN) && value <= f64::from(i32::MAX) => {
            Some((value as i32).cast_unsigned())
        }
        Type::UINT if is_whole && value >= 0.0 && value <= f64::from(u32::MAX) => Some(value as u32),
        Type::FLOAT => Some((value as f32).to_bits()),
        _ => None,
    }
}
