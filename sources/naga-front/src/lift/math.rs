//! The functions of naga's `Math` expressions, except bit operations.

use naga::{Expression, Handle, MathFunction as Fun};
use sdlbc::{Few, Id, Op, Scalar};

use super::Lifter;
use super::types::match_by_name;
use super::value::Value;

impl Lifter<'_, '_> {
    pub(super) fn math(
        &mut self,
        handle: Handle<Expression>,
        function: Fun,
        arguments: [Option<Handle<Expression>>; 4],
    ) -> Value {
        let operands: Few<Id> = arguments.iter().flatten().map(|&argument| self.one(argument)).collect();
        if let Some(op) = operation(function) {
            return Value::One(self.emit(op, &operands));
        }
        let &[a, ref others @ ..] = operands.as_slice() else { return Value::Many(Vec::new()) };
        let [b, last] = [others.first(), others.last()].map(|operand| operand.copied().unwrap_or_default());
        let scalar = self.scalar_of(a);
        Value::One(match function {
            Fun::Saturate => {
                let (zero, one) = (self.number(scalar, 0), self.number(scalar, 1));
                self.builder.clamp(a, zero, one)
            }
            Fun::Modf => {
                let whole = self.builder.trunc(a);
                let fraction = self.builder.subtract(a, whole);
                return Value::Many(vec![Value::One(fraction), Value::One(whole)]);
            }
            Fun::Frexp => {
                let parts = [Op::Frexp, Op::Exponent].map(|op| Value::One(self.emit(op, &[a])));
                return Value::Many(parts.to_vec());
            }
            Fun::Dot if self.width(a) == 1 => self.builder.multiply(a, b),
            Fun::Dot if matches!(scalar, Scalar::Int | Scalar::Uint) => self.int_dot(a, b),
            Fun::Dot => self.builder.dot(a, b),
            Fun::Outer => {
                let columns: Few<Id> = (0..self.width(b))
                    .map(|column| {
                        let factor = self.component(b, column);
                        self.builder.multiply(a, factor)
                    })
                    .collect();
                self.matrix(&columns)
            }
            Fun::Normalize if self.width(a) == 1 => self.builder.sign(a),
            Fun::Determinant => self.determinant(a),
            Fun::Inverse => self.inverse(a),
            Fun::Mix if self.scalar_of(last) == Scalar::Bool => self.builder.select(last, b, a),
            Fun::Normalize => self.builder.normalize(a),
            Fun::FaceForward | Fun::Reflect | Fun::Refract if self.width(a) == 1 => {
                return self.refuse_operation("this function of scalars", handle);
            }
            Fun::FaceForward => self.emit(Op::FaceForward, &operands),
            Fun::Reflect => self.emit(Op::Reflect, &operands),
            Fun::Refract => self.emit(Op::Refract, &operands),
            Fun::Sign if scalar == Scalar::Uint => {
                let one = self.number(scalar, 1);
                self.builder.min(a, one)
            }
            Fun::Sign => self.builder.sign(a),
            Fun::Mix => self.emit(Op::Mix, &operands),
            Fun::QuantizeToF16 => {
                let half = self.convert(a, Scalar::Half);
                self.convert(half, Scalar::Float)
            }
            _ => return self.bits(handle, function, &operands),
        })
    }

    pub(super) fn int_dot(&mut self, a: Id, b: Id) -> Id {
        let products = self.builder.multiply(a, b);
        let mut sum = self.component(products, 0);
        for component in 1..self.width(products) {
            let product = self.component(products, component);
            sum = self.builder.add(sum, product);
        }
        sum
    }

    /// Returns the components of a matrix, indexed by column and row.
    fn entries(&mut self, matrix: Id) -> Vec<Few<Id>> {
        let columns = self.columns(matrix);
        let rows = |column: Id| (0..self.width(column)).map(|row| self.component(column, row)).collect();
        columns.into_iter().map(rows).collect()
    }

    fn determinant(&mut self, matrix: Id) -> Id {
        let entries = self.entries(matrix);
        let all: Few<usize> = (0..entries.len()).collect();
        self.minor(&entries, &all, &all)
    }

    /// Returns the determinant of the submatrix with the given columns and rows, expanded along its first column.
    fn minor(&mut self, entries: &[Few<Id>], columns: &[usize], rows: &[usize]) -> Id {
        let &[first, ref others @ ..] = columns else { return self.builder.float(1.0) };
        let mut sum = None;
        for (number, &row) in rows.iter().enumerate() {
            let Some(&entry) = entries.get(first).and_then(|column| column.get(row)) else { continue };
            let term = if others.is_empty() {
                entry
            } else {
                let rest: Few<usize> = rows.iter().copied().filter(|&other| other != row).collect();
                let minor = self.minor(entries, others, &rest);
                self.builder.multiply(entry, minor)
            };
            let op = if number % 2 == 0 { Op::Add } else { Op::Subtract };
            sum = Some(match sum {
                None => term,
                Some(sum) => self.emit(op, &[sum, term]),
            });
        }
        sum.unwrap_or_default()
    }

    /// Returns the inverse of a matrix: its adjugate divided by its determinant.
    fn inverse(&mut self, matrix: Id) -> Id {
        let entries = self.entries(matrix);
        let size = entries.len();
        let determinant = self.determinant(matrix);
        let one = self.builder.float(1.0);
        let factor = self.builder.divide(one, determinant);
        let without = |left_out: usize| (0..size).filter(move |&at| at != left_out).collect::<Few<usize>>();
        let mut columns = Few::<Id>::new();
        for column in 0..size {
            let mut parts = Few::<Id>::new();
            for row in 0..size {
                // The adjugate is transposed, so row and column are exchanged here.
                let minor = self.minor(&entries, &without(row), &without(column));
                let is_negative = (column + row) % 2 == 1;
                parts.push(if is_negative { self.builder.negate(minor) } else { minor });
            }
            let column = self.vector(&parts);
            columns.push(self.builder.multiply(column, factor));
        }
        self.matrix(&columns)
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
