//! Powers, computed without branches so that a loop over lanes vectorises.
//!
//! A power is computed in doubles with a relative error below 2^-44, and rounded once to 32 bits. The result is therefore the
//! nearest float, except in about one case in a million, where the exact result is almost halfway between two floats.

use super::{Float, floor, nearest};

/// Returns `a` to the power `b`, as IEEE 754 defines it for all floats. For a negative `a`, the result is a number if `b` is a
/// whole number. The result is 1 if `b` is 0 or `a` is 1, even if the other operand is NaN.
#[inline(always)]
pub fn pow<F: Float>(a: F, b: F) -> F {
    let (x, y) = (f64::from(a.single()).abs(), f64::from(b.single()));
    // Powers with the exponents 2, -1 and 0.5 must always be the nearest floats, because the passes replace them with cheaper
    // operations.
    let power = exp2(y * log2(x));
    let power = if y == 2.0 { x * x } else { power };
    let power = if y == -1.0 { 1.0 / x } else { power };
    let power = if y == 0.5 { x.sqrt() } else { power };
    let power = if (x == 1.0) | (y == 0.0) { 1.0 } else { power };
    let half = 0.5 * b.single();
    let whole = floor(b.single()) == b.single();
    let odd = whole & (floor(half) != half);
    let power = if odd { power.copysign(f64::from(a.single())) } else { power };
    let missing = (a.single() < 0.0) & !whole & (x < f64::INFINITY);
    nearest(if missing { f32::NAN } else { f32::nearest(power) })
}

/// The coefficients of the series for 2^f, ln(2)^k / k!, from k = 13 down to 0. For f up to 1/2, the remaining terms add up to
/// less than 2^-54.
const EXP2: [f64; 14] = [
    1.369_148_885_390_412_8e-12,
    2.567_843_599_348_820_6e-11,
    4.445_538_271_870_811_6e-10,
    7.054_911_620_801_123e-09,
    1.017_808_600_923_97e-07,
    1.321_548_679_014_431e-06,
    1.525_273_380_405_984_1e-05,
    0.000_154_035_303_933_816_1,
    0.001_333_355_814_642_844_3,
    0.009_618_129_107_628_477,
    0.055_504_108_664_821_58,
    0.240_226_506_959_100_72,
    std::f64::consts::LN_2,
    1.0,
];

/// Returns 2 to the power `z`, with `z` clamped to -200..200. For `z` outside this range, 2 to the power `z` is outside the range
/// of floats.
#[inline(always)]
fn exp2(z: f64) -> f64 {
    // A double of at least 2^52 has no fraction. Adding `BIG` therefore rounds to the nearest integer and leaves this integer in
    // the lowest bits.
    const BIG: f64 = 6_755_399_441_055_744.0;
    let z = if z > 200.0 { 200.0 } else { z };
    let z = if z < -200.0 { -200.0 } else { z };
    let sum = z + BIG;
    let whole = (sum.to_bits() & 0xffff_ffff) as u32;
    let part = z - (sum - BIG);
    let mut power = 0.0;
    for coefficient in EXP2 {
        power = power * part + coefficient;
    }
    power * f64::from_bits(u64::from(whole.wrapping_add(1023)) << 52)
}

/// Returns the base-2 logarithm of a non-negative float, or negative infinity for 0.
#[inline(always)]
fn log2(x: f64) -> f64 {
    // The float is x = m * 2^e, with m from sqrt(1/2) to sqrt(2). The logarithm of m is a series in t = (m - 1) / (m + 1): the
    // sum of 2 / (2k + 1) * t^(2k + 1). Because |t| is at most 0.172, the terms after k = 9 add up to less than 2^-54.
    let high = (x.to_bits() >> 32) as u32;
    let exponent = high.wrapping_sub((std::f64::consts::FRAC_1_SQRT_2.to_bits() >> 32) as u32).cast_signed() >> 20;
    let scaled = high.wrapping_sub((exponent << 20).cast_unsigned());
    let m = f64::from_bits(u64::from(scaled) << 32 | x.to_bits() & 0xffff_ffff);
    let t = (m - 1.0) / (m + 1.0);
    let square = t * t;
    let mut series = 0.0;
    for k in (0..10u8).rev() {
        series = series * square + 1.0 / f64::from(2 * k + 1);
    }
    let log = f64::from(exponent) + 2.0 * std::f64::consts::LOG2_E * t * series;
    let log = if x == 0.0 { f64::NEG_INFINITY } else { log };
    if x < f64::INFINITY { log } else { x }
}

#[cfg(test)]
mod tests {
    use testing::Random;

    use super::pow;

    fn same(a: f32, b: f32) -> bool {
        a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan()
    }

    /// Returns the float nearest to the power, rounded from a much more accurate double.
    fn nearest(a: f32, b: f32) -> f32 {
        libm::pow(a.into(), b.into()) as f32
    }

    #[test]
    fn special_operands_result_in_what_ieee_754_says() {
        let special = [
            0.0,
            1.0,
            2.0,
            3.0,
            0.5,
            1.5,
            1e-45,
            f32::MIN_POSITIVE,
            f32::MAX,
            f32::INFINITY,
            f32::NAN,
            16_777_217.0,
            1e10,
            0.3,
            1.000_000_1,
            0.999_999_94,
        ];
        for a in special.into_iter().flat_map(|a| [a, -a]) {
            for b in special.into_iter().flat_map(|b| [b, -b]) {
                assert!(same(pow(a, b), nearest(a, b)), "{a} to the power {b}: {}, not {}", pow(a, b), nearest(a, b));
            }
        }
    }

    #[test]
    fn squares_inverses_and_roots_are_those_of_the_other_operations() {
        let mut random = Random::of(2, &[]);
        // One of the tested powers of 2.603503e27 is almost halfway between two floats.
        let given = [2.0, 2.603_503e27];
        let drawn: Vec<f32> = (0..100_000).map(|_| f32::from_bits(random.next() as u32)).collect();
        for &a in given.iter().chain(&drawn) {
            assert!(same(pow(a, 2.0), a * a), "{a}");
            assert!(same(pow(a, -1.0), 1.0 / a), "{a}");
            assert!(same(pow(a.abs(), 0.5), a.abs().sqrt()), "{a}");
        }
    }

    #[test]
    fn powers_are_the_nearest_floats() {
        let mut random = Random::of(1, &[]);
        let mut differ = 0;
        for _ in 0..200_000 {
            let a = f32::from_bits(random.next() as u32 & 0x7fff_ffff);
            // Powers with these exponents are often within the range of floats.
            let b = random.between(-1.0, 1.0) * random.pick(&[0.5, 2.0, 30.0, 200.0]);
            differ += usize::from(!same(pow(a, b), nearest(a, b)));
        }
        assert!(differ <= 2, "{differ} of 200,000 powers are not the nearest float");
    }
}
