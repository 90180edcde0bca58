//! Selects texture lookups.
//!
//! Rule: a sampler has one state and one bias for the whole program, because every lookup of the sampler must have the same
//! sampler word.

use agal_front::Stage;
use agal_front::register::File;
use agal_front::token;
use sdlbc::{Dimension, Id, Inst, Op, Sampler};

use super::{Frame, Selected, Selector, Val, operand};
use crate::code::Lane;
use crate::refusal::RefusalKind;

impl<'a> Selector<'a> {
    pub(super) fn sample(&mut self, frame: &Frame<'a>, inst: &Inst) -> Selected<Val> {
        let &Val::Texture(slot, dimension, sampler) = frame.value(operand(inst, 0))? else {
            return Err(RefusalKind::Operands { op: inst.op, what: "a texture that depends on a condition" });
        };
        let coordinate = self.floats(frame, operand(inst, 1))?;
        let refused = |what| RefusalKind::Operands { op: inst.op, what };
        let vertex = self.stage() == Stage::Vertex;
        let bias = match inst.op {
            Op::Sample if !vertex => 0.0,
            Op::SampleBias if !vertex => self
                .literal(frame, operand(inst, 2))
                .ok_or(refused("a bias that is not known at compile time: in AGAL, the bias is part of the sampler"))?,
            Op::SampleLod if vertex => self
                .literal(frame, operand(inst, 2))
                .ok_or(refused("a level of detail that is not known at compile time"))?,
            // A sampler without levels ignores the level of detail.
            Op::SampleLod if !has_levels(sampler) => 0.0,
            Op::SampleGrad if self.are_gradients(frame, &coordinate, [operand(inst, 2), operand(inst, 3)]) => 0.0,
            _ => {
                return Err(refused(
                    "an explicit level of detail: AGAL's `tex` derives the level from the texture coordinate, so sample without a level",
                ));
            }
        };
        let is_bias = |eighths: &i8| f32::from(*eighths) == bias * 8.0;
        let eighths = (i8::MIN..=i8::MAX)
            .find(is_bias)
            .ok_or(refused("a bias that is not a multiple of 0.125 from -16 to 15.875"))?;
        if dimension == Dimension::D3 {
            self.since(2, "a 3D texture")?;
        }
        let word = token::Sampler {
            number: u16::try_from(slot).map_err(|_| refused("a slot this high"))?,
            bias: eighths,
            file: File::Sampler as u8,
            format: sampler.format,
            dimension: match dimension {
                Dimension::D2 => 0,
                Dimension::Cube => 1,
                Dimension::D3 => 2,
                // An array texture has already been refused as an input.
                Dimension::D2Array | Dimension::CubeArray => return Err(refused("an array texture")),
            },
            // The flag `single` makes `tex` repeat the first component, which a module expresses by a separate swizzle.
            special: sampler.special & !token::Sampler::SINGLE,
            wrap: match (sampler.wrap_u, sampler.wrap_v) {
                (0, 0) => 0,
                (0, _) => 2,
                (_, 0) => 3,
                _ => 1,
            },
            mip: sampler.mip,
            filter: sampler.filter,
        }
        .encode();
        if *self.samplers.entry(slot).or_insert(word) != word {
            return Err(refused(
                "one texture with two biases: a sampler has one bias for the whole program, so use a second texture for the other bias",
            ));
        }
        Ok(Val::Lanes(self.texel(&coordinate, word)?))
    }

    fn literal(&self, frame: &Frame<'a>, id: Id) -> Option<f32> {
        let Val::Lanes(lanes) = frame.values.get(&id)? else { return None };
        if let [Lane::Literal(word)] = lanes[..] { Some(f32::from_bits(word)) } else { None }
    }

    /// Reports whether the gradients are the derivatives of the coordinate, which `tex` computes itself.
    fn are_gradients(&self, frame: &Frame<'a>, coordinate: &[Lane], gradients: [Id; 2]) -> bool {
        gradients.into_iter().zip([Op::Ddx, Op::Ddy]).all(|(id, op)| {
            let of = frame.origins.get(&id).filter(|inst| inst.op == op).and_then(|inst| inst.inputs.first());
            let value = of.and_then(|of| frame.values.get(of));
            matches!(value, Some(Val::Lanes(lanes)) if lanes[..] == *coordinate)
        })
    }
}

/// Reports whether the level of detail or the footprint depends on derivatives, by the same rule as in agal-front.
fn has_levels(sampler: Sampler) -> bool {
    sampler.mip != 0 || sampler.filter > 1 || sampler.special & token::Sampler::IGNORE != 0
}
