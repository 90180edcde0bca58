//! The reference for the executor's 24-bit arithmetic, which computes with integers only.
//!
//! Each operation computes the sign, the significand and the exponent of its exact result, with a flag for a remainder smaller
//! than one unit of the significand. Only [`rounded`] rounds. As in the executor, a 24-bit float is represented by the bits of
//! the 32-bit float with the same value, and every NaN is [`NAN`].

use std::cmp::Ordering;

pub(super) const NAN: u32 = 0x7fc0_0000;
pub(super) const ONE: u32 = 0x3f80_0000;
const TWO: u32 = 0x4000_0000;
const THREE: u32 = 0x4040_0000;
const INFINITY: u32 = 0x7f80_0000;
const SIGN: u32 = 1 << 31;

/// The number of bits in a significand, including the implicit bit.
const PRECISION: i32 = 17;
/// The exponent of the smallest subnormal number.
const LOWEST: i32 = -78;
/// The exponent of the smallest normal number.
const LOWEST_NORMAL: i32 = -62;
/// The exponent of the lowest power of two that overflows.
const TOO_HIGH: i32 = 64;

#[derive(Clone, Copy)]
enum Number {
    Nan,
    Infinity {
        negative: bool,
    },
    /// `significand * 2^exponent`
    Finite {
        negative: bool,
        significand: u128,
        exponent: i32,
    },
}

fn number(word: u32) -> Number {
    let negative = word & SIGN != 0;
    let (exponent, mantissa) = ((word >> 23 & 255).cast_signed(), u128::from(word & 0x007f_ffff));
    match (exponent, mantissa) {
        (255, 0) => Number::Infinity { negative },
        (255, _) => Number::Nan,
        (0, significand) => Number::Finite { negative, significand, exponent: -149 },
        (_, mantissa) => Number::Finite { negative, significand: mantissa | 1 << 23, exponent: exponent - 150 },
    }
}

fn length(significand: u128) -> i32 {
    (128 - significand.leading_zeros()).cast_signed()
}

fn signed(negative: bool, word: u32) -> u32 {
    if negative { word | SIGN } else { word }
}

/// Rounds a value to the nearest 24-bit float, with ties to even. If `more` is false, the value is `significand * 2^exponent`. If
/// `more` is true, the value is between `significand * 2^exponent` and `(significand + 1) * 2^exponent`.
fn rounded(negative: bool, significand: u128, exponent: i32, more: bool) -> u32 {
    // `unit` is the exponent of one unit in the last place.
    let unit = (length(significand) + exponent - PRECISION).max(LOWEST);
    let (kept, unit) = if unit <= exponent {
        assert!(!more, "the significand has too few bits to say what is nearest");
        (significand, exponent)
    } else {
        let dropped = unit - exponent;
        let kept = if dropped < 128 { significand >> dropped } else { 0 };
        let above = match dropped {
            0..128 => {
                let (rest, half) = (significand & ((1 << dropped) - 1), 1 << (dropped - 1));
                match rest.cmp(&half) {
                    Ordering::Less => false,
                    Ordering::Equal => more || kept % 2 == 1,
                    Ordering::Greater => true,
                }
            }
            _ => false,
        };
        (kept + u128::from(above), unit)
    };
    if kept == 0 {
        return signed(negative, 0);
    }
    let top = length(kept) + unit - 1;
    if top >= TOO_HIGH {
        return signed(negative, INFINITY);
    }
    let shift = 24 - length(kept);
    let mantissa = if shift >= 0 { kept << shift } else { kept >> -shift };
    signed(negative, (top + 127).cast_unsigned() << 23 | u32::try_from(mantissa & 0x007f_ffff).expect("23 bits"))
}

fn rounded_number(number: Number) -> u32 {
    match number {
        Number::Nan => NAN,
        Number::Infinity { negative } => signed(negative, INFINITY),
        Number::Finite { negative, significand, exponent } => rounded(negative, significand, exponent, false),
    }
}

pub(super) fn round_single(word: u32) -> u32 {
    rounded_number(number(word))
}

pub(super) fn is_float24(word: u32) -> bool {
    round_single(word) == word
}

fn sum(a: Number, b: Number) -> u32 {
    use Number::{Finite, Infinity, Nan};
    match (a, b) {
        (Nan, _) | (_, Nan) => NAN,
        (Infinity { negative: a }, Infinity { negative: b }) => {
            if a == b {
                signed(a, INFINITY)
            } else {
                NAN
            }
        }
        (Infinity { negative }, _) | (_, Infinity { negative }) => signed(negative, INFINITY),
        (Finite { negative, significand: 0, .. }, Finite { negative: other, significand: 0, .. }) => {
            signed(negative && other, 0)
        }
        (Finite { significand: 0, .. }, number) | (number, Finite { significand: 0, .. }) => rounded_number(number),
        (Finite { exponent: a_exponent, .. }, Finite { exponent: b_exponent, .. }) if a_exponent < b_exponent => {
            sum(b, a)
        }
        (
            Finite { negative: high_negative, significand: high, exponent: high_exponent },
            Finite { negative: low_negative, significand: low, exponent: low_exponent },
        ) => {
            // Both significands are shifted to a common exponent, which is at most 76 below the higher exponent, so that each
            // significand fits into 48 + 76 bits.
            let by = high_exponent - low_exponent;
            let left = by.min(76);
            let right = (by - left).min(127);
            let (high, exponent) = (high << left, high_exponent - left);
            let (low, more) = (low >> right, low & ((1 << right) - 1) != 0);
            if high_negative == low_negative {
                return rounded(high_negative, high + low, exponent, more);
            }
            match high.cmp(&low) {
                Ordering::Equal => {
                    assert!(!more);
                    0
                }
                Ordering::Less => {
                    assert!(!more);
                    rounded(low_negative, low - high, exponent, false)
                }
                // The remainder of the lower operand is also subtracted, so the integer difference decreases by one unit.
                Ordering::Greater => rounded(high_negative, high - low - u128::from(more), exponent, more),
            }
        }
    }
}

fn product(a: Number, b: Number) -> Number {
    use Number::{Finite, Infinity, Nan};
    match (a, b) {
        (Nan, _) | (_, Nan) => Nan,
        (Infinity { .. }, Finite { significand: 0, .. }) | (Finite { significand: 0, .. }, Infinity { .. }) => Nan,
        (Infinity { negative: a }, Infinity { negative: b } | Finite { negative: b, .. })
        | (Finite { negative: a, .. }, Infinity { negative: b }) => Infinity { negative: a != b },
        (
            Finite { negative: a, significand, exponent },
            Finite { negative: b, significand: by, exponent: by_exponent },
        ) => Finite { negative: a != b, significand: significand * by, exponent: exponent + by_exponent },
    }
}

pub(super) fn negate(a: u32) -> u32 {
    if a == NAN { a } else { a ^ SIGN }
}

pub(super) fn abs(a: u32) -> u32 {
    a & !SIGN
}

pub(super) fn add(a: u32, b: u32) -> u32 {
    sum(number(a), number(b))
}

pub(super) fn subtract(a: u32, b: u32) -> u32 {
    add(a, negate(b))
}

pub(super) fn multiply(a: u32, b: u32) -> u32 {
    rounded_number(product(number(a), number(b)))
}

pub(super) fn mad(a: u32, b: u32, c: u32) -> u32 {
    sum(product(number(a), number(b)), number(c))
}

pub(super) fn divide(a: u32, b: u32) -> u32 {
    use Number::{Finite, Infinity, Nan};
    match (number(a), number(b)) {
        (Nan, _)
        | (_, Nan)
        | (Infinity { .. }, Infinity { .. })
        | (Finite { significand: 0, .. }, Finite { significand: 0, .. }) => NAN,
        (Infinity { negative }, Finite { negative: by, .. })
        | (Finite { negative, .. }, Finite { negative: by, significand: 0, .. }) => signed(negative != by, INFINITY),
        (Finite { negative, .. }, Infinity { negative: by }) => signed(negative != by, 0),
        (
            Finite { negative, significand, exponent },
            Finite { negative: by_negative, significand: by, exponent: by_exponent },
        ) => {
            let dividend = significand << 64;
            let exponent = exponent - 64 - by_exponent;
            rounded(negative != by_negative, dividend / by, exponent, dividend % by != 0)
        }
    }
}

pub(super) fn sqrt(a: u32) -> u32 {
    match number(a) {
        Number::Finite { significand: 0, .. } | Number::Infinity { negative: false } => a,
        Number::Finite { negative: false, significand, exponent } => {
            // The shift makes the exponent of the square even.
            let by = 64 + exponent.rem_euclid(2);
            let square = significand << by;
            let root = square.isqrt();
            rounded(false, root, (exponent - by) / 2, root * root != square)
        }
        _ => NAN,
    }
}

/// Rounds a number to an integer. `choose` receives the sign, the integer part of the absolute value, and the comparison of the
/// fraction with a half, or `None` if there is no fraction. `choose` returns whether to add one to the integer part.
fn whole(a: u32, choose: fn(bool, u128, Option<Ordering>) -> bool) -> u32 {
    let Number::Finite { negative, significand, exponent: exponent @ ..0 } = number(a) else { return a };
    // A 24-bit significand that is shifted by 60 bits or more has no integer part, and its fraction is below a half.
    let fraction = (-exponent).min(60);
    let (part, rest) = (significand >> fraction, significand & ((1 << fraction) - 1));
    let compared = (rest != 0).then(|| rest.cmp(&(1 << (fraction - 1))));
    rounded(negative, part + u128::from(choose(negative, part, compared)), 0, false)
}

pub(super) fn floor(a: u32) -> u32 {
    whole(a, |negative, _, fraction| negative && fraction.is_some())
}

pub(super) fn ceil(a: u32) -> u32 {
    whole(a, |negative, _, fraction| !negative && fraction.is_some())
}

pub(super) fn trunc(a: u32) -> u32 {
    whole(a, |_, _, _| false)
}

pub(super) fn round(a: u32) -> u32 {
    whole(a, |_, _, fraction| matches!(fraction, Some(Ordering::Equal | Ordering::Greater)))
}

pub(super) fn round_even(a: u32) -> u32 {
    whole(a, |_, part, fraction| match fraction {
        Some(Ordering::Equal) => part % 2 == 1,
        fraction => fraction == Some(Ordering::Greater),
    })
}

pub(super) fn fract(a: u32) -> u32 {
    subtract(a, floor(a))
}

/// Compares two numbers, and returns `None` if one of them is NaN.
pub(super) fn compare(a: u32, b: u32) -> Option<Ordering> {
    let is_nan = |word: u32| word & !SIGN > INFINITY;
    let place = |word: u32| {
        let size = i64::from(word & !SIGN);
        if word & SIGN == 0 { size } else { -size }
    };
    (!is_nan(a) && !is_nan(b)).then(|| place(a).cmp(&place(b)))
}

fn is_less(a: u32, b: u32) -> bool {
    compare(a, b) == Some(Ordering::Less)
}

pub(super) fn min(a: u32, b: u32) -> u32 {
    if is_less(a, b) || b == NAN { a } else { b }
}

pub(super) fn max(a: u32, b: u32) -> u32 {
    if is_less(b, a) || b == NAN { a } else { b }
}

pub(super) fn clamp(a: u32, least: u32, most: u32) -> u32 {
    min(max(a, least), most)
}

pub(super) fn sign(a: u32) -> u32 {
    match compare(a, 0) {
        Some(Ordering::Less) => ONE | SIGN,
        Some(Ordering::Greater) => ONE,
        _ => 0,
    }
}

pub(super) fn step(a: u32, b: u32) -> u32 {
    if is_less(b, a) { 0 } else { ONE }
}

pub(super) fn mix(a: u32, b: u32, c: u32) -> u32 {
    add(multiply(a, subtract(ONE, c)), multiply(b, c))
}

pub(super) fn smoothstep(a: u32, b: u32, c: u32) -> u32 {
    let t = divide(subtract(c, a), subtract(b, a));
    let t = if t == NAN { t } else { clamp(t, 0, ONE) };
    multiply(multiply(t, t), subtract(THREE, multiply(TWO, t)))
}

pub(super) fn modulo(a: u32, b: u32) -> u32 {
    subtract(a, multiply(b, trunc(divide(a, b))))
}

pub(super) fn floor_mod(a: u32, b: u32) -> u32 {
    subtract(a, multiply(b, floor(divide(a, b))))
}

pub(super) fn rsqrt(a: u32) -> u32 {
    divide(ONE, sqrt(a))
}

/// Pi as a fraction: the numerator is pi * 10^20, and the denominator is 10^20.
const PI: (u128, u128) = (314_159_265_358_979_323_846, 100_000_000_000_000_000_000);

pub(super) fn radians(a: u32) -> u32 {
    multiply(a, rounded(false, (PI.0 << 56) / (180 * PI.1), -56, true))
}

pub(super) fn degrees(a: u32) -> u32 {
    multiply(a, rounded(false, ((180 * PI.1) << 50) / PI.0, -50, true))
}

/// Returns the exponent `e` for which the absolute value of a normal number is between 2^(e-1) and 2^e. Returns 0 for other
/// numbers.
pub(super) fn exponent(a: u32) -> i32 {
    match number(a) {
        Number::Finite { significand, exponent, .. } if length(significand) + exponent > LOWEST_NORMAL => {
            length(significand) + exponent
        }
        _ => 0,
    }
}

pub(super) fn frexp(a: u32) -> u32 {
    ldexp(a, -exponent(a))
}

pub(super) fn ldexp(a: u32, by: i32) -> u32 {
    match number(a) {
        Number::Finite { negative, significand, exponent } => {
            rounded(negative, significand, exponent + by.clamp(-1000, 1000), false)
        }
        _ => a,
    }
}

pub(super) fn of_int(a: i64) -> u32 {
    rounded(a < 0, a.unsigned_abs().into(), 0, false)
}

/// Truncates a number to an integer and clamps it to the range from `least` to `most`. NaN becomes 0.
pub(super) fn int(a: u32, least: i64, most: i64) -> i64 {
    match number(trunc(a)) {
        Number::Nan => 0,
        Number::Infinity { negative } => {
            if negative {
                least
            } else {
                most
            }
        }
        Number::Finite { negative, significand, exponent } => {
            let size = if exponent < 0 { significand >> (-exponent).min(127) } else { significand << exponent };
            let size = i64::try_from(size).unwrap_or(i64::MAX);
            (if negative { -size } else { size }).clamp(least, most)
        }
    }
}

pub(super) fn dot(a: &[u32], b: &[u32]) -> u32 {
    let products = a.iter().zip(b).map(|(&a, &b)| multiply(a, b));
    products.reduce(add).expect("a component")
}

pub(super) fn len(a: &[u32]) -> u32 {
    sqrt(dot(a, a))
}

fn each(a: &[u32], b: &[u32], f: impl Fn(u32, u32) -> u32) -> Vec<u32> {
    a.iter().zip(b).map(|(&a, &b)| f(a, b)).collect()
}

pub(super) fn distance(a: &[u32], b: &[u32]) -> u32 {
    len(&each(a, b, subtract))
}

pub(super) fn normalize(a: &[u32]) -> Vec<u32> {
    let len = len(a);
    a.iter().map(|&a| divide(a, len)).collect()
}

pub(super) fn cross(a: &[u32], b: &[u32]) -> Vec<u32> {
    let of = |x: usize, y: usize| subtract(multiply(a[x], b[y]), multiply(a[y], b[x]));
    vec![of(1, 2), of(2, 0), of(0, 1)]
}

pub(super) fn face_forward(a: &[u32], b: &[u32], c: &[u32]) -> Vec<u32> {
    let keeps = is_less(dot(b, c), 0);
    a.iter().map(|&a| if keeps { a } else { negate(a) }).collect()
}

pub(super) fn reflect(a: &[u32], b: &[u32]) -> Vec<u32> {
    let twice = multiply(TWO, dot(b, a));
    each(a, b, |a, b| subtract(a, multiply(twice, b)))
}

pub(super) fn refract(a: &[u32], b: &[u32], c: u32) -> Vec<u32> {
    let along = dot(b, a);
    let k = subtract(ONE, multiply(multiply(c, c), subtract(ONE, multiply(along, along))));
    let by = add(multiply(c, along), sqrt(k));
    each(a, b, |a, b| if is_less(k, 0) { 0 } else { subtract(multiply(c, a), multiply(by, b)) })
}

#[test]
fn the_reference_rounds_and_computes_these_by_hand() {
    let of = |exponent: i32, significand: u128| rounded(false, significand, exponent, false);
    // 1 + 2^-17 is a tie and is rounded to the even value 1, but a slightly larger value is rounded to 1 + 2^-16.
    assert_eq!(of(-17, 1 << 17 | 1), ONE);
    assert_eq!(rounded(false, 1 << 17 | 1, -17, true), ONE + (1 << 7));
    assert_eq!(of(-17, 1 << 17 | 3), ONE + (2 << 7));
    // The test rounds the largest number, and then the tie above the largest number.
    assert_eq!(of(47, 0x1_ffff), (63 + 127) << 23 | 0x007f_ff80);
    assert_eq!(of(46, 0x3_ffff), INFINITY);
    // The test rounds the smallest number, and then half of the smallest number.
    assert_eq!(of(-78, 1), (127 - 78) << 23);
    assert_eq!(of(-79, 1), 0);
    assert_eq!(of(-79, 3), (127 - 77) << 23);
    assert_eq!(add(ONE, of(-78, 1)), ONE);
    assert_eq!(subtract(of(-17, 1 << 17 | 2), ONE), of(-16, 1));
    assert_eq!(divide(ONE, THREE), of(-18, 0x1_5555));
    assert_eq!(sqrt(of(0, 16)), of(2, 1));
    assert_eq!(sqrt(TWO), of(-16, 0x1_6a0a));
    assert_eq!((floor(of(-1, 5) | SIGN), round(of(-1, 5)), round_even(of(-1, 5))), (THREE | SIGN, THREE, TWO));
    assert_eq!((int(of(-1, 5) | SIGN, -9, 9), of_int(-3), of_int(0x2_0001)), (-2, THREE | SIGN, of(17, 1)));
    assert_eq!((exponent(ONE), frexp(THREE), exponent(of(-78, 1))), (1, of(-2, 3), 0));
    assert_eq!(mad(THREE, THREE, of(-70, 1)), of(0, 9));
}
