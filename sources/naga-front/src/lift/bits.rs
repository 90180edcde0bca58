//! Lifts the bit functions of naga's `Math` expressions to shifts and bitwise operations. All results are exact, and all
//! components of a vector are computed at once.

use naga::{Expression, Handle, MathFunction as Fun};
use sdlbc::{Few, Id, Op, Scalar};

use super::Lifter;
use super::value::Value;

/// Group sizes in bits, each with a mask of the lower group in every pair of neighbouring groups.
const LOW_GROUPS: [(u32, u32); 5] =
    [(1, 0x5555_5555), (2, 0x3333_3333), (4, 0x0f0f_0f0f), (8, 0x00ff_00ff), (16, 0xffff)];

impl Lifter<'_, '_> {
    pub(super) fn bits(&mut self, handle: Handle<Expression>, function: Fun, operands: &[Id]) -> Value {
        let Some(&a) = operands.first() else { return Value::Many(Vec::new()) };
        let other = |at: usize| operands.get(at).copied().unwrap_or_default();
        let scalar = self.scalar_of(a);
        let bits = if matches!(scalar, Scalar::Int | Scalar::Uint) { self.convert(a, Scalar::Uint) } else { a };
        let result = match function {
            Fun::CountOneBits => self.count_ones(bits),
            Fun::ReverseBits => self.reverse(bits),
            Fun::CountTrailingZeros => {
                let below = self.below_lowest(bits);
                self.count_ones(below)
            }
            Fun::CountLeadingZeros => {
                let smeared = self.smear(bits);
                let zeros = self.builder.complement(smeared);
                self.count_ones(zeros)
            }
            Fun::FirstTrailingBit => {
                let below = self.below_lowest(bits);
                let count = self.count_ones(below);
                self.none_if_zero(bits, count)
            }
            Fun::FirstLeadingBit => {
                // For a negative int, the result is the position of the highest bit that differs from the sign bit.
                let magnitude = match scalar {
                    Scalar::Int => {
                        let by = self.builder.uint(31);
                        let sign = self.builder.shift_right(a, by);
                        let flipped = self.builder.binary_xor(a, sign);
                        self.convert(flipped, Scalar::Uint)
                    }
                    _ => bits,
                };
                let smeared = self.smear(magnitude);
                let (count, one) = (self.count_ones(smeared), self.builder.uint(1));
                self.builder.subtract(count, one)
            }
            Fun::ExtractBits => return Value::One(self.extract(a, other(1), other(2))),
            Fun::InsertBits => {
                let inserted = self.convert(other(1), Scalar::Uint);
                self.insert(bits, inserted, other(2), other(3))
            }
            Fun::Pack4x8snorm | Fun::Pack4x8unorm | Fun::Pack2x16snorm | Fun::Pack2x16unorm => {
                return Value::One(self.pack_normal(function, a));
            }
            Fun::Unpack4x8snorm | Fun::Unpack4x8unorm | Fun::Unpack2x16snorm | Fun::Unpack2x16unorm => {
                return Value::One(self.unpack_normal(function, a));
            }
            Fun::Pack4xI8 | Fun::Pack4xU8 | Fun::Pack4xI8Clamp | Fun::Pack4xU8Clamp => {
                return Value::One(self.pack_bytes(function, a));
            }
            Fun::Unpack4xI8 | Fun::Unpack4xU8 => return Value::One(self.unpack(a, 8, function == Fun::Unpack4xI8)),
            Fun::Dot4I8Packed | Fun::Dot4U8Packed => {
                let is_signed = function == Fun::Dot4I8Packed;
                let [a, b] = [a, other(1)].map(|packed| self.unpack(packed, 8, is_signed));
                return Value::One(self.int_dot(a, b));
            }
            other => {
                return self
                    .refuse_operation(&format!("the function `{}`", format!("{other:?}").to_lowercase()), handle);
            }
        };
        Value::One(self.convert(result, scalar))
    }

    /// Emits an operation whose second operand is a uint constant.
    fn with(&mut self, op: Op, a: Id, constant: u32) -> Id {
        let constant = self.builder.uint(constant);
        self.emit(op, &[a, constant])
    }

    /// Counts the bits that are set, by adding the counts of neighbouring groups of bits. The size of the groups doubles in each
    /// step.
    fn count_ones(&mut self, bits: Id) -> Id {
        let mut sum = bits;
        for (by, mask) in LOW_GROUPS {
            let low = self.with(Op::BinaryAnd, sum, mask);
            let high = self.with(Op::ShiftRight, sum, by);
            let high = self.with(Op::BinaryAnd, high, mask);
            sum = self.builder.add(low, high);
        }
        sum
    }

    /// Reverses the order of the bits, by swapping neighbouring groups of bits. The size of the groups doubles in each step.
    fn reverse(&mut self, bits: Id) -> Id {
        let mut all = bits;
        for (by, mask) in LOW_GROUPS {
            let low = self.with(Op::BinaryAnd, all, mask);
            let low = self.with(Op::ShiftLeft, low, by);
            let high = self.with(Op::ShiftRight, all, by);
            let high = self.with(Op::BinaryAnd, high, mask);
            all = self.builder.binary_or(low, high);
        }
        all
    }

    /// Sets all bits below the highest bit that is set.
    fn smear(&mut self, bits: Id) -> Id {
        [1, 2, 4, 8, 16].into_iter().fold(bits, |all, by| {
            let shifted = self.with(Op::ShiftRight, all, by);
            self.builder.binary_or(all, shifted)
        })
    }

    /// Returns a mask of the bits below the lowest set bit, or all ones if no bit is set.
    fn below_lowest(&mut self, bits: Id) -> Id {
        let less = self.with(Op::Subtract, bits, 1);
        let others = self.builder.complement(bits);
        self.builder.binary_and(others, less)
    }

    /// Returns all ones for each component of `bits` that is zero, and the component of `otherwise` for each other component.
    fn none_if_zero(&mut self, bits: Id, otherwise: Id) -> Id {
        let is_zero = self.with(Op::Equal, bits, 0);
        let none = self.builder.uint(u32::MAX);
        let none = self.splat(none, self.width(bits));
        self.builder.select(is_zero, none, otherwise)
    }

    /// Clamps the offset and the count of a bit field so that the field lies within 32 bits.
    fn field(&mut self, offset: Id, count: Id) -> (Id, Id) {
        let offset = self.with(Op::Min, offset, 32);
        let most = self.builder.uint(32);
        let most = self.builder.subtract(most, offset);
        (offset, self.builder.min(count, most))
    }

    fn extract(&mut self, a: Id, offset: Id, count: Id) -> Id {
        let (offset, count) = self.field(offset, count);
        // The field is shifted up to the highest bits and back down, which extends the sign. An empty field is handled
        // separately, because a shift by 32 would act like a shift by 0.
        let used = self.builder.add(offset, count);
        let most = self.builder.uint(32);
        let up = self.builder.subtract(most, used);
        let down = self.builder.subtract(most, count);
        let shifted = self.builder.shift_left(a, up);
        let shifted = self.builder.shift_right(shifted, down);
        let is_empty = self.with(Op::Equal, count, 0);
        let zero = self.zero(self.ty(a));
        self.builder.select(is_empty, zero, shifted)
    }

    fn insert(&mut self, a: Id, inserted: Id, offset: Id, count: Id) -> Id {
        let (offset, count) = self.field(offset, count);
        let most = self.builder.uint(32);
        let down = self.builder.subtract(most, count);
        let ones = self.builder.uint(u32::MAX);
        let mask = self.builder.shift_right(ones, down);
        let mask = self.builder.shift_left(mask, offset);
        let is_empty = self.with(Op::Equal, count, 0);
        let nothing = self.builder.uint(0);
        let mask = self.builder.select(is_empty, nothing, mask);
        let moved = self.builder.shift_left(inserted, offset);
        let moved = self.builder.binary_and(moved, mask);
        let others = self.builder.complement(mask);
        let kept = self.builder.binary_and(a, others);
        self.builder.binary_or(kept, moved)
    }

    /// Packs numbers from 0 to 1 or from -1 to 1 into bits: `floor(0.5 + scale * clamp(a))`.
    fn pack_normal(&mut self, function: Fun, a: Id) -> Id {
        let (is_signed, size, scale) = normal(function);
        let (least, most) = (self.builder.float(if is_signed { -1.0 } else { 0.0 }), self.builder.float(1.0));
        let clamped = self.builder.clamp(a, least, most);
        let (scale, half) = (self.builder.float(scale), self.builder.float(0.5));
        let scaled = self.builder.multiply(clamped, scale);
        let scaled = self.builder.add(half, scaled);
        let whole = self.builder.floor(scaled);
        let ints = self.convert(whole, Scalar::Int);
        self.pack(ints, size)
    }

    fn unpack_normal(&mut self, function: Fun, packed: Id) -> Id {
        let (is_signed, size, scale) = normal(function);
        let parts = self.unpack(packed, size, is_signed);
        let floats = self.convert(parts, Scalar::Float);
        let scale = self.builder.float(scale);
        let result = self.builder.divide(floats, scale);
        let least = self.builder.float(-1.0);
        if is_signed { self.builder.max(result, least) } else { result }
    }

    fn pack_bytes(&mut self, function: Fun, a: Id) -> Id {
        let scalar = self.scalar_of(a);
        let clamped = match function {
            Fun::Pack4xI8Clamp => {
                let (least, most) = (self.builder.int(-128), self.builder.int(127));
                self.builder.clamp(a, least, most)
            }
            Fun::Pack4xU8Clamp => {
                let most = self.number(scalar, 255);
                self.builder.min(a, most)
            }
            _ => a,
        };
        self.pack(clamped, 8)
    }

    /// Packs the lowest `size` bits of each component into a uint, with the first component in the lowest bits.
    fn pack(&mut self, ints: Id, size: u8) -> Id {
        let bits = self.convert(ints, Scalar::Uint);
        let bits = self.with(Op::BinaryAnd, bits, (1 << size) - 1);
        let mut packed = self.component(bits, 0);
        for component in 1..self.width(bits) {
            let part = self.component(bits, component);
            let part = self.with(Op::ShiftLeft, part, u32::from(component) * u32::from(size));
            packed = self.builder.binary_or(packed, part);
        }
        packed
    }

    /// Unpacks components of `size` bits to ints or uints.
    fn unpack(&mut self, packed: Id, size: u8, is_signed: bool) -> Id {
        let count = 32 / size;
        let packed = self.convert(packed, if is_signed { Scalar::Int } else { Scalar::Uint });
        let mut parts = Few::<Id>::new();
        for component in 0..count {
            let up = 32 - u32::from(size) * (u32::from(component) + 1);
            let raised = self.with(Op::ShiftLeft, packed, up);
            parts.push(self.with(Op::ShiftRight, raised, 32 - u32::from(size)));
        }
        self.vector(&parts)
    }
}

/// Returns whether a packed number is signed, its size in bits, and the integer that represents 1.0.
fn normal(function: Fun) -> (bool, u8, f32) {
    match function {
        Fun::Pack4x8snorm | Fun::Unpack4x8snorm => (true, 8, 127.0),
        Fun::Pack4x8unorm | Fun::Unpack4x8unorm => (false, 8, 255.0),
        Fun::Pack2x16snorm | Fun::Unpack2x16snorm => (true, 16, 32767.0),
        _ => (false, 16, 65535.0),
    }
}
