//! Functions on numbers and vectors, for the `computes` column of the operation table.
//!
//! Rule: every result has the same bits on every machine. The transcendental functions are therefore from `libm` or implemented
//! here, rounding is explicit, and no operations are fused. Functions that should vectorise have no data-dependent branches.
//!
//! Functions on floats are generic over the arithmetic, [`Float`]. The arithmetic of the format is `f32`, and an executor may
//! supply another arithmetic. An operation that is defined by a formula computes each step of the formula in the chosen
//! arithmetic.

use std::ops::{Add, Div, Mul, Neg, Sub};

mod pow;

pub use pow::pow;

/// A component type whose values are stored in 32-bit registers.
pub trait Word: Copy {
    /// Returns the component with the bit pattern `bits`.
    fn of(bits: u32) -> Self;
    /// Returns the component's bit pattern.
    fn bits(self) -> u32;
}

/// Implements [`Word`] for each type, from expressions for the two conversions.
macro_rules! words {
    ($($word:ty: $bits:ident => $of:expr, $value:ident => $to:expr;)*) => {$(
        impl Word for $word {
            #[inline(always)]
            fn of($bits: u32) -> $word {
                $of
            }
            #[inline(always)]
            fn bits(self) -> u32 {
                let $value = self;
                $to
            }
        }
    )*};
}

words! {
    u32: bits => bits, word => word;
    i32: bits => bits.cast_signed(), int => int.cast_unsigned();
    f32: bits => f32::from_bits(bits), float => float.to_bits();
    bool: bits => bits != 0, truth => u32::from(truth);
}

/// A floating-point arithmetic whose numbers are a subset of the `f32` values. A number is stored as the bits of the `f32` with
/// the same value.
///
/// The operators and [`sqrt`](Float::sqrt) round the exact result to the nearest number of the arithmetic.
pub trait Float:
    Word
    + PartialOrd
    + Neg<Output = Self>
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
{
    /// Rounds a value to the nearest number of the arithmetic, with ties to even.
    fn nearest(exact: f64) -> Self;
    /// Converts the number to a 32-bit float, without rounding.
    fn single(self) -> f32;
    /// Reports whether the number is neither zero, denormal, infinite nor NaN.
    fn is_normal(self) -> bool;
    /// Returns the absolute value.
    fn abs(self) -> Self;
    /// Returns the square root.
    fn sqrt(self) -> Self;
    /// Returns the smaller of two numbers; if one of the numbers is NaN, returns the other number.
    fn min(self, other: Self) -> Self;
    /// Returns the larger of two numbers; if one of the numbers is NaN, returns the other number.
    fn max(self, other: Self) -> Self;
    /// Clamps the number to 0..1, and returns NaN for NaN.
    fn saturate(self) -> Self;
    /// Converts degrees to radians.
    fn to_radians(self) -> Self;
    /// Converts radians to degrees.
    fn to_degrees(self) -> Self;
    /// Returns `self * by + plus`. Whether the product is rounded depends on the arithmetic.
    fn mad(self, by: Self, plus: Self) -> Self;
    /// Returns `self * 2^by`.
    fn ldexp(self, by: i32) -> Self;
}

/// Implements trait methods by calling the inherent methods of `f32` with the same names.
macro_rules! inherent {
    ($($name:ident($($other:ident)?);)*) => {
        $(#[inline(always)] fn $name(self $(, $other: f32)?) -> f32 { self.$name($($other)?) })*
    };
}

impl Float for f32 {
    inherent! { abs(); sqrt(); min(other); max(other); to_radians(); to_degrees(); }
    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "rounding is intended")]
    fn nearest(exact: f64) -> f32 {
        exact as f32
    }
    #[inline(always)]
    fn single(self) -> f32 {
        self
    }
    #[inline(always)]
    fn is_normal(self) -> bool {
        (self.to_bits() >> 23 & 255).wrapping_sub(1) < 254
    }
    #[inline(always)]
    fn saturate(self) -> f32 {
        self.clamp(0.0, 1.0)
    }
    #[inline(always)]
    fn mad(self, by: f32, plus: f32) -> f32 {
        self * by + plus
    }
    /// The result is rounded only once if `by` is from -126 to 127.
    #[inline(always)]
    fn ldexp(self, by: i32) -> f32 {
        let (mut by, mut result) = (by.clamp(-378, 381), self);
        for _ in 0..3 {
            let part = by.clamp(-126, 127);
            result *= f32::from_bits((part + 127).cast_unsigned() << 23);
            by -= part;
        }
        result
    }
}

/// Converts a float that is known to be a number of the arithmetic, without rounding.
#[inline(always)]
fn exactly<F: Float>(single: f32) -> F {
    F::of(single.to_bits())
}

/// Functions on 32-bit floats that map the numbers of every arithmetic to numbers of the same arithmetic.
mod single {
    /// All floats with an absolute value of at least `WHOLE` are whole numbers.
    const WHOLE: f32 = 8_388_608.0;

    #[inline(always)]
    pub(super) fn round_even(a: f32) -> f32 {
        let rounded = ((a.abs() + WHOLE) - WHOLE).copysign(a);
        if a.abs() < WHOLE { rounded } else { a }
    }

    #[inline(always)]
    pub(super) fn trunc(a: f32) -> f32 {
        let near = (a.abs() + WHOLE) - WHOLE;
        let below = if near > a.abs() { near - 1.0 } else { near };
        if a.abs() < WHOLE { below.copysign(a) } else { a }
    }

    #[inline(always)]
    pub(super) fn floor(a: f32) -> f32 {
        let whole = trunc(a);
        if whole > a { whole - 1.0 } else { whole }
    }

    #[inline(always)]
    pub(super) fn ceil(a: f32) -> f32 {
        let whole = trunc(a);
        if whole < a { whole + 1.0 } else { whole }
    }

    #[inline(always)]
    pub(super) fn round(a: f32) -> f32 {
        let whole = trunc(a);
        if (a - whole).abs() >= 0.5 { whole + 1.0f32.copysign(a) } else { whole }
    }
}

macro_rules! from_single {
    ($($name:ident $doc:literal;)*) => {
        $(#[doc = $doc] #[inline(always)] pub fn $name<F: Float>(a: F) -> F { exactly(single::$name(a.single())) })*
    };
}

from_single! {
    round_even "The nearest whole number, ties to even.";
    trunc "The number without its fraction.";
    floor "The largest whole number that is not greater.";
    ceil "The smallest whole number that is not less.";
    round "The nearest whole number, ties away from zero.";
}

/// Returns the sign of a number: -1, 0 or 1, and 0 for NaN.
#[inline(always)]
pub fn sign<F: Float>(a: F) -> F {
    let (above, below) = (a.single() > 0.0, a.single() < 0.0);
    exactly(f32::from(u8::from(above)) - f32::from(u8::from(below)))
}

/// Divides two ints. Returns `a` if `b` is 0, and the lowest int if the lowest int is divided by -1.
#[inline(always)]
pub fn divide(a: i32, b: i32) -> i32 {
    if b == 0 { a } else { a.wrapping_div(b) }
}

/// Returns the remainder of [`divide`], or 0 if `b` is 0.
#[inline(always)]
pub fn modulo(a: i32, b: i32) -> i32 {
    if b == 0 { 0 } else { a.wrapping_rem(b) }
}

/// Returns `a * (1 - c) + b * c`.
#[inline(always)]
pub fn mix<F: Float>(a: F, b: F, c: F) -> F {
    a * (exactly::<F>(1.0) - c) + b * c
}

/// Returns 0 if `b < a`, and 1 otherwise.
#[inline(always)]
pub fn step<F: Float>(a: F, b: F) -> F {
    exactly(if b < a { 0.0 } else { 1.0 })
}

/// Returns the reciprocal of the square root.
#[inline(always)]
pub fn rsqrt<F: Float>(a: F) -> F {
    exactly::<F>(1.0) / a.sqrt()
}

/// Returns the smooth interpolation from 0 to 1 as `c` goes from `a` to `b`.
#[inline(always)]
pub fn smoothstep<F: Float>(a: F, b: F, c: F) -> F {
    let t = ((c - a) / (b - a)).saturate();
    t * t * (exactly::<F>(3.0) - exactly::<F>(2.0) * t)
}

/// Returns the exponent e in `a = frexp(a) * 2^e`, or 0 if `a` is not normal.
#[inline(always)]
pub fn exponent<F: Float>(a: F) -> i32 {
    let biased = (a.bits() >> 23 & 255).cast_signed();
    if a.is_normal() { biased - 126 } else { 0 }
}

/// Returns the fraction in `a = frexp(a) * 2^exponent(a)`, with an absolute value in 0.5..1. Returns `a` if `a` is not normal.
#[inline(always)]
pub fn frexp<F: Float>(a: F) -> F {
    let bits = a.bits();
    F::of(if a.is_normal() { bits & 0x807f_ffff | 0x3f00_0000 } else { bits })
}

/// Truncates a float to an int. A float out of range becomes the nearest int that is also a float, and NaN becomes 0.
#[inline(always)]
#[expect(clippy::cast_possible_truncation, reason = "truncation is intended")]
pub fn int<F: Float>(a: F) -> i32 {
    a.single().clamp(-2_147_483_648.0, 2_147_483_520.0) as i32
}

/// Truncates a float to an unsigned int. A float out of range becomes the nearest unsigned int that is also a float, and NaN
/// becomes 0.
#[inline(always)]
#[expect(clippy::cast_possible_truncation, reason = "truncation is intended")]
pub fn uint<F: Float>(a: F) -> u32 {
    a.single().clamp(0.0, 4_294_967_040.0) as u32
}

/// Rounds a float to the nearest half, with ties to even. An absolute value of 65520 or more becomes infinity.
#[inline(always)]
pub fn half(a: f32) -> f32 {
    let bits = a.abs().to_bits();
    // A float in 0.5..1 has a ULP of 2^-24, like a denormal half.
    let denormal = (a.abs() + 0.5) - 0.5;
    let normal = f32::from_bits(bits.wrapping_add(0xfff + (bits >> 13 & 1)) & !0x1fff);
    let finite = if a.abs() < 6.103_515_6e-5 { denormal } else { normal };
    let result = if finite >= 65536.0 { f32::INFINITY } else { finite };
    if a.is_nan() { a } else { result.copysign(a) }
}

/// Rounds the result of a function on 32-bit floats to the nearest number of the arithmetic.
#[inline(always)]
fn nearest<F: Float>(single: f32) -> F {
    F::nearest(f64::from(single))
}

macro_rules! from_libm {
    ($($name:ident $function:ident ($($a:ident),+) $doc:literal;)*) => {
        $(#[doc = $doc] #[inline] pub fn $name<F: Float>($($a: F),+) -> F { nearest(libm::$function($($a.single()),+)) })*
    };
}

from_libm! {
    sin sinf (a) "The sine.";
    cos cosf (a) "The cosine.";
    tan tanf (a) "The tangent.";
    asin asinf (a) "The angle whose sine is `a`.";
    acos acosf (a) "The angle whose cosine is `a`.";
    atan atanf (a) "The angle whose tangent is `a`.";
    sinh sinhf (a) "The hyperbolic sine.";
    cosh coshf (a) "The hyperbolic cosine.";
    tanh tanhf (a) "The hyperbolic tangent.";
    asinh asinhf (a) "The inverse of the hyperbolic sine.";
    acosh acoshf (a) "The inverse of the hyperbolic cosine.";
    atanh atanhf (a) "The inverse of the hyperbolic tangent.";
    atan2 atan2f (a, b) "The angle of the point whose y is `a` and whose x is `b`.";
    exp expf (a) "e to the power `a`.";
    log logf (a) "The natural logarithm.";
    exp2 exp2f (a) "2 to the power `a`.";
    log2 log2f (a) "The logarithm to the base 2.";
}

/// Returns the dot product, with the products added in the order of the components.
#[inline(always)]
#[expect(clippy::indexing_slicing, reason = "`at` is below the arrays' length")]
pub fn dot<F: Float, const W: usize>(a: [F; W], b: [F; W]) -> F {
    let mut sum = a[0] * b[0];
    for at in 1..W {
        sum = sum + a[at] * b[at];
    }
    sum
}

/// Returns the length of a vector, which is the square root of the sum of the squares.
#[inline(always)]
pub fn len<F: Float, const W: usize>(a: [F; W]) -> F {
    dot(a, a).sqrt()
}

/// Returns the distance between two points, which is the length of their difference.
#[inline(always)]
#[expect(clippy::indexing_slicing, reason = "`at` is below the arrays' length")]
pub fn distance<F: Float, const W: usize>(a: [F; W], b: [F; W]) -> F {
    len(std::array::from_fn::<F, W, _>(|at| a[at] - b[at]))
}

/// Divides each component of a vector by the vector's length.
#[inline(always)]
pub fn normalize<F: Float, const W: usize>(a: [F; W]) -> [F; W] {
    let len = len(a);
    a.map(|a| a / len)
}

/// Returns the cross product of two vectors.
#[inline(always)]
pub fn cross<F: Float>(a: [F; 3], b: [F; 3]) -> [F; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// Returns `a` if `dot(b, c) < 0`, and `-a` otherwise.
#[inline(always)]
pub fn face_forward<F: Float, const W: usize>(a: [F; W], b: [F; W], c: [F; W]) -> [F; W] {
    let keeps = dot(b, c) < exactly(0.0);
    a.map(|a| if keeps { a } else { -a })
}

/// Reflects `a` in the plane with the normal `b`.
#[inline(always)]
#[expect(clippy::indexing_slicing, reason = "`at` is below the arrays' length")]
pub fn reflect<F: Float, const W: usize>(a: [F; W], b: [F; W]) -> [F; W] {
    let twice = exactly::<F>(2.0) * dot(b, a);
    std::array::from_fn(|at| a[at] - twice * b[at])
}

/// Refracts `a` at the plane with the normal `b`, with `c` as the ratio of refractive indices. Returns zero for total reflection.
#[inline(always)]
#[expect(clippy::indexing_slicing, reason = "`at` is below the arrays' length")]
pub fn refract<F: Float, const W: usize>(a: [F; W], b: [F; W], c: F) -> [F; W] {
    let along = dot(b, a);
    let one = exactly::<F>(1.0);
    let k = one - c * c * (one - along * along);
    // The square root of a negative `k` is NaN, but is not used.
    let by = c * along + k.sqrt();
    std::array::from_fn(|at| if k < exactly(0.0) { exactly(0.0) } else { c * a[at] - by * b[at] })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns floats of every magnitude, in no particular order.
    fn many() -> impl Iterator<Item = f32> {
        let odd = [0.0, -0.0, 0.5, -0.5, 1.5, 2.5, 8388607.5, 8388608.0, f32::INFINITY, f32::NAN, f32::MIN_POSITIVE];
        odd.into_iter().chain((0..1_000_003u32).map(|at| f32::from_bits(at.wrapping_mul(0x9e37_79b9))))
    }

    #[test]
    fn rounding_agrees_with_the_standard_library() {
        let same = |a: f32, b: f32| a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan();
        for a in many() {
            assert!(same(trunc(a), a.trunc()), "trunc {a}");
            assert!(same(floor(a), a.floor()), "floor {a}");
            assert!(same(ceil(a), a.ceil()), "ceil {a}");
            assert!(same(round(a), a.round()), "round {a}");
            assert!(same(round_even(a), a.round_ties_even()), "round even {a}");
        }
    }

    #[test]
    fn a_half_is_the_nearest_one_with_ties_to_even() {
        for a in many() {
            // A half has 11 significant bits, or steps of 2^-24 if the half is denormal.
            let exponent = i32::try_from(a.to_bits() >> 23 & 255).unwrap_or(0) - 127;
            let step = f64::from(exponent.max(-14) - 10).exp2();
            let rounded = (f64::from(a) / step).round_ties_even() * step;
            let expected = if rounded.abs() > 65504.0 { f32::INFINITY.copysign(a) } else { rounded as f32 };
            assert!(half(a).to_bits() == expected.to_bits() || a.is_nan() && half(a).is_nan(), "{a}: {}", half(a));
        }
        assert_eq!(half(65519.0), 65504.0);
        assert_eq!(half(-65520.0), f32::NEG_INFINITY);
        assert_eq!(half(2f32.powi(-25)), 0.0, "half of the smallest denormal rounds to even, to 0");
        assert_eq!(half(3.0 * 2f32.powi(-25)), 2f32.powi(-23));
    }

    #[test]
    fn a_number_is_its_fraction_times_two_to_its_exponent() {
        for a in many().filter(|a| a.is_normal()) {
            assert!((0.5..1.0).contains(&frexp(a).abs()), "{a}");
            assert_eq!(f64::from(frexp(a)) * f64::from(exponent(a)).exp2(), f64::from(a));
        }
        for a in [0.0, -0.0, f32::MIN_POSITIVE / 2.0, f32::INFINITY] {
            assert_eq!((frexp(a).to_bits(), exponent(a)), (a.to_bits(), 0));
        }
        assert!(frexp(f32::NAN).is_nan());
    }
}
