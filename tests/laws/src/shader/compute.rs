//! Computes operators and built-in functions as the WGSL specification defines them.

use naga::{BinaryOperator, MathFunction, ScalarKind, UnaryOperator};
use sdlbc::number;

use super::value::Value;

fn dot(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).reduce(|a, b| a + b).unwrap_or(0.0)
}

/// Returns the dot product, which is computed in 32 bits and rounded to the bit width of the operands.
fn dot_of(a: &Value, b: &Value) -> Value {
    a.scalar_of(dot(&a.floats(), &b.floats()))
}

pub(super) fn unary(op: UnaryOperator, value: &Value) -> Value {
    value.map(&|value| match (op, value) {
        (UnaryOperator::Negate, Value::Float(value)) => Value::Float(-value),
        (UnaryOperator::Negate, Value::Half(value)) => Value::Half(-value),
        (UnaryOperator::Negate, Value::Int(value)) => Value::Int(value.wrapping_neg()),
        (UnaryOperator::LogicalNot, Value::Bool(value)) => Value::Bool(!value),
        (UnaryOperator::BitwiseNot, Value::Int(value)) => Value::Int(!value),
        (UnaryOperator::BitwiseNot, Value::Uint(value)) => Value::Uint(!value),
        other => panic!("{other:?}"),
    })
}

fn is_matrix(value: &Value) -> bool {
    matches!(value, Value::Many(columns) if matches!(columns[0], Value::Many(_)))
}

/// Multiplies a matrix by a column vector.
fn transform(matrix: &Value, column: &Value) -> Value {
    let columns = matrix.many().iter().zip(column.many());
    let scaled = columns.map(|(a, by)| a.floats_zip(by, &|a, b| a * b));
    scaled.reduce(|a, b| a.floats_zip(&b, &|a, b| a + b)).expect("a matrix has columns")
}

pub(super) fn binary(op: BinaryOperator, a: &Value, b: &Value) -> Value {
    if op == BinaryOperator::Multiply {
        match (is_matrix(a), is_matrix(b)) {
            (true, true) => return Value::Many(b.many().iter().map(|column| transform(a, column)).collect()),
            (true, false) if matches!(b, Value::Many(_)) => return transform(a, b),
            (false, true) if matches!(a, Value::Many(_)) => {
                return Value::Many(b.many().iter().map(|column| dot_of(a, column)).collect());
            }
            _ => {}
        }
    }
    a.zip(b, &|a, b| component(op, a, b))
}

fn component(op: BinaryOperator, a: &Value, b: &Value) -> Value {
    use BinaryOperator::*;
    match (a, b) {
        (&Value::Bool(a), &Value::Bool(b)) => Value::Bool(match op {
            LogicalOr | InclusiveOr => a || b,
            LogicalAnd | And => a && b,
            ExclusiveOr | NotEqual => a != b,
            Equal => a == b,
            other => panic!("{other:?} of bools"),
        }),
        (&Value::Int(a), &Value::Int(b)) => Value::Int(match op {
            Add => a.wrapping_add(b),
            Subtract => a.wrapping_sub(b),
            Multiply => a.wrapping_mul(b),
            Divide if b == 0 => a,
            Divide => a.wrapping_div(b),
            Modulo if b == 0 => 0,
            Modulo => a.wrapping_rem(b),
            And => a & b,
            InclusiveOr => a | b,
            ExclusiveOr => a ^ b,
            _ => return Value::Bool(compares(op, &a, &b)),
        }),
        (&Value::Uint(a), &Value::Uint(b)) => Value::Uint(match op {
            Add => a.wrapping_add(b),
            Subtract => a.wrapping_sub(b),
            Multiply => a.wrapping_mul(b),
            Divide => a.checked_div(b).unwrap_or(a),
            Modulo => a.checked_rem(b).unwrap_or(0),
            And => a & b,
            InclusiveOr => a | b,
            ExclusiveOr => a ^ b,
            ShiftLeft => a.wrapping_shl(b),
            ShiftRight => a.wrapping_shr(b),
            _ => return Value::Bool(compares(op, &a, &b)),
        }),
        (&Value::Int(a), &Value::Uint(b)) => Value::Int(match op {
            ShiftLeft => a.wrapping_shl(b),
            ShiftRight => a.wrapping_shr(b),
            other => panic!("{other:?} of an int and an unsigned one"),
        }),
        (Value::Float(_), Value::Float(_)) | (Value::Half(_), Value::Half(_)) => {
            let (x, y) = (a.float(), b.float());
            a.alike(match op {
                Add => x + y,
                Subtract => x - y,
                Multiply => x * y,
                Divide => x / y,
                Modulo => x - y * (x / y).trunc(),
                _ => return Value::Bool(compares(op, &x, &y)),
            })
        }
        other => panic!("{op:?} of {other:?}"),
    }
}

fn compares<T: PartialOrd>(op: BinaryOperator, a: &T, b: &T) -> bool {
    match op {
        BinaryOperator::Less => a < b,
        BinaryOperator::LessEqual => a <= b,
        BinaryOperator::Greater => a > b,
        BinaryOperator::GreaterEqual => a >= b,
        BinaryOperator::Equal => a == b,
        BinaryOperator::NotEqual => a != b,
        other => panic!("{other:?} is not a comparison"),
    }
}

/// Converts a component to another kind, or reinterprets its bits if `width` is `None`.
pub(super) fn convert(value: &Value, kind: ScalarKind, width: Option<u8>) -> Value {
    value.map(&|value| match width {
        None => from_bits(bits(value), kind),
        Some(2) => Value::half(number(value) as f32),
        Some(_) => match (kind, value) {
            (ScalarKind::Float, &Value::Int(value)) => Value::Float(value as f32),
            (ScalarKind::Float, &Value::Uint(value)) => Value::Float(value as f32),
            (ScalarKind::Sint, &Value::Int(value)) => Value::Int(value),
            (ScalarKind::Uint, &Value::Uint(value)) => Value::Uint(value),
            (ScalarKind::Float, value) => Value::Float(number(value) as f32),
            (ScalarKind::Bool, value) => Value::Bool(number(value) != 0.0),
            // Conversions between signed and unsigned ints keep the bits.
            (ScalarKind::Sint, &Value::Uint(value)) => Value::Int(value.cast_signed()),
            (ScalarKind::Uint, &Value::Int(value)) => Value::Uint(value.cast_unsigned()),
            // As in WGSL, an out-of-range float becomes the nearest int that a 32-bit float can represent.
            (ScalarKind::Sint, value) => Value::Int(number(value).clamp(-2147483648.0, 2147483520.0) as i32),
            (ScalarKind::Uint, value) => Value::Uint(number(value).clamp(0.0, 4294967040.0) as u32),
            other => panic!("a conversion {other:?}"),
        },
    })
}

fn number(value: &Value) -> f64 {
    match *value {
        Value::Float(value) | Value::Half(value) => value.into(),
        Value::Int(value) => value.into(),
        Value::Uint(value) => value.into(),
        Value::Bool(value) => f64::from(u8::from(value)),
        ref other => panic!("{other:?} is not a number"),
    }
}

fn bits(value: &Value) -> u32 {
    match *value {
        Value::Float(value) => value.to_bits(),
        Value::Int(value) => value.cast_unsigned(),
        Value::Uint(value) => value,
        ref other => panic!("the bits of {other:?}"),
    }
}

fn from_bits(bits: u32, kind: ScalarKind) -> Value {
    match kind {
        ScalarKind::Float => Value::Float(f32::from_bits(bits)),
        ScalarKind::Sint => Value::Int(bits.cast_signed()),
        ScalarKind::Uint => Value::Uint(bits),
        other => panic!("bits as {other:?}"),
    }
}

fn sign(a: f32) -> f32 {
    f32::from(u8::from(a > 0.0)) - f32::from(u8::from(a < 0.0))
}

pub(super) fn math(fun: MathFunction, a: &Value, b: Option<&Value>, c: Option<&Value>) -> Value {
    use MathFunction as F;
    let other = |value: Option<&Value>| value.cloned().unwrap_or_else(|| panic!("{fun:?} has too few arguments"));
    let zip = |f: &dyn Fn(f32, f32) -> f32| a.floats_zip(&other(b), f);
    let zip3 = |f: &dyn Fn(f32, f32, f32) -> f32| {
        a.zip3(&other(b), &other(c), &|a, b, c| a.alike(f(a.float(), b.float(), c.float())))
    };
    match fun {
        F::Abs => a.map(&|a| match *a {
            Value::Int(a) => Value::Int(a.wrapping_abs()),
            Value::Uint(a) => Value::Uint(a),
            ref a => a.alike(a.float().abs()),
        }),
        F::Sign => a.map(&|a| match *a {
            Value::Int(a) => Value::Int(a.signum()),
            ref a => a.alike(sign(a.float())),
        }),
        F::Min => a.zip(&other(b), &|a, b| ordered(a, b, &f32::min, true)),
        F::Max => a.zip(&other(b), &|a, b| ordered(a, b, &f32::max, false)),
        F::Clamp => {
            let low = a.zip(&other(b), &|a, b| ordered(a, b, &f32::max, false));
            low.zip(&other(c), &|a, b| ordered(a, b, &f32::min, true))
        }
        F::Saturate => a.floats_map(&|a| a.clamp(0.0, 1.0)),
        F::Floor => a.floats_map(&f32::floor),
        F::Ceil => a.floats_map(&f32::ceil),
        F::Trunc => a.floats_map(&f32::trunc),
        F::Round => a.floats_map(&f32::round_ties_even),
        F::Fract => a.floats_map(&|a| a - a.floor()),
        F::Radians => a.floats_map(&f32::to_radians),
        F::Degrees => a.floats_map(&f32::to_degrees),
        F::Sin => a.floats_map(&number::sin),
        F::Cos => a.floats_map(&number::cos),
        F::Tan => a.floats_map(&number::tan),
        F::Asin => a.floats_map(&number::asin),
        F::Acos => a.floats_map(&number::acos),
        F::Atan => a.floats_map(&number::atan),
        F::Atan2 => zip(&number::atan2),
        F::Sinh => a.floats_map(&number::sinh),
        F::Cosh => a.floats_map(&number::cosh),
        F::Tanh => a.floats_map(&number::tanh),
        F::Asinh => a.floats_map(&number::asinh),
        F::Acosh => a.floats_map(&number::acosh),
        F::Atanh => a.floats_map(&number::atanh),
        F::Pow => zip(&number::pow),
        F::Exp => a.floats_map(&number::exp),
        F::Exp2 => a.floats_map(&number::exp2),
        F::Log => a.floats_map(&number::log),
        F::Log2 => a.floats_map(&number::log2),
        F::Sqrt => a.floats_map(&f32::sqrt),
        F::InverseSqrt => a.floats_map(&|a| 1.0 / a.sqrt()),
        F::Mix => zip3(&|a, b, c| a * (1.0 - c) + b * c),
        F::Step => zip(&|a, b| if b < a { 0.0 } else { 1.0 }),
        F::SmoothStep => zip3(&|a, b, c| {
            let t = ((c - a) / (b - a)).clamp(0.0, 1.0);
            t * t * (3.0 - 2.0 * t)
        }),
        F::Ldexp => a.zip(&other(b), &|a, b| match *b {
            Value::Int(by) => a.alike(a.float() * 2f32.powi(by)),
            ref other => panic!("ldexp by {other:?}"),
        }),
        F::Length => a.scalar_of(dot(&a.floats(), &a.floats()).sqrt()),
        F::Distance => {
            let between = zip(&|a, b| a - b);
            a.scalar_of(dot(&between.floats(), &between.floats()).sqrt())
        }
        F::Dot => dot_of(a, &other(b)),
        F::Normalize => {
            let length = dot(&a.floats(), &a.floats()).sqrt();
            a.floats_map(&|a| a / length)
        }
        F::FaceForward => match dot(&other(b).floats(), &other(c).floats()) < 0.0 {
            true => a.clone(),
            false => a.floats_map(&|a| -a),
        },
        F::Reflect => {
            let along = dot(&other(b).floats(), &a.floats());
            zip(&|a, b| a - 2.0 * along * b)
        }
        F::Refract => {
            let along = dot(&other(b).floats(), &a.floats());
            let ratio = other(c).float();
            let k = 1.0 - ratio * ratio * (1.0 - along * along);
            zip(&|a, b| if k < 0.0 { 0.0 } else { ratio * a - (ratio * along + k.sqrt()) * b })
        }
        F::Cross => {
            let (x, y) = (a.floats(), other(b).floats());
            let term = |i: usize, j: usize| x[i] * y[j] - x[j] * y[i];
            a.vector_of([term(1, 2), term(2, 0), term(0, 1)])
        }
        F::Transpose => {
            let columns = a.many();
            let row = |at: usize| Value::Many(columns.iter().map(|column| column.many()[at].clone()).collect());
            Value::Many((0..columns[0].many().len()).map(row).collect())
        }
        F::Fma => zip3(&|a, b, c| a * b + c),
        F::Modf => {
            let whole = a.floats_map(&f32::trunc);
            Value::Many(vec![a.floats_zip(&whole, &|a, b| a - b), whole])
        }
        F::Outer => {
            let b = other(b);
            Value::Many(b.floats().iter().map(|&by| a.floats_map(&|a| a * by)).collect())
        }
        F::Determinant => a.scalar_of(determinant(&entries(a))),
        F::Inverse => {
            let matrix = entries(a);
            let factor = 1.0 / determinant(&matrix);
            let size = matrix.len();
            let entry = |column: usize, row: usize| {
                // Each minor omits the row and the column of the transposed position, because the adjugate transposes the
                // cofactors.
                let minor = |at: usize| matrix.iter().enumerate().filter(move |(column, _)| *column != at);
                let rest: Vec<Vec<f32>> =
                    minor(row).map(|(_, rows)| (0..size).filter(|&r| r != column).map(|r| rows[r]).collect()).collect();
                let sign = if (column + row) % 2 == 1 { -1.0 } else { 1.0 };
                Value::Float(sign * determinant(&rest) * factor)
            };
            Value::Many((0..size).map(|c| Value::Many((0..size).map(|r| entry(c, r)).collect())).collect())
        }
        F::QuantizeToF16 => a.floats_map(&super::to_half),
        other => panic!("{other:?}"),
    }
}

fn entries(matrix: &Value) -> Vec<Vec<f32>> {
    matrix.many().iter().map(Value::floats).collect()
}

/// Computes the determinant by expansion along the first column.
fn determinant(columns: &[Vec<f32>]) -> f32 {
    let [first, others @ ..] = columns else { return 1.0 };
    let term = |row: usize| {
        let rest: Vec<Vec<f32>> = others
            .iter()
            .map(|column| column.iter().enumerate().filter(|(at, _)| *at != row).map(|(_, &entry)| entry).collect())
            .collect();
        first[row] * determinant(&rest)
    };
    (1..first.len()).fold(term(0), |sum, row| if row % 2 == 0 { sum + term(row) } else { sum - term(row) })
}

/// Computes a function that operates on bits, or returns `None` for any other function.
pub(super) fn bits_math(fun: MathFunction, a: &Value, others: [Option<&Value>; 3]) -> Option<Value> {
    use MathFunction as F;
    let of = |f: &dyn Fn(u32) -> u32| {
        Some(a.map(&|a| match *a {
            Value::Int(a) => Value::Int(f(a.cast_unsigned()).cast_signed()),
            Value::Uint(a) => Value::Uint(f(a)),
            ref other => panic!("the bits of {other:?}"),
        }))
    };
    let scalar = |at: usize| others[at].map_or(0, bits);
    match fun {
        F::CountOneBits => of(&u32::count_ones),
        F::ReverseBits => of(&u32::reverse_bits),
        F::CountLeadingZeros => of(&u32::leading_zeros),
        F::CountTrailingZeros => of(&u32::trailing_zeros),
        F::FirstTrailingBit => of(&|a| if a == 0 { u32::MAX } else { a.trailing_zeros() }),
        F::FirstLeadingBit => Some(a.map(&|a| match *a {
            Value::Int(a) => Value::Int(31 - (a ^ a >> 31).leading_zeros().cast_signed()),
            Value::Uint(a) => Value::Uint(31u32.wrapping_sub(a.leading_zeros())),
            ref other => panic!("the bits of {other:?}"),
        })),
        F::ExtractBits => {
            let offset = scalar(0).min(32);
            let count = scalar(1).min(32 - offset);
            Some(a.map(&|a| match *a {
                _ if count == 0 => {
                    from_bits(0, if matches!(a, Value::Int(_)) { ScalarKind::Sint } else { ScalarKind::Uint })
                }
                Value::Int(a) => Value::Int(a << (32 - offset - count) >> (32 - count)),
                Value::Uint(a) => Value::Uint(a << (32 - offset - count) >> (32 - count)),
                ref other => panic!("the bits of {other:?}"),
            }))
        }
        F::InsertBits => {
            let offset = scalar(1).min(32);
            let count = scalar(2).min(32 - offset);
            let mask = if count == 0 { 0 } else { u32::MAX >> (32 - count) << offset };
            Some(a.zip(others[0]?, &|a, b| {
                let result = bits(a) & !mask | bits(b).checked_shl(offset).unwrap_or(0) & mask;
                from_bits(result, if matches!(a, Value::Int(_)) { ScalarKind::Sint } else { ScalarKind::Uint })
            }))
        }
        _ => None,
    }
}

/// Returns the smaller of two numbers if `smaller` is set, otherwise the larger.
fn ordered(a: &Value, b: &Value, of_floats: &dyn Fn(f32, f32) -> f32, smaller: bool) -> Value {
    match (a, b) {
        (&Value::Int(a), &Value::Int(b)) => Value::Int(if smaller { a.min(b) } else { a.max(b) }),
        (&Value::Uint(a), &Value::Uint(b)) => Value::Uint(if smaller { a.min(b) } else { a.max(b) }),
        (a, b) => a.alike(of_floats(a.float(), b.float())),
    }
}
