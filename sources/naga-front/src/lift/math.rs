//! The functions of naga's `Math` expressions, except bit operations.

use naga::{Expression, Handle, MathFunction as Fun};
use sdlbc::lifting::Value;
use sdlbc::{Few, Id, Op, Scalar};

use super::Lifter;
use super::types::match_by_name;

impl Lifter<'_, '_> {
    pub(super) fn math(
        &mut self,
        handle: Handle<Expression>,
        function: Fun,
        arguments: [Option<Handle<Expression>>; 4],
    ) -> Value {
        let operands: Few<Id> = arguments.iter().flatten().map(|&argument| self.one(argument)).collect();
        if let Some(op) = operation(function) {
            return Value::One(self.lifting.emit(op, &operands));
        }
        let &[a, ref others @ ..] = operands.as_slice() else { return Value::Many(Vec::new()) };
        let [b, last] = [others.first(), others.last()].map(|operand| operand.copied().unwrap_or_default());
        let scalar = self.lifting.scalar_of(a);
        Value::One(match function {
            Fun::Saturate => {
                let (zero, one) = (self.lifting.number(scalar, 0), self.lifting.number(scalar, 1));
                self.lifting.builder.clamp(a, zero, one)
            }
            Fun::Modf => {
                let whole = self.lifting.builder.trunc(a);
                let fraction = self.lifting.builder.subtract(a, whole);
                return Value::Many(vec![Value::One(fraction), Value::One(whole)]);
            }
            Fun::Frexp => {
                let parts = [Op::Frexp, Op::Exponent].map(|op| Value::One(self.lifting.emit(op, &[a])));
                return Value::Many(parts.to_vec());
            }
            Fun::Dot if self.lifting.width(a) == 1 => self.lifting.builder.multiply(a, b),
            Fun::Dot if matches!(scalar, Scalar::Int | Scalar::Uint) => self.lifting.int_dot(a, b),
            Fun::Dot => self.lifting.builder.dot(a, b),
            Fun::Outer => self.lifting.outer_product(a, b),
            Fun::Normalize if self.lifting.width(a) == 1 => self.lifting.builder.sign(a),
            Fun::Determinant => self.lifting.determinant(a),
            Fun::Inverse => self.lifting.inverse(a),
            Fun::Mix if self.lifting.scalar_of(last) == Scalar::Bool => self.lifting.builder.select(last, b, a),
            Fun::Normalize => self.lifting.builder.normalize(a),
            Fun::FaceForward | Fun::Reflect | Fun::Refract if self.lifting.width(a) == 1 => {
                return self.refuse_operation("this function of scalars", handle);
            }
            Fun::FaceForward => self.lifting.emit(Op::FaceForward, &operands),
            Fun::Reflect => self.lifting.emit(Op::Reflect, &operands),
            Fun::Refract => self.lifting.emit(Op::Refract, &operands),
            Fun::Sign if scalar == Scalar::Uint => {
                let one = self.lifting.number(scalar, 1);
                self.lifting.builder.min(a, one)
            }
            Fun::Sign => self.lifting.builder.sign(a),
            Fun::Mix => self.lifting.emit(Op::Mix, &operands),
            Fun::QuantizeToF16 => {
                let half = self.lifting.convert(a, Scalar::Half);
                self.lifting.convert(half, Scalar::Float)
            }
            _ => return self.bits(handle, function, &operands),
        })
    }
}

/// Returns the SDLSHADERBC operation that takes the same operands as a naga function and computes the same result, or `None` if
/// no operation does.
fn operation(function: Fun) -> Option<Op> {
    Some(match_by_name! {
        function, Fun => Op:
        Abs Min Max Clamp Cos Cosh Sin Sinh Tan Tanh Acos Asin Atan Atan2 Asinh Acosh Atanh Radians Degrees Ceil
        Floor Fract Trunc Ldexp Exp Exp2 Log Log2 Pow Cross Distance Step SmoothStep Sqrt Transpose;
        Fun::Round => Op::RoundEven,
        Fun::Length => Op::Len,
        Fun::Fma => Op::Mad,
        Fun::InverseSqrt => Op::Rsqrt,
        _ => return None,
    })
}
