//! Bit functions, composed of the format's shifts and bitwise operations. All functions are exact. Bits are counted in all
//! components of a vector at once.

use super::Lifting;
use crate::{Few, Id, Op, Scalar};

/// Group sizes in bits, each with a mask of the low group in every pair of groups.
const LOW_GROUPS: [(u32, u32); 5] =
    [(1, 0x5555_5555), (2, 0x3333_3333), (4, 0x0f0f_0f0f), (8, 0x00ff_00ff), (16, 0xffff)];

/// A format in which numbers from 0 to 1, or from -1 to 1, are packed into 32 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Packing {
    /// Whether the numbers are signed.
    pub is_signed: bool,
    /// The size of each number in bits: 8 or 16.
    pub size: u8,
}

impl Packing {
    /// The integer that represents 1.0.
    const fn one(self) -> f32 {
        match (self.is_signed, self.size) {
            (true, 8) => 127.0,
            (false, 8) => 255.0,
            (true, _) => 32767.0,
            (false, _) => 65535.0,
        }
    }
}

impl Lifting {
    /// Applies an operation to uints and a constant.
    fn with(&mut self, op: Op, a: Id, constant: u32) -> Id {
        let constant = self.builder.uint(constant);
        self.emit(op, &[a, constant])
    }

    /// Returns the number of set bits in each uint, by adding the counts of ever larger neighbouring groups.
    pub fn count_ones(&mut self, bits: Id) -> Id {
        let mut sum = bits;
        for (by, mask) in LOW_GROUPS {
            let low = self.with(Op::BinaryAnd, sum, mask);
            let high = self.with(Op::ShiftRight, sum, by);
            let high = self.with(Op::BinaryAnd, high, mask);
            sum = self.builder.add(low, high);
        }
        sum
    }

    /// Returns the bits of each uint in reverse order, by swapping ever larger neighbouring groups.
    pub fn reverse_bits(&mut self, bits: Id) -> Id {
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

    /// Sets all bits below the highest set bit of each uint.
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

    /// Returns the number of zero bits below the lowest set bit of each uint, or 32 for zero.
    pub fn count_trailing_zeros(&mut self, bits: Id) -> Id {
        let below = self.below_lowest(bits);
        self.count_ones(below)
    }

    /// Returns the number of zero bits above the highest set bit of each uint, or 32 for zero.
    pub fn count_leading_zeros(&mut self, bits: Id) -> Id {
        let smeared = self.smear(bits);
        let zeros = self.builder.complement(smeared);
        self.count_ones(zeros)
    }

    /// Returns the index of the lowest set bit of each uint, or all ones for zero.
    pub fn first_trailing_bit(&mut self, bits: Id) -> Id {
        let count = self.count_trailing_zeros(bits);
        let is_zero = self.with(Op::Equal, bits, 0);
        let none = self.builder.uint(u32::MAX);
        let none = self.splat(none, self.width(bits));
        self.builder.select(is_zero, none, count)
    }

    /// Returns the index of each uint's highest set bit, or of each int's highest bit that differs from the sign bit. The results are
    /// uints, which are all ones if there is no such bit.
    pub fn first_leading_bit(&mut self, a: Id) -> Id {
        let magnitude = match self.scalar_of(a) {
            Scalar::Int => {
                let by = self.builder.uint(31);
                let sign = self.builder.shift_right(a, by);
                let flipped = self.builder.binary_xor(a, sign);
                self.convert(flipped, Scalar::Uint)
            }
            _ => a,
        };
        let smeared = self.smear(magnitude);
        let (count, one) = (self.count_ones(smeared), self.builder.uint(1));
        self.builder.subtract(count, one)
    }

    /// Limits the bit offset and the bit count of a field to the 32 bits of an integer.
    fn field(&mut self, offset: Id, count: Id) -> (Id, Id) {
        let offset = self.with(Op::Min, offset, 32);
        let most = self.builder.uint(32);
        let most = self.builder.subtract(most, offset);
        (offset, self.builder.min(count, most))
    }

    /// Returns `count` bits of each integer, beginning at the bit `offset`. For ints, the result is sign-extended.
    pub fn extract_bits(&mut self, a: Id, offset: Id, count: Id) -> Id {
        let (offset, count) = self.field(offset, count);
        // The bits are shifted to the top and then shifted back, which extends the sign. A count of 0 is a special
        // case, because a shift by 32 would be a shift by 0.
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

    /// Returns the uints `a`, with the `count` bits from bit `offset` replaced by the low bits of `inserted`.
    pub fn insert_bits(&mut self, a: Id, inserted: Id, offset: Id, count: Id) -> Id {
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

    /// Packs numbers into a uint. The number `a` is packed as the integer `floor(0.5 + scale * clamp(a))`.
    pub fn pack_normal(&mut self, packing: Packing, a: Id) -> Id {
        let least = self.builder.float(if packing.is_signed { -1.0 } else { 0.0 });
        let most = self.builder.float(1.0);
        let clamped = self.builder.clamp(a, least, most);
        let (scale, half) = (self.builder.float(packing.one()), self.builder.float(0.5));
        let scaled = self.builder.multiply(clamped, scale);
        let scaled = self.builder.add(half, scaled);
        let whole = self.builder.floor(scaled);
        let ints = self.convert(whole, Scalar::Int);
        self.pack(ints, packing.size)
    }

    /// Unpacks numbers from a uint.
    pub fn unpack_normal(&mut self, packing: Packing, packed: Id) -> Id {
        let parts = self.unpack(packed, packing.size, packing.is_signed);
        let floats = self.convert(parts, Scalar::Float);
        let scale = self.builder.float(packing.one());
        let result = self.builder.divide(floats, scale);
        let least = self.builder.float(-1.0);
        if packing.is_signed { self.builder.max(result, least) } else { result }
    }

    /// Packs two floats as half floats, the first in the low bits. Floats are rounded to the nearest half, with ties to even.
    pub fn pack_halfs(&mut self, floats: Id) -> Id {
        let bits = self.bits_as(floats, Scalar::Uint);
        let magnitude = self.with(Op::BinaryAnd, bits, 0x7fff_ffff);
        // The exponent is rebiased from 127 to 15, and the lowest 13 bits of the fraction are rounded.
        let last = self.with(Op::ShiftRight, magnitude, 13);
        let odd = self.with(Op::BinaryAnd, last, 1);
        let rebiased = self.with(Op::Add, magnitude, 0xfff_u32.wrapping_sub(112 << 23));
        let rounded = self.builder.add(rebiased, odd);
        let normal = self.with(Op::ShiftRight, rounded, 13);
        // A denormal half is a multiple of 2^-24. Numbers above 1.0 are clamped, because the result is used only for denormal halfs.
        let float = self.bits_as(magnitude, Scalar::Float);
        let (most, scale) = (self.builder.float(1.0), self.builder.float(16_777_216.0));
        let clamped = self.builder.min(float, most);
        let scaled = self.builder.multiply(clamped, scale);
        let whole = self.emit(Op::RoundEven, &[scaled]);
        let denormal = self.convert(whole, Scalar::Uint);
        let is_denormal = self.with(Op::LessThan, magnitude, (127 - 14) << 23);
        let half = self.builder.select(is_denormal, denormal, normal);
        let width = self.width(half);
        let limited = |lifting: &mut Lifting, half: Id, op: Op, bound: u32, result: u32| {
            let is_beyond = lifting.with(op, magnitude, bound);
            let result = lifting.builder.uint(result);
            let result = lifting.splat(result, width);
            lifting.builder.select(is_beyond, result, half)
        };
        let half = limited(self, half, Op::GreaterThanOrEqual, (127 + 16) << 23, 0x7c00);
        let half = limited(self, half, Op::GreaterThan, 0x7f80_0000, 0x7e00);
        let sign = self.with(Op::ShiftRight, bits, 16);
        let sign = self.with(Op::BinaryAnd, sign, 0x8000);
        let signed = self.builder.binary_or(half, sign);
        self.pack(signed, 16)
    }

    /// Unpacks two half floats from a uint, the first from the low bits.
    pub fn unpack_halfs(&mut self, packed: Id) -> Id {
        let halfs = self.unpack(packed, 16, false);
        let magnitude = self.with(Op::BinaryAnd, halfs, 0x7fff);
        let shifted = self.with(Op::ShiftLeft, magnitude, 13);
        let normal = self.with(Op::Add, shifted, 112 << 23);
        let infinite = self.with(Op::BinaryOr, shifted, 0x7f80_0000);
        let is_infinite = self.with(Op::GreaterThanOrEqual, magnitude, 0x7c00);
        let bits = self.builder.select(is_infinite, infinite, normal);
        // A denormal half is a multiple of 2^-24.
        let count = self.convert(magnitude, Scalar::Float);
        let scale = self.builder.float(1.0 / 16_777_216.0);
        let denormal = self.builder.multiply(count, scale);
        let denormal = self.bits_as(denormal, Scalar::Uint);
        let is_denormal = self.with(Op::LessThan, magnitude, 0x0400);
        let bits = self.builder.select(is_denormal, denormal, bits);
        let sign = self.with(Op::BinaryAnd, halfs, 0x8000);
        let sign = self.with(Op::ShiftLeft, sign, 16);
        let signed = self.builder.binary_or(bits, sign);
        self.bits_as(signed, Scalar::Float)
    }

    /// Packs the low bits of each component into a uint, with the first component in the lowest bits.
    pub fn pack(&mut self, ints: Id, size: u8) -> Id {
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

    /// Unpacks the components of a word as a vector of ints or uints.
    pub fn unpack(&mut self, packed: Id, size: u8, is_signed: bool) -> Id {
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
