//! An 8-bit implementation of arithmetic, for which every pair and triple of values can be tried. Floats have 1 sign bit, 4
//! exponent bits and 3 significand bits, with denormals, infinities and NaN, and are rounded to nearest, ties to even. Ints and
//! uints wrap modulo 2^8, and shifts use the low three bits of the shift amount.
//!
//! Rule: each unary or binary operation is a table over all operands. The floats follow IEEE 754's rules for any format, so a
//! rewrite that is valid in all formats is valid for 8 bits. Few rewrites are valid only for some formats, and the solver checks
//! rows for binary32 or binary16.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use sdlbc::{Arity, Op, Scalar};

use crate::machine::{Choice, Code, Machine, comparison, extreme, of_bools, of_floats};

pub(crate) struct Tiny;

const BIAS: i32 = 7;
/// The number of stored significand bits.
const BITS: i32 = 3;
/// The only NaN that operations return.
const NAN: u8 = 0x7f;
const INFINITY: u8 = 0x78;

/// Returns the power of two with this exponent, which must be a normal double.
fn power(exponent: i32) -> f64 {
    f64::from_bits(((exponent + 1023) as u64) << 52)
}

pub(crate) fn decode(bits: u8) -> f64 {
    let (exponent, significand) = (i32::from(bits >> BITS & 15), f64::from(bits & 7));
    let size = match exponent {
        15 if significand == 0.0 => f64::INFINITY,
        15 => f64::NAN,
        // The smallest normal number is 2^-6.
        0 => significand / 8.0 * power(1 - BIAS),
        _ => (1.0 + significand / 8.0) * power(exponent - BIAS),
    };
    if bits & 0x80 != 0 { -size } else { size }
}

/// Rounds a number to the nearest 8-bit float, ties to even.
pub(crate) fn encode(number: f64) -> u8 {
    if number.is_nan() {
        return NAN;
    }
    let size = number.abs();
    // The exponent of the last significand bit depends on the number's binade. All denormals have the same exponent.
    let binade = ((size.to_bits() >> 52) as i32 - 1023).clamp(1 - BIAS, 8);
    let steps = (size * power(BITS - binade)).round_ties_even();
    // Rounding up to the next binade carries into the exponent.
    let bits =
        if size >= 256.0 { INFINITY } else { ((binade + BIAS - 1) * 8 + steps as i32).min(INFINITY.into()) as u8 };
    if number.is_sign_negative() { bits | 0x80 } else { bits }
}

/// Returns every value of a component type, with a single NaN.
pub(crate) fn values(scalar: Scalar) -> Vec<u32> {
    match scalar {
        Scalar::Bool => vec![0, 1],
        Scalar::Float => (0..=255u8).filter(|&bits| bits == NAN || !decode(bits).is_nan()).map(u32::from).collect(),
        _ => (0..256).collect(),
    }
}

fn of_ints(op: Op, is_signed: bool, a: u8, b: u8) -> u8 {
    let (x, y) = (a.cast_signed(), b.cast_signed());
    let less = if is_signed { x < y } else { a < b };
    match op {
        Op::Negate => 0u8.wrapping_sub(a),
        Op::Complement => !a,
        Op::Abs => {
            if is_signed && x < 0 {
                0u8.wrapping_sub(a)
            } else {
                a
            }
        }
        Op::Sign => x.signum().cast_unsigned(),
        Op::Add => a.wrapping_add(b),
        Op::Subtract => a.wrapping_sub(b),
        Op::Multiply => a.wrapping_mul(b),
        Op::Divide if b == 0 => a,
        Op::Divide => {
            if is_signed {
                x.wrapping_div(y).cast_unsigned()
            } else {
                a / b
            }
        }
        Op::Modulo if b == 0 => 0,
        Op::Modulo => {
            if is_signed {
                x.wrapping_rem(y).cast_unsigned()
            } else {
                a % b
            }
        }
        Op::BinaryAnd => a & b,
        Op::BinaryOr => a | b,
        Op::BinaryXor => a ^ b,
        Op::ShiftLeft => a << (b & 7),
        Op::ShiftRight => {
            if is_signed {
                (x >> (b & 7)).cast_unsigned()
            } else {
                a >> (b & 7)
            }
        }
        Op::Min => {
            if less {
                a
            } else {
                b
            }
        }
        Op::Max => {
            if less {
                b
            } else {
                a
            }
        }
        Op::Equal => (a == b).into(),
        Op::NotEqual => (a != b).into(),
        Op::LessThan => less.into(),
        Op::GreaterThanOrEqual => (!less).into(),
        Op::LessThanOrEqual => (less || a == b).into(),
        Op::GreaterThan => (!less && a != b).into(),
        _ => panic!("{op} of ints is not defined here"),
    }
}

/// Returns the result of a function that IEEE 754 does not define; only the result of RSQRT is already rounded.
fn function(op: Op, a: f64, b: f64) -> f64 {
    match op {
        Op::Rsqrt => decode(encode(1.0 / decode(encode(a.sqrt())))),
        Op::Fract => a - a.floor(),
        Op::Log2 => a.log2(),
        Op::Cos => a.cos(),
        Op::Pow => a.powf(b),
        _ => panic!("{op} of floats is not defined here"),
    }
}

fn one(op: Op, scalar: Scalar, to: Scalar, choice: Choice, a: u8, b: u8) -> u8 {
    let (x, y) = (decode(a), decode(b));
    match scalar {
        _ if op == Op::Convert => convert(scalar, to, a),
        Scalar::Bool => of_bools(op, a != 0, b != 0).into(),
        Scalar::Int | Scalar::Uint => of_ints(op, scalar == Scalar::Int, a, b),
        _ => match comparison(op, x, y) {
            Some(truth) => truth.into(),
            None => encode(of_floats(op, choice, [x, y]).unwrap_or_else(|| function(op, x, y))),
        },
    }
}

fn convert(from: Scalar, to: Scalar, a: u8) -> u8 {
    match (from, to) {
        _ if from == to => a,
        (Scalar::Bool | Scalar::Uint, Scalar::Float) => encode(a.into()),
        (Scalar::Int, Scalar::Float) => encode(a.cast_signed().into()),
        (Scalar::Float, Scalar::Bool) => (decode(a) != 0.0).into(),
        (Scalar::Int | Scalar::Uint, Scalar::Bool) => (a != 0).into(),
        (Scalar::Float, Scalar::Int) => (decode(a) as i8).cast_unsigned(),
        (Scalar::Float, Scalar::Uint) => decode(a) as u8,
        _ => a,
    }
}

type Key = (Op, Scalar, Scalar, Choice);

/// Returns the table of an operation, which is computed only once.
fn table(key: Key, make: impl FnOnce() -> Arc<[u8]>) -> Arc<[u8]> {
    static TABLES: Mutex<BTreeMap<String, Arc<[u8]>>> = Mutex::new(BTreeMap::new());
    let mut tables = TABLES.lock().expect("no thread failed in here");
    tables.entry(format!("{key:?}")).or_insert_with(make).clone()
}

impl Machine for Tiny {
    fn code(&self, op: Op, scalar: Scalar, to: Scalar, choice: Choice) -> Code {
        let pairs = || (0..=255u8).flat_map(|a| (0..=255u8).map(move |b| (a, b)));
        let call = move |op: Op, a: u8, b: u8| one(op, scalar, to, choice, a, b);
        let of_pairs = |op: Op| table((op, scalar, to, choice), || pairs().map(|(a, b)| call(op, a, b)).collect());
        let at = |table: &[u8], a: u8, b: u8| table[usize::from(a) << 8 | usize::from(b)];
        match op {
            Op::Select => Code::of(|[a, b, c]| if a != 0 { b } else { c }),
            Op::Mad if scalar == Scalar::Float && choice.fused => {
                let exact = |[a, b, c]: [u32; 3]| [a, b, c].map(|bits| decode(bits as u8));
                Code::of(move |of| {
                    let [a, b, c] = exact(of);
                    // The sum is exact in a double, because the product has 8 bits and is between 2^-18 and 2^16.
                    encode(a * b + c).into()
                })
            }
            Op::Mad => {
                let [products, sums] = [Op::Multiply, Op::Add].map(of_pairs);
                Code::of(move |of| {
                    let [a, b, c] = of.map(|bits| bits as u8);
                    at(&sums, at(&products, a, b), c).into()
                })
            }
            Op::Mix => {
                let [products, sums, differences] = [Op::Multiply, Op::Add, Op::Subtract].map(of_pairs);
                let one = encode(1.0);
                Code::of(move |of| {
                    let [a, b, c] = of.map(|bits| bits as u8);
                    let first = at(&products, a, at(&differences, one, c));
                    at(&sums, first, at(&products, b, c)).into()
                })
            }
            _ if op.shape().inputs == Arity::Fixed(1) => {
                Code::Unary(table((op, scalar, to, choice), || (0..=255).map(|a| call(op, a, a)).collect()))
            }
            _ => Code::Binary(of_pairs(op)),
        }
    }

    fn number(&self, number: f64, scalar: Scalar) -> u32 {
        match scalar {
            Scalar::Float => {
                assert!(decode(encode(number)) == number, "{number} is not a float of 8 bits");
                encode(number).into()
            }
            _ => (number as i32 as u8).into(),
        }
    }

    fn float(&self, bits: u32) -> f64 {
        decode(bits as u8)
    }

    fn most_exponent(&self) -> i32 {
        BIAS - 1
    }

    fn int(&self, bits: u32, scalar: Scalar) -> i64 {
        if scalar == Scalar::Int { (bits as u8).cast_signed().into() } else { bits.into() }
    }
}

#[test]
fn every_float_of_8_bits_is_its_own_rounding_and_between_two_the_nearest_is_taken() {
    let finite: Vec<u8> = (0..INFINITY).collect();
    for &bits in &finite {
        assert_eq!(encode(decode(bits)), bits);
        assert_eq!(encode(-decode(bits)), bits | 0x80);
    }
    for pair in finite.windows(2) {
        let (low, high) = (decode(pair[0]), decode(pair[1]));
        let middle = (low + high) / 2.0;
        let even = if pair[0] % 2 == 0 { pair[0] } else { pair[1] };
        assert_eq!(encode(middle), even, "{low} and {high}");
        assert_eq!((encode(low + (high - low) * 0.49), encode(low + (high - low) * 0.51)), (pair[0], pair[1]));
    }
    // A number half a step above the largest 8-bit float is rounded to infinity.
    assert_eq!((decode(0x77), encode(247.9), encode(248.0), encode(1e300)), (240.0, 0x77, INFINITY, INFINITY));
    assert_eq!(encode(-f64::INFINITY), INFINITY | 0x80);
    assert_eq!(values(Scalar::Float).len(), 243);
}

#[test]
fn arithmetic_of_8_bits_rounds_once() {
    let choice = Choice::either(false);
    let of = |op, a: f64, b: f64| decode(one(op, Scalar::Float, Scalar::Float, choice, encode(a), encode(b)));
    assert_eq!(of(Op::Add, 16.0, 1.0), 16.0);
    assert_eq!(of(Op::Add, 18.0, 1.0), 20.0);
    assert_eq!(of(Op::Multiply, 1.125, 1.125), 1.25);
    assert_eq!(of(Op::Divide, 1.0, 3.0), 0.34375);
    assert_eq!(of(Op::Multiply, 0.015625, 0.0625), 0.0);
    assert!(of(Op::Subtract, f64::INFINITY, f64::INFINITY).is_nan());
    assert!(extreme(true, choice, -0.0, 0.0).is_sign_negative());
    assert_eq!(of_ints(Op::Divide, true, 0x80, 0xff), 0x80);
}
