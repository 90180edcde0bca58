//! Implements 24-bit floats, which have 1 sign bit, 7 exponent bits (bias 63) and 16 mantissa bits. In all other respects, the
//! format follows IEEE 754, with subnormals, infinities and NaN. Results are rounded to the nearest float, ties to even, and
//! results that are too large become infinite. The section "24-bit floats" of docs/running.md lists the results that are rounded.
//!
//! A register stores a 24-bit float, like a half, as the bits of the `f32` with the same value. Every 24-bit float except zero,
//! infinity and NaN is a normal `f32`. Rounding maps all NaNs to the same NaN.
//!
//! Rule: each operation rounds its exact result once. Sums, products, quotients and square roots are computed in 64 bits. The 53
//! bits of precision of a double are more than twice the 17 bits of a 24-bit float, so rounding the double once more produces the
//! nearest 24-bit float. Only [`Float24::mad`], which adds a number to a product, needs more care.

use std::ops::{Add, Div, Mul, Neg, Sub};

use sdlbc::compute::{Kernel, conversion, conversion_of, kernel_of};
use sdlbc::number::{Float as Arithmetic, Word};
use sdlbc::{Op, Scalar, Type};

use crate::simd::Simd;
use crate::{Column, LANES, quads};

/// The floating-point format in which a program computes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Float {
    /// 32-bit floats, with 1 sign bit, 8 exponent bits and 23 mantissa bits (IEEE 754's binary32).
    #[default]
    F32,
    /// 24-bit floats, with 1 sign bit, 7 exponent bits (bias 63) and 16 mantissa bits. In all other respects, the format follows
    /// IEEE 754, with rounding to the nearest float, ties to even. Results are returned as 32-bit floats with the same value, and
    /// operations on halves are not affected.
    F24,
}

impl Float {
    pub(crate) fn kernel(self, simd: Simd, op: Op, operands: &[Type]) -> Option<Kernel<LANES>> {
        match self.rounds(operands) {
            true => kernel_of::<Float24, LANES>(op, operands),
            false => (simd.kernel)(op, operands),
        }
    }

    pub(crate) fn derivative(self, op: Op, operands: &[Type]) -> Option<Kernel<LANES>> {
        Some(Kernel::One(match (op, self.rounds(operands)) {
            (Op::Ddx, false) => quads::ddx::<f32>,
            (Op::Ddy, false) => quads::ddy::<f32>,
            (Op::Ddx, true) => quads::ddx::<Float24>,
            (Op::Ddy, true) => quads::ddy::<Float24>,
            _ => return None,
        }))
    }

    /// Returns the loop that executes CONVERT, like [`sdlbc::compute::conversion`].
    pub(crate) fn conversion(self, from: Scalar, to: Scalar) -> Option<Kernel<LANES>> {
        match self == Float::F24 && to == Scalar::Float {
            true => conversion_of::<Float24, LANES>(from, to),
            false => conversion(from, to),
        }
    }

    /// Returns the loop that executes BITCAST. A BITCAST of integer bits needs no loop, unless the result is a 24-bit float.
    pub(crate) fn bitcast(self, from: Scalar, to: Type) -> Option<Kernel<LANES>> {
        match (self, from, to) {
            (Float::F24, _, Type::Vector(Scalar::Float, _)) => Some(Kernel::One(|out, a| {
                *out = *a;
                round(out);
            })),
            // A BITCAST of a NaN has undefined bits, so observers must see the result. Only operations with a loop are observed.
            (_, Scalar::Float, _) => Some(Kernel::One(|out, a| *out = *a)),
            _ => None,
        }
    }

    /// Reports whether the results of operations on `operands` are rounded to 24 bits. Results of operations on halves are never
    /// rounded.
    fn rounds(self, operands: &[Type]) -> bool {
        self == Float::F24 && !operands.iter().any(|ty| matches!(ty, Type::Vector(Scalar::Half, _)))
    }

    /// Returns the function that rounds inputs and other values that no operation computes, or `None` if the type needs no
    /// rounding.
    pub(crate) fn rounding(self, ty: Type) -> Option<fn(&mut Column)> {
        let is_float =
            matches!(ty, Type::Vector(Scalar::Float, _) | Type::Array(Scalar::Float, ..) | Type::Matrix { .. });
        (self == Float::F24 && is_float).then_some(round::<LANES> as fn(&mut Column))
    }

    /// Rounds the words of a literal. A finite literal that would become infinite becomes the largest finite number, and a
    /// nonzero literal that would become zero becomes the smallest nonzero number; both keep the literal's sign. Programs use
    /// literals near the smallest normal 32-bit float as bounds, so these literals become the smallest normal 24-bit float.
    pub(crate) fn literal(self, ty: Type, words: &mut [u32]) {
        if self.rounding(ty).is_none() {
            return;
        }
        for word in words {
            let exact = f64::from(f32::from_bits(*word));
            let rounded = nearest(exact).double();
            let held = match () {
                () if exact.is_finite() && rounded.is_infinite() => LARGEST.copysign(exact),
                () if exact != 0.0 && exact.abs() < NEAR_SMALLEST => SMALLEST_NORMAL.copysign(exact),
                () if exact != 0.0 && rounded == 0.0 => SMALLEST.copysign(exact),
                () => rounded,
            };
            *word = nearest(held).bits();
        }
    }

    pub(crate) fn round(self, ty: Type, words: &mut [u32]) {
        if self.rounding(ty).is_some() {
            words.iter_mut().for_each(|word| round(std::array::from_mut(word)));
        }
    }
}

fn round<const N: usize>(column: &mut [u32; N]) {
    column.iter_mut().for_each(|word| *word = nearest(f64::from(f32::from_bits(*word))).bits());
}

/// The bound 2^-26: doubles from 2^-26 to 2^-25 have a ULP of 2^-78, like subnormal 24-bit floats.
const SUBNORMAL_ULP: f64 = 1.490_116_119_384_765_6e-8;

/// The smallest normal 24-bit float, 2^-62.
const SMALLEST_NORMAL: f64 = 2.168_404_344_971_009e-19;

/// The bound 2^64. Numbers that round to at least this bound become infinite.
const TOO_LARGE: f64 = 18_446_744_073_709_551_616.0;

/// The smallest positive 24-bit float, 2^-78.
const SMALLEST: f64 = SMALLEST_NORMAL / 65_536.0;

/// The bound below which a literal stands for 2^-126, the smallest normal 32-bit float.
const NEAR_SMALLEST: f64 = 1e-36;

/// The largest finite 24-bit float, (2 - 2^-16) * 2^63.
const LARGEST: f64 = TOO_LARGE - TOO_LARGE / 131_072.0;

#[inline(always)]
#[expect(clippy::cast_possible_truncation, reason = "every 24-bit float is also a 32-bit float")]
fn nearest(exact: f64) -> Float24 {
    let bits = exact.abs().to_bits();
    let subnormal = (exact.abs() + SUBNORMAL_ULP) - SUBNORMAL_ULP;
    // Rounding clears the low 36 bits of a double's mantissa. For ties to even, the addend is 2^35 if the lowest remaining bit is
    // 1, and 2^35 - 1 if that bit is 0.
    let normal = f64::from_bits(bits.wrapping_add(0x7_ffff_ffff + (bits >> 36 & 1)) & !0xf_ffff_ffff);
    let finite = if exact.abs() < SMALLEST_NORMAL { subnormal } else { normal };
    let result = if finite >= TOO_LARGE { f64::INFINITY } else { finite };
    Float24(if exact.is_nan() { f32::NAN } else { result.copysign(exact) as f32 })
}

#[derive(Clone, Copy, PartialEq, PartialOrd)]
struct Float24(f32);

impl Float24 {
    #[inline(always)]
    fn double(self) -> f64 {
        f64::from(self.0)
    }
}

impl Word for Float24 {
    #[inline(always)]
    fn of(bits: u32) -> Float24 {
        Float24(f32::from_bits(bits))
    }
    #[inline(always)]
    fn bits(self) -> u32 {
        self.0.to_bits()
    }
}

impl Neg for Float24 {
    type Output = Float24;
    #[inline(always)]
    fn neg(self) -> Float24 {
        Float24(-self.0)
    }
}

macro_rules! rounded {
    ($($name:ident $function:ident $operator:tt;)*) => {
        $(impl $name for Float24 {
            type Output = Float24;
            #[inline(always)]
            fn $function(self, other: Float24) -> Float24 {
                nearest(self.double() $operator other.double())
            }
        })*
    };
}

rounded! {
    Add add +;
    Sub sub -;
    Mul mul *;
    Div div /;
}

impl Arithmetic for Float24 {
    #[inline(always)]
    fn nearest(exact: f64) -> Float24 {
        nearest(exact)
    }
    #[inline(always)]
    fn single(self) -> f32 {
        self.0
    }
    #[inline(always)]
    fn is_normal(self) -> bool {
        let size = self.double().abs();
        (SMALLEST_NORMAL..TOO_LARGE).contains(&size)
    }
    #[inline(always)]
    fn abs(self) -> Float24 {
        Float24(self.0.abs())
    }
    #[inline(always)]
    fn sqrt(self) -> Float24 {
        nearest(self.double().sqrt())
    }
    #[inline(always)]
    fn min(self, other: Float24) -> Float24 {
        Float24(self.0.min(other.0))
    }
    #[inline(always)]
    fn max(self, other: Float24) -> Float24 {
        Float24(self.0.max(other.0))
    }
    #[inline(always)]
    fn saturate(self) -> Float24 {
        Float24(self.0.clamp(0.0, 1.0))
    }
    #[inline(always)]
    fn to_radians(self) -> Float24 {
        self * nearest(1f64.to_radians())
    }
    #[inline(always)]
    fn to_degrees(self) -> Float24 {
        self * nearest(1f64.to_degrees())
    }
    /// Returns the exact value of `self * by + plus`, rounded once.
    ///
    /// The product is exact in 64 bits, but the sum may not be. An inexact sum is rounded to odd: of the two doubles around the
    /// exact sum, it becomes the one whose last bit is 1 (Boldo and Melquiond, "Emulation of a FMA and correctly rounded sums",
    /// 2008). A double whose last bit is 1 is neither a 24-bit float nor half-way between two 24-bit floats, so it is rounded
    /// like the exact sum.
    #[inline(always)]
    fn mad(self, by: Float24, plus: Float24) -> Float24 {
        let (product, plus) = (self.double() * by.double(), plus.double());
        let sum = product + plus;
        // `lacking` is the exact error of the sum (Knuth's TwoSum), or NaN if the sum is not finite.
        let part = sum - product;
        let lacking = (product - (sum - part)) + (plus - part);
        let bits = sum.to_bits();
        let odd = if (lacking > 0.0) == (sum > 0.0) { bits | 1 } else { bits.wrapping_sub(!bits & 1) };
        nearest(if lacking != 0.0 && !lacking.is_nan() { f64::from_bits(odd) } else { sum })
    }
    #[inline(always)]
    fn ldexp(self, by: i32) -> Float24 {
        // A 24-bit float has an exponent from -78 to 63, so a power of two outside these limits produces zero or infinity anyway.
        let by = by.clamp(-200, 200);
        nearest(self.double() * f64::from_bits(u64::from((by + 1023).cast_unsigned()) << 52))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(exact: f64) -> f32 {
        nearest(exact).0
    }

    #[test]
    fn rounding_is_to_the_nearest_with_ties_to_even() {
        let ulp = 2f64.powi(-16);
        for (exact, expected) in [
            (1.0 + ulp / 2.0, 1.0),
            (1.0 + ulp * 1.5, 1.0 + ulp * 2.0),
            (1.0 + ulp / 2.0 + 2f64.powi(-52), 1.0 + ulp),
            (-1.0 - ulp * 0.75, -1.0 - ulp),
            (2.0 - ulp / 4.0, 2.0),
            (2f64.powi(-79), 0.0),
            (-3.0 * 2f64.powi(-79), -2f64.powi(-77)),
            (2f64.powi(-62) - 2f64.powi(-79), 2f64.powi(-62)),
        ] {
            assert_eq!(f64::from(of(exact)), expected, "{exact:e}");
        }
        assert_eq!(of(-2f64.powi(-79)).to_bits(), (-0f32).to_bits(), "a sign is kept");
    }

    #[test]
    fn what_is_too_large_is_infinite() {
        let largest = 2f64.powi(64) - 2f64.powi(47);
        assert_eq!(f64::from(of(largest)), largest);
        assert_eq!(f64::from(of(largest + 2f64.powi(45))), largest);
        assert_eq!(of(largest + 2f64.powi(46)), f32::INFINITY, "a tie goes to the even one, which is infinity");
        assert_eq!(of(-1e300), f32::NEG_INFINITY);
        assert_eq!(of(f64::NAN.copysign(-1.0)).to_bits(), f32::NAN.to_bits());
    }

    #[test]
    fn a_literal_that_the_format_cannot_hold_is_the_largest_or_the_smallest_normal_number() {
        let of = |literal: f32| {
            let mut words = [literal.to_bits()];
            Float::F24.literal(Type::FLOAT, &mut words);
            f64::from(f32::from_bits(words[0]))
        };
        for (literal, held) in [
            (f32::MAX, 2f64.powi(64) - 2f64.powi(47)),
            (f32::MIN, 2f64.powi(47) - 2f64.powi(64)),
            (f32::INFINITY, f64::INFINITY),
            (f32::MIN_POSITIVE, 2f64.powi(-62)),
            (-1e-37, -(2f64.powi(-62))),
            (2f32.powi(-78), 2f64.powi(-78)),
            (1e-25, 2f64.powi(-78)),
            (0.0, 0.0),
            (0.1, f64::from(nearest(f64::from(0.1f32)).0)),
        ] {
            assert_eq!(of(literal), held, "{literal:e}");
        }
        let mut words = [f32::MAX.to_bits()];
        Float::F32.literal(Type::FLOAT, &mut words);
        assert_eq!(words, [f32::MAX.to_bits()]);
    }

    #[test]
    fn a_product_and_its_sum_are_rounded_once() {
        let number = |value: f64| Float24::nearest(value);
        let tiny = number(2f64.powi(-78));
        // 1.5 + 1.5 * 2^-16 is a tie, which `tiny` breaks. A 64-bit addition would lose `tiny`.
        let mad = |plus: Float24| f64::from(number(1.5).mad(number(1.0 + 2f64.powi(-16)), plus).0);
        assert_eq!(mad(-tiny), 1.5 + 2f64.powi(-16));
        assert_eq!(mad(tiny), 1.5 + 2f64.powi(-15));
    }
}
