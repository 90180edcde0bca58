//! The reference arithmetic of binary32, for the rows that the solver cannot decide.
//!
//! Rule: POW, LOG2 and COS are the functions of `sdlbc::number`, because IEEE 754 does not define these operations. The constant
//! folder and the interpreter use the same functions. The processor computes all other operations.

use sdlbc::{Op, Scalar, number};

use crate::machine::{Choice, Code, Machine, of_floats};

pub(crate) struct Single;

fn unary(f: impl Fn(f32) -> f32 + Send + Sync + 'static) -> Code {
    Code::of(move |[a, ..]| f(f32::from_bits(a)).to_bits())
}

fn ternary(f: impl Fn(f32, f32, f32) -> f32 + Send + Sync + 'static) -> Code {
    Code::of(move |of| {
        let [a, b, c] = of.map(f32::from_bits);
        f(a, b, c).to_bits()
    })
}

impl Machine for Single {
    fn code(&self, op: Op, scalar: Scalar, _: Scalar, choice: Choice) -> Code {
        assert_eq!(scalar, Scalar::Float, "only rows of floats are tried with random numbers");
        match op {
            Op::Log2 => unary(number::log2),
            Op::Cos => unary(number::cos),
            Op::Negate => unary(|a| -a),
            Op::Abs => unary(f32::abs),
            Op::Sqrt => unary(f32::sqrt),
            Op::Mad if choice.fused => ternary(f32::mul_add),
            Op::Mad => ternary(|a, b, c| a * b + c),
            Op::Pow => ternary(|a, b, _| number::pow(a, b)),
            // The processor rounds a single-precision result once, which has the same effect as rounding the double that
            // `of_floats` returns.
            Op::Add => ternary(|a, b, _| a + b),
            Op::Subtract => ternary(|a, b, _| a - b),
            Op::Multiply => ternary(|a, b, _| a * b),
            Op::Divide => ternary(|a, b, _| a / b),
            _ => Code::of(move |[a, b, _]| {
                let of = [a, b].map(|bits| f64::from(f32::from_bits(bits)));
                (of_floats(op, choice, of).unwrap_or_else(|| panic!("{op} is not defined here")) as f32).to_bits()
            }),
        }
    }

    fn number(&self, number: f64, _: Scalar) -> u32 {
        (number as f32).to_bits()
    }

    fn float(&self, bits: u32) -> f64 {
        f32::from_bits(bits).into()
    }

    fn most_exponent(&self) -> i32 {
        126
    }

    fn int(&self, bits: u32, scalar: Scalar) -> i64 {
        if scalar == Scalar::Int { bits.cast_signed().into() } else { bits.into() }
    }
}
