//! Integer arithmetic with results of 64 bits, composed of the format's operations on 32 bits. All functions are exact.

use rspirv::spirv::Op as Spirv;
use sdlbc::lifting::Value;
use sdlbc::{Id, Op, Scalar, Type};

use super::Lifter;
use crate::module::Ty;
use crate::words::Inst;

impl<'m> Lifter<'_, 'm> {
    /// Lifts an instruction whose result is a structure of two integers: the low bits, and the high bits or the carry.
    pub(super) fn wide(&mut self, inst: &Inst<'m>) -> Value {
        let Some(Ty::Struct(members)) = self.module().types.get(&inst.ty) else {
            self.mismatch();
            return self.zero(inst.ty);
        };
        let [a, b] = [0, 1].map(|at| {
            let operand = self.one(inst.arg(at));
            self.lifting.convert(operand, Scalar::Uint)
        });
        let (low, high) = match inst.op {
            Spirv::IAddCarry => {
                let sum = self.lifting.builder.add(a, b);
                (sum, self.lifting.emit(Op::LessThan, &[sum, a]))
            }
            Spirv::ISubBorrow => (self.lifting.builder.subtract(a, b), self.lifting.emit(Op::LessThan, &[a, b])),
            op => (self.lifting.builder.multiply(a, b), self.high_bits(a, b, op == Spirv::SMulExtended)),
        };
        let results = members.iter().zip([low, high]).map(|(&ty, value)| match self.module().value_type(ty) {
            Some(Type::Vector(scalar, _)) => Value::One(self.lifting.convert(value, scalar)),
            _ => Value::One(value),
        });
        Value::Many(results.collect())
    }

    /// Returns the high 32 bits of a product of uints, or of ints whose bits the operands are.
    fn high_bits(&mut self, a: Id, b: Id, is_signed: bool) -> Id {
        let [a_low, a_high, b_low, b_high] =
            [(a, false), (a, true), (b, false), (b, true)].map(|(of, is_high)| self.half(of, is_high));
        let builder = &mut self.lifting.builder;
        let [low, cross, other, high] =
            [(a_low, b_low), (a_low, b_high), (a_high, b_low), (a_high, b_high)].map(|(a, b)| builder.multiply(a, b));
        let carried = self.half(low, true);
        let middle = [cross, other].map(|product| self.half(product, false));
        let middle = middle.into_iter().fold(carried, |sum, part| self.lifting.builder.add(sum, part));
        let upper = [middle, cross, other].map(|product| self.half(product, true));
        let product = upper.into_iter().fold(high, |sum, part| self.lifting.builder.add(sum, part));
        if !is_signed {
            return product;
        }
        // A negative operand is 2^32 less than its bits as a uint.
        let product = self.less_if_negative(product, a, b);
        self.less_if_negative(product, b, a)
    }

    /// Returns the low or the high 16 bits of uints.
    fn half(&mut self, of: Id, is_high: bool) -> Id {
        let builder = &mut self.lifting.builder;
        if is_high {
            let by = builder.uint(16);
            return builder.shift_right(of, by);
        }
        let mask = builder.uint(0xffff);
        builder.binary_and(of, mask)
    }

    /// Returns `product - other` where `of` is negative as an int, and `product` elsewhere.
    fn less_if_negative(&mut self, product: Id, of: Id, other: Id) -> Id {
        let of = self.lifting.convert(of, Scalar::Int);
        let builder = &mut self.lifting.builder;
        let by = builder.uint(31);
        let sign = builder.shift_right(of, by);
        let mask = self.lifting.convert(sign, Scalar::Uint);
        let builder = &mut self.lifting.builder;
        let taken = builder.binary_and(mask, other);
        builder.subtract(product, taken)
    }
}
