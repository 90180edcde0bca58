//! Functions for the operation table's `computes` column, on numbers and vectors of numbers.
//!
//! Rule: the result has the same bits on every machine. So the transcendental functions are from `libm` or implemented here,
//! rounding is explicit, and nothing is fused. Functions that should vectorise have no branches that depend on a value.
//!
//! The functions on floats are generic over the arithmetic, [`Float`]: `f32` is the arithmetic of the format, and an executor
//! may supply another. An operation that is defined by a formula computes each step of the formula in that arithmetic.

use std::ops::{Add, Div, Mul, Neg, Sub};

mod pow;

pub use pow::pow;

/// A component that is stored in a register of 32 bits.
pub trait Word: Copy {
    /// The component with these bits.
    fn of(bits: u32) -> Self;
    /// The bits of the component.
    fn bits(self) -> u32;
}

/// Implements [`Word`] for types, from expressions for the two conversions.
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

/// A floating-point arithmetic. A number is stored as the bits of the `f32` with the same value, so each number must be an
/// `f32`.
///
/// The operators and [`sqrt`](Float::sqrt) round the exact result to the nearest number.
pub trait Float:
    Word
    + PartialOrd
    + Neg<Output = Self>
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
{
    /// The nearest number, ties to even.
    fn nearest(exact: f64) -> Self;
    /// The number as a 32-bit float, which has the same value.
    fn single(self) -> f32;
    /// Whether the number is neither zero, denormal, infinite nor NaN.
    fn is_normal(self) -> bool;
    /// The absolute value.
    fn abs(self) -> Self;
    /// The square root.
    fn sqrt(self) -> Self;
    /// The smaller number; if one number is NaN, the other number.
    fn min(self, other: Self) -> Self;
    /// The larger number; if one number is NaN, the other number.
    fn max(self, other: Self) -> Self;
    /// The number clamped to 0..1; NaN for NaN.
    fn saturate(self) -> Self;
    /// Degrees to radians.
    fn to_radians(self) -> Self;
    /// Radians to degrees.
    fn to_degrees(self) -> Self;
    /// `self * by + plus`; whether the product is rounded is up to the arithmetic.
    fn mad(self, by: Self, plus: Self) -> Self;
    /// `self * 2^by`.
    fn ldexp(self, by: i32) -> Self;
}

/// Methods of a trait that call the inherent methods of `f32` with the same names.
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
    /// Rounded only once for `by` from -126 to 127.
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

/// Converts a value that is known to be a number of the arithmetic.
#[inline(always)]
fn exactly<F: Float>(single: f32) -> F {
    F::of(single.to_bits())
}

/// Functions of 32-bit floats under which the numbers of every arithmetic are closed.
mod single {
    /// Floats of at least this absolute value are whole numbers.
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

/// -1, 0 or 1; 0 for NaN.
#[inline(always)]
pub fn sign<F: Float>(a: F) -> F {
    let (above, below) = (a.single() > 0.0, a.single() < 0.0);
    exactly(f32::from(u8::from(above)) - f32::from(u8::from(below)))
}

/// The quotient of ints; `a` if `b` is 0, and the lowest int for the lowest int divided by -1.
#[inline(always)]
pub fn divide(a: i32, b: i32) -> i32 {
    if b == 0 { a } else { a.wrapping_div(b) }
}

/// The remainder of [`divide`]; 0 if `b` is 0.
#[inline(always)]
pub fn modulo(a: i32, b: i32) -> i32 {
    if b == 0 { 0 } else { a.wrapping_rem(b) }
}

/// `a * (1 - c) + b * c`.
#[inline(always)]
pub fn mix<F: Float>(a: F, b: F, c: F) -> F {
    a * (exactly::<F>(1.0) - c) + b * c
}

/// 0 if `b < a`, otherwise 1.
#[inline(always)]
pub fn step<F: Float>(a: F, b: F) -> F {
    exactly(if b < a { 0.0 } else { 1.0 })
}

/// The reciprocal of the square root.
#[inline(always)]
pub fn rsqrt<F: Float>(a: F) -> F {
    exactly::<F>(1.0) / a.sqrt()
}

/// The smooth step of `c` between `a` and `b`.
#[inline(always)]
pub fn smoothstep<F: Float>(a: F, b: F, c: F) -> F {
    let t = ((c - a) / (b - a)).saturate();
    t * t * (exactly::<F>(3.0) - exactly::<F>(2.0) * t)
}

/// The e with `a = frexp(a) * 2^e`; 0 if `a` is not normal.
#[inline(always)]
pub fn exponent<F: Float>(a: F) -> i32 {
    let biased = (a.bits() >> 23 & 255).cast_signed();
    if a.is_normal() { biased - 126 } else { 0 }
}

/// The number with an absolute value in 0.5..1 and `a = frexp(a) * 2^exponent(a)`; `a` if it is not normal.
#[inline(always)]
pub fn frexp<F: Float>(a: F) -> F {
    let bits = a.bits();
    F::of(if a.is_normal() { bits & 0x807f_ffff | 0x3f00_0000 } else { bits })
}

/// The float truncated to an int. Outside the range of ints, the nearest int that is a float; 0 for NaN.
#[inline(always)]
#[expect(clippy::cast_possible_truncation, reason = "truncation is intended")]
pub fn int<F: Float>(a: F) -> i32 {
    a.single().clamp(-2_147_483_648.0, 2_147_483_520.0) as i32
}

/// The float truncated to an unsigned int. Outside the range of unsigned ints, the nearest unsigned int that is a float; 0
/// for NaN.
#[inline(always)]
#[expect(clippy::cast_possible_truncation, reason = "truncation is intended")]
pub fn uint<F: Float>(a: F) -> u32 {
    a.single().clamp(0.0, 4_294_967_040.0) as u32
}

/// The nearest half, ties to even; infinity from 65520 on.
#[inline(always)]
pub fn half(a: f32) -> f32 {
    let bits = a.abs().to_bits();
    // For floats in 0.5..1, a ULP is 2^-24, like that of a denormal half.
    let denormal = (a.abs() + 0.5) - 0.5;
    let normal = f32::from_bits(bits.wrapping_add(0xfff + (bits >> 13 & 1)) & !0x1fff);
    let finite = if a.abs() < 6.103_515_6e-5 { denormal } else { normal };
    let result = if finite >= 65536.0 { f32::INFINITY } else { finite };
    if a.is_nan() { a } else { result.copysign(a) }
}

/// The number of the arithmetic that is nearest to the result of a function of 32-bit floats.
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

/// The sum of the products, added in the order of the components.
#[inline(always)]
#[expect(clippy::indexing_slicing, reason = "`at` is below the arrays' length")]
pub fn dot<F: Float, const W: usize>(a: [F; W], b: [F; W]) -> F {
    let mut sum = a[0] * b[0];
    for at in 1..W {
        sum = sum + a[at] * b[at];
    }
    sum
}

/// The square root of the sum of the squares.
#[inline(always)]
pub fn len<F: Float, const W: usize>(a: [F; W]) -> F {
    dot(a, a).sqrt()
}

/// The length of the difference.
#[inline(always)]
#[expect(clippy::indexing_slicing, reason = "`at` is below the arrays' length")]
pub fn distance<F: Float, const W: usize>(a: [F; W], b: [F; W]) -> F {
    len(std::array::from_fn::<F, W, _>(|at| a[at] - b[at]))
}

/// Each component divided by the length.
#[inline(always)]
pub fn normalize<F: Float, const W: usize>(a: [F; W]) -> [F; W] {
    let len = len(a);
    a.map(|a| a / len)
}

/// The cross product.
#[inline(always)]
pub fn cross<F: Float>(a: [F; 3], b: [F; 3]) -> [F; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// `a` if `dot(b, c) < 0`, otherwise `-a`.
#[inline(always)]
pub fn face_forward<F: Float, const W: usize>(a: [F; W], b: [F; W], c: [F; W]) -> [F; W] {
    let keeps = dot(b, c) < exactly(0.0);
    a.map(|a| if keeps { a } else { -a })
}

/// `a` reflected at the plane with the normal `b`.
#[inline(always)]
#[expect(clippy::indexing_slicing, reason = "`at` is below the arrays' length")]
pub fn reflect<F: Float, const W: usize>(a: [F; W], b: [F; W]) -> [F; W] {
    let twice = exactly::<F>(2.0) * dot(b, a);
    std::array::from_fn(|at| a[at] - twice * b[at])
}

/// `a` refracted at the plane with the normal `b` and the ratio of indices `c`; zero for total reflection.
#[inline(always)]
#[expect(clippy::indexing_slicing, reason = "`at` is below the arrays' length")]
pub fn refract<F: Float, const W: usize>(a: [F; W], b: [F; W], c: F) -> [F; W] {
    let along = dot(b, a);
    let one = exactly::<F>(1.0);
    let k = one - c * c * (one - along * along);
    // The root of a negative number is NaN, but is not used.
    let by = c * along + k.sqrt();
    std::array::from_fn(|at| if k < exactly(0.0) { exactly(0.0) } else { c * a[at] - by * b[at] })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Floats of every magnitude, in no particular order.
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
            // 11 significant bits, or steps of 2^-24.
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
