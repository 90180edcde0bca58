//! The bit functions of naga's `Math` expressions.

use naga::{Expression, Handle, MathFunction as Fun};
use sdlbc::lifting::{Packing, Value};
use sdlbc::{Id, Scalar};

use super::Lifter;

impl Lifter<'_, '_> {
    pub(super) fn bits(&mut self, handle: Handle<Expression>, function: Fun, operands: &[Id]) -> Value {
        let Some(&a) = operands.first() else { return Value::Many(Vec::new()) };
        let other = |at: usize| operands.get(at).copied().unwrap_or_default();
        let scalar = self.lifting.scalar_of(a);
        let bits = if matches!(scalar, Scalar::Int | Scalar::Uint) { self.lifting.convert(a, Scalar::Uint) } else { a };
        let result = match function {
            Fun::CountOneBits => self.lifting.count_ones(bits),
            Fun::ReverseBits => self.lifting.reverse_bits(bits),
            Fun::CountTrailingZeros => self.lifting.count_trailing_zeros(bits),
            Fun::CountLeadingZeros => self.lifting.count_leading_zeros(bits),
            Fun::FirstTrailingBit => self.lifting.first_trailing_bit(bits),
            Fun::FirstLeadingBit => self.lifting.first_leading_bit(a),
            Fun::ExtractBits => return Value::One(self.lifting.extract_bits(a, other(1), other(2))),
            Fun::InsertBits => {
                let inserted = self.lifting.convert(other(1), Scalar::Uint);
                self.lifting.insert_bits(bits, inserted, other(2), other(3))
            }
            Fun::Pack4x8snorm | Fun::Pack4x8unorm | Fun::Pack2x16snorm | Fun::Pack2x16unorm => {
                return Value::One(self.lifting.pack_normal(packing(function), a));
            }
            Fun::Unpack4x8snorm | Fun::Unpack4x8unorm | Fun::Unpack2x16snorm | Fun::Unpack2x16unorm => {
                return Value::One(self.lifting.unpack_normal(packing(function), a));
            }
            Fun::Pack4xI8 | Fun::Pack4xU8 | Fun::Pack4xI8Clamp | Fun::Pack4xU8Clamp => {
                return Value::One(self.pack_bytes(function, a));
            }
            Fun::Unpack4xI8 | Fun::Unpack4xU8 => {
                return Value::One(self.lifting.unpack(a, 8, function == Fun::Unpack4xI8));
            }
            Fun::Dot4I8Packed | Fun::Dot4U8Packed => {
                let is_signed = function == Fun::Dot4I8Packed;
                let [a, b] = [a, other(1)].map(|packed| self.lifting.unpack(packed, 8, is_signed));
                return Value::One(self.lifting.int_dot(a, b));
            }
            other => {
                return self
                    .refuse_operation(&format!("the function `{}`", format!("{other:?}").to_lowercase()), handle);
            }
        };
        Value::One(self.lifting.convert(result, scalar))
    }

    fn pack_bytes(&mut self, function: Fun, a: Id) -> Id {
        let scalar = self.lifting.scalar_of(a);
        let clamped = match function {
            Fun::Pack4xI8Clamp => {
                let (least, most) = (self.lifting.builder.int(-128), self.lifting.builder.int(127));
                self.lifting.builder.clamp(a, least, most)
            }
            Fun::Pack4xU8Clamp => {
                let most = self.lifting.number(scalar, 255);
                self.lifting.builder.min(a, most)
            }
            _ => a,
        };
        self.lifting.pack(clamped, 8)
    }
}

/// Returns the format of the numbers that a function packs or unpacks.
fn packing(function: Fun) -> Packing {
    let is_signed =
        matches!(function, Fun::Pack4x8snorm | Fun::Unpack4x8snorm | Fun::Pack2x16snorm | Fun::Unpack2x16snorm);
    let has_bytes =
        matches!(function, Fun::Pack4x8snorm | Fun::Unpack4x8snorm | Fun::Pack4x8unorm | Fun::Unpack4x8unorm);
    Packing { is_signed, size: if has_bytes { 8 } else { 16 } }
}
