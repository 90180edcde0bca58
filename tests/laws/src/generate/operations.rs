//! Instructions that compute a value. The operation comes from the module's palette, and the operands match one of the
//! operation's overloads.

use sdlbc::{Id, Op, Scalar, Stages, Type};

use super::interface::scalar;
use super::writer::{Writer, literal};
use crate::overloads::{Immediates, Overload, overloads};

/// Operations that every module may use, because translators treat them specially.
const IN_EVERY_MODULE: [Op; 8] =
    [Op::Sample, Op::SampleBias, Op::SampleLod, Op::SampleGrad, Op::Fetch, Op::Peek, Op::Multiply, Op::Vector];

impl Writer<'_, '_, '_> {
    /// Writes an instruction that computes a value, and returns that value. Returns `None` if the function may not contain the
    /// chosen operation at this point, or has no operands for it.
    pub(super) fn expression(&mut self) -> Option<Id> {
        let palette = &self.features.operations;
        let op = match self.dice.one_in(10) || palette.is_empty() {
            true => self.dice.pick(&IN_EVERY_MODULE),
            false => self.dice.pick(palette),
        };
        if op.stage() == Stages::Fragment && !(self.fragment && self.may_use_derivatives()) {
            return None;
        }
        if op == Op::Peek {
            return self.any_element();
        }
        let overload = self.overload(op)?;
        let inputs: Option<Vec<Id>> = overload.operands.iter().map(|&ty| self.operand(op, ty)).collect();
        let inputs = inputs?;
        if op == Op::TextureOffset {
            return Some(self.moved(inputs[0], overload.operands[0]));
        }
        let immediates = match overload.immediates {
            Immediates::Words(ref words) => words.clone(),
            Immediates::Literals(scalar, width) => {
                (0..width).map(|_| literal(self.dice, self.features, scalar)).collect()
            }
            Immediates::Components => {
                let width = 1 + self.dice.small(4);
                return Some(self.swizzle(inputs[0], width));
            }
        };
        let value = self.emit(op, &inputs, &immediates);
        // In plain modules, the fraction replaces the result, because numbers would otherwise grow from one operation to the
        // next.
        let grows = self.features.plain && matches!(op, Op::Add | Op::Subtract | Op::Multiply);
        Some(if grows { self.fraction_of(value) } else { value })
    }

    /// Returns the fraction of a value, and hides the value from later instructions.
    fn fraction_of(&mut self, value: Id) -> Id {
        self.scope().values.retain(|&(other, _)| other != value);
        self.emit(Op::Fract, &[value], &[])
    }

    /// Chooses an overload that the function can use, preferably one that accepts a visible value.
    fn overload(&mut self, op: Op) -> Option<&'static Overload> {
        let usable: Vec<&Overload> = overloads(op).iter().filter(|overload| self.is_usable(overload)).collect();
        let accepts = |ty: Type| usable.iter().any(|overload| overload.operands.contains(&ty));
        let visible = if self.dice.percent(70) { self.find(accepts) } else { None };
        let wanted = scalar(self.dice, self.features);
        let fitting: Vec<&Overload> = usable
            .iter()
            .copied()
            .filter(|overload| match visible {
                Some((_, ty)) => overload.operands.contains(&ty),
                None => overload.operands.iter().any(|ty| matches!(ty, Type::Vector(scalar, _) if *scalar == wanted)),
            })
            .collect();
        let among = if fitting.is_empty() { &usable } else { &fitting };
        (!among.is_empty()).then(|| self.dice.pick(among))
    }

    /// Reports whether the function has the textures that an overload requires, and may use the overload's component types.
    fn is_usable(&self, overload: &Overload) -> bool {
        let to_half = Immediates::Words(vec![Type::Vector(Scalar::Half, 1).word()]);
        let is_half = |ty: &Type| matches!(ty, Type::Vector(Scalar::Half, _));
        let has_halves = overload.immediates == to_half || overload.operands.iter().any(is_half);
        let is_plain = |ty: &Type| matches!(ty, Type::Vector(Scalar::Float, _) | Type::Vector(Scalar::Bool, 1));
        (!self.features.plain || overload.operands.iter().all(is_plain))
            && (self.features.halves || !has_halves)
            && overload.operands.iter().all(|ty| match *ty {
                Type::Texture(..) => self.has_texture(*ty),
                _ => true,
            })
    }

    /// Returns an operand of a type, or `None` if the function lacks a texture of that type.
    fn operand(&mut self, op: Op, ty: Type) -> Option<Id> {
        match ty {
            Type::Texture(..) => self.texture_for(op, ty),
            ty => Some(self.value(ty)),
        }
    }
}
