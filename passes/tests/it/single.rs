//! The reference arithmetic of binary32, for the rows that the solver has no answer to.
//!
//! Rule: POW, LOG2 and COS are those of `sdlbc::number`, which the constant folder and the interpreter compute; IEEE 754 does not
//! define them. Everything else is the processor's.

use sdlbc::{Op, Scalar, number};

use crate::machine::{Choice, Code, Machine, of_floats};

/// The arithmetic of 32 bits.
pub(crate) struct Single;

impl Machine for Single {
    fn code(&self, op: Op, scalar: Scalar, _: Scalar, choice: Choice) -> Code {
        assert_eq!(scalar, Scalar::Float, "only rows of floats are tried with random numbers");
        let unary = |f: fn(f32) -> f32| Code::Call(Box::new(move |[a, ..]| f(f32::from_bits(a)).to_bits()));
        match op {
            Op::Log2 => unary(number::log2),
            Op::Cos => unary(number::cos),
            Op::Negate => unary(|a| -a),
            Op::Abs => unary(f32::abs),
            Op::Sqrt => unary(f32::sqrt),
            Op::Mad => Code::Call(Box::new(move |of| {
                let [a, b, c] = of.map(f32::from_bits);
                (if choice.fused { a.mul_add(b, c) } else { a * b + c }).to_bits()
            })),
            Op::Pow => Code::Call(Box::new(|[a, b, _]| number::pow(f32::from_bits(a), f32::from_bits(b)).to_bits())),
            _ => Code::Call(Box::new(move |[a, b, _]| {
                let of = [a, b].map(|bits| f64::from(f32::from_bits(bits)));
                (of_floats(op, choice, of).unwrap_or_else(|| panic!("{op} is not defined here")) as f32).to_bits()
            })),
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
