//! What each operation computes, as its line in the operation table says (docs/instructions.md).

use sdlbc::{Op, Scalar, Type, module::lanes};

use crate::shader::to_half;

/// A value: its components' bits, of a matrix column behind column. A half is in the bits of the float of that number.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Value {
    pub(crate) ty: Type,
    pub(crate) words: Vec<u32>,
}

impl Value {
    pub(crate) fn new(ty: Type, words: Vec<u32>) -> Value {
        Value { ty, words }
    }

    /// The type of the components.
    fn scalar(&self) -> Scalar {
        match self.ty {
            Type::Vector(scalar, _) | Type::Array(scalar, _, _) => scalar,
            _ => Scalar::Float,
        }
    }

    pub(crate) fn floats(&self) -> Vec<f32> {
        assert!(matches!(self.scalar(), Scalar::Float | Scalar::Half));
        self.words.iter().map(|&word| f32::from_bits(word)).collect()
    }

    fn of(ty: Type, numbers: impl IntoIterator<Item = f32>) -> Value {
        let half = matches!(ty, Type::Vector(Scalar::Half, _));
        let rounded = numbers.into_iter().map(|number| if half { to_half(number) } else { number });
        Value::new(ty, rounded.map(f32::to_bits).collect())
    }

    pub(crate) fn map(&self, f: impl Fn(f32) -> f32) -> Value {
        Value::of(self.ty, self.floats().into_iter().map(f))
    }

    /// A component; a scalar has it for each.
    fn lane(&self, at: usize) -> u32 {
        if self.words.len() == 1 { self.words[0] } else { self.words[at] }
    }

    /// The columns of a matrix.
    fn columns(&self) -> Vec<Vec<f32>> {
        let Type::Matrix { rows, .. } = self.ty else { panic!("{} is no matrix", self.ty) };
        self.floats().chunks(rows.into()).map(<[f32]>::to_vec).collect()
    }
}

fn dot(a: &[f32], b: &[f32]) -> f32 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| a * b).reduce(|a, b| a + b).unwrap_or(0.0)
}

/// The result, of type `ty`, of an operation that reads its operands and nothing else.
pub(crate) fn compute(op: Op, operands: &[&Value], immediates: &[u32], ty: Type) -> Value {
    let floats = |at: usize| operands[at].floats();
    let scalar = |number: f32| Value::of(ty, [number]);
    match op {
        Op::LiteralInt | Op::LiteralFloat | Op::LiteralInt4 | Op::LiteralFloat4 | Op::LiteralBool | Op::LiteralUint => {
            Value::new(ty, immediates.to_vec())
        }
        Op::Swizzle => Value::new(ty, lanes(immediates[0]).map(|lane| operands[0].words[usize::from(lane)]).collect()),
        Op::Vector | Op::Matrix => Value::new(ty, operands.iter().flat_map(|part| part.words.clone()).collect()),
        Op::All => Value::new(ty, vec![operands[0].words.iter().all(|&word| word != 0).into()]),
        Op::Any => Value::new(ty, vec![operands[0].words.iter().any(|&word| word != 0).into()]),
        Op::Convert => {
            let (from, to) = (operands[0].scalar(), Value::new(ty, vec![]).scalar());
            Value::new(ty, operands[0].words.iter().map(|&word| convert(word, from, to)).collect())
        }
        Op::Transpose => {
            let columns = operands[0].columns();
            let rows = 0..columns[0].len();
            Value::of(ty, rows.flat_map(|row| columns.iter().map(|column| column[row]).collect::<Vec<_>>()))
        }
        Op::Multiply if operands.iter().any(|value| matches!(value.ty, Type::Matrix { .. })) => product(operands, ty),
        Op::Len => scalar(dot(&floats(0), &floats(0)).sqrt()),
        Op::Distance => {
            let half = operands[0].scalar() == Scalar::Half;
            let between = floats(0).into_iter().zip(floats(1)).map(|(a, b)| if half { to_half(a - b) } else { a - b });
            let between: Vec<f32> = between.collect();
            scalar(dot(&between, &between).sqrt())
        }
        Op::Dot => scalar(dot(&floats(0), &floats(1))),
        Op::Cross => {
            let (a, b) = (floats(0), floats(1));
            let term = |i: usize, j: usize| a[i] * b[j] - a[j] * b[i];
            Value::of(ty, [term(1, 2), term(2, 0), term(0, 1)])
        }
        Op::Normalize => {
            let length = dot(&floats(0), &floats(0)).sqrt();
            operands[0].map(|a| a / length)
        }
        Op::FaceForward => {
            let same = dot(&floats(1), &floats(2)) < 0.0;
            operands[0].map(|a| if same { a } else { -a })
        }
        Op::Reflect => {
            let along = dot(&floats(1), &floats(0));
            Value::of(ty, floats(0).into_iter().zip(floats(1)).map(|(a, b)| a - 2.0 * along * b))
        }
        Op::Refract => {
            let (a, b, c) = (floats(0), floats(1), floats(2)[0]);
            let along = dot(&b, &a);
            let k = 1.0 - c * c * (1.0 - along * along);
            let each = a.into_iter().zip(b);
            Value::of(ty, each.map(|(a, b)| if k < 0.0 { 0.0 } else { c * a - (c * along + k.sqrt()) * b }))
        }
        _ => {
            let Type::Vector(_, width) = ty else { panic!("{op} gives {ty}") };
            let kind = operands[usize::from(op == Op::Select)].scalar();
            let component = |at: usize| {
                let lanes: Vec<u32> = operands.iter().map(|operand| operand.lane(at)).collect();
                let result = componentwise(op, kind, &lanes);
                match ty {
                    Type::Vector(Scalar::Half, _) => to_half(f32::from_bits(result)).to_bits(),
                    _ => result,
                }
            };
            Value::new(ty, (0..width.into()).map(component).collect())
        }
    }
}

fn product(operands: &[&Value], ty: Type) -> Value {
    let transform = |columns: &[Vec<f32>], by: &[f32]| -> Vec<f32> {
        assert_eq!(columns.len(), by.len());
        let row = |row: usize| columns.iter().zip(by).map(move |(column, by)| column[row] * by);
        (0..columns[0].len()).map(|at| row(at).reduce(|a, b| a + b).unwrap_or(0.0)).collect()
    };
    match (operands[0].ty, operands[1].ty) {
        (Type::Matrix { .. }, Type::Matrix { .. }) => {
            let (a, b) = (operands[0].columns(), operands[1].columns());
            Value::of(ty, b.iter().flat_map(|column| transform(&a, column)))
        }
        (Type::Matrix { .. }, Type::FLOAT) | (Type::FLOAT, Type::Matrix { .. }) => {
            let (a, b) = (operands[0].floats(), operands[1].floats());
            let (matrix, by) = if a.len() > 1 { (a, b[0]) } else { (b, a[0]) };
            Value::of(ty, matrix.into_iter().map(|a| a * by))
        }
        (Type::Matrix { .. }, _) => Value::of(ty, transform(&operands[0].columns(), &operands[1].floats())),
        _ => {
            let row = operands[0].floats();
            Value::of(ty, operands[1].columns().iter().map(|column| dot(&row, column)))
        }
    }
}

fn convert(word: u32, from: Scalar, to: Scalar) -> u32 {
    let (float, int) = (f32::from_bits(word), word.cast_signed());
    match (from, to) {
        (from, to) if from == to => word,
        (Scalar::Float | Scalar::Half, Scalar::Bool) => u32::from(float != 0.0),
        (_, Scalar::Bool) => u32::from(word != 0),
        // What a float beyond all ints becomes is open; here it is the nearest float that is an int, as in WGSL.
        (Scalar::Float | Scalar::Half, Scalar::Int) => {
            (float.clamp(-2147483648.0, 2147483520.0) as i32).cast_unsigned()
        }
        (Scalar::Float | Scalar::Half, Scalar::Uint) => float.clamp(0.0, 4294967040.0) as u32,
        (_, Scalar::Int | Scalar::Uint) => word,
        (Scalar::Float, Scalar::Half) => to_half(float).to_bits(),
        (Scalar::Half, Scalar::Float) => word,
        (Scalar::Int, Scalar::Half) => to_half(int as f32).to_bits(),
        (_, Scalar::Half) => to_half(word as f32).to_bits(),
        (Scalar::Int, _) => (int as f32).to_bits(),
        (_, _) => (word as f32).to_bits(),
    }
}

/// One component of the result of an operation on components of `kind`.
fn componentwise(op: Op, kind: Scalar, of: &[u32]) -> u32 {
    match (op, kind) {
        (Op::Select, _) => return if of[0] != 0 { of[1] } else { of[2] },
        (Op::ShiftLeft, _) => return of[0].wrapping_shl(of[1] & 31),
        (Op::ShiftRight, Scalar::Int) => return (of[0].cast_signed() >> (of[1] & 31)).cast_unsigned(),
        (Op::ShiftRight, _) => return of[0] >> (of[1] & 31),
        (Op::Ldexp, _) => return (f32::from_bits(of[0]) * 2f32.powi(of[1].cast_signed())).to_bits(),
        (Op::Exponent, _) => return exponent(f32::from_bits(of[0])).unwrap_or(0).cast_unsigned(),
        _ => {}
    }
    match kind {
        Scalar::Bool => u32::from(of_bools(op, of)),
        Scalar::Int => of_ints(op, &of.iter().map(|word| word.cast_signed()).collect::<Vec<_>>()),
        Scalar::Uint => of_uints(op, of),
        Scalar::Float | Scalar::Half => of_floats(op, &of.iter().map(|&word| f32::from_bits(word)).collect::<Vec<_>>()),
    }
}

fn of_bools(op: Op, of: &[u32]) -> bool {
    let [a, b] = [of[0] != 0, of.last().is_some_and(|&word| word != 0)];
    match op {
        Op::Not => !a,
        Op::LogicalAnd => a && b,
        Op::LogicalOr => a || b,
        Op::Equal => a == b,
        Op::NotEqual => a != b,
        other => panic!("{other} of bools"),
    }
}

fn compares<T: PartialOrd>(op: Op, a: &T, b: &T) -> u32 {
    u32::from(match op {
        Op::LessThan => a < b,
        Op::GreaterThan => a > b,
        Op::LessThanOrEqual => a <= b,
        Op::GreaterThanOrEqual => a >= b,
        Op::Equal => a == b,
        Op::NotEqual => a != b,
        other => panic!("{other} of these numbers"),
    })
}

fn of_ints(op: Op, of: &[i32]) -> u32 {
    let (a, b, c) = (of[0], of.get(1).copied().unwrap_or(0), of.get(2).copied().unwrap_or(0));
    let result = match op {
        Op::Negate => a.wrapping_neg(),
        Op::Complement => !a,
        Op::Multiply => a.wrapping_mul(b),
        Op::Divide if b == 0 => a,
        Op::Divide => a.wrapping_div(b),
        Op::Modulo if b == 0 => 0,
        Op::Modulo => a.wrapping_rem(b),
        Op::Add => a.wrapping_add(b),
        Op::Subtract => a.wrapping_sub(b),
        Op::BinaryAnd => a & b,
        Op::BinaryOr => a | b,
        Op::BinaryXor => a ^ b,
        Op::Abs => a.wrapping_abs(),
        Op::Sign => a.signum(),
        Op::Min => a.min(b),
        Op::Max => a.max(b),
        Op::Clamp => a.max(b).min(c),
        Op::Mad => a.wrapping_mul(b).wrapping_add(c),
        _ => return compares(op, &a, &b),
    };
    result.cast_unsigned()
}

fn of_uints(op: Op, of: &[u32]) -> u32 {
    let (a, b, c) = (of[0], of.get(1).copied().unwrap_or(0), of.get(2).copied().unwrap_or(0));
    match op {
        Op::Complement => !a,
        Op::Multiply => a.wrapping_mul(b),
        Op::Divide => a.checked_div(b).unwrap_or(a),
        Op::Modulo => a.checked_rem(b).unwrap_or(0),
        Op::Add => a.wrapping_add(b),
        Op::Subtract => a.wrapping_sub(b),
        Op::BinaryAnd => a & b,
        Op::BinaryOr => a | b,
        Op::BinaryXor => a ^ b,
        Op::Abs => a,
        Op::Min => a.min(b),
        Op::Max => a.max(b),
        Op::Clamp => a.max(b).min(c),
        Op::Mad => a.wrapping_mul(b).wrapping_add(c),
        _ => compares(op, &a, &b),
    }
}

/// The e of `fraction * 2^e` of a plain number.
fn exponent(a: f32) -> Option<i32> {
    // Half of a number in 0.5..1 is the largest power of two that is not above it.
    a.is_normal().then(|| (f64::from(a.abs()).log2() + 1e-12).floor() as i32 + 1).map(|guess| {
        let fits = |e: i32| (0.5..1.0).contains(&(f64::from(a.abs()) * f64::from(-e).exp2()));
        (guess - 1..=guess + 1).find(|&e| fits(e)).expect("an exponent")
    })
}

fn of_floats(op: Op, of: &[f32]) -> u32 {
    let (a, b, c) = (of[0], of.get(1).copied().unwrap_or(0.0), of.get(2).copied().unwrap_or(0.0));
    let result = match op {
        Op::Negate => -a,
        Op::Multiply => a * b,
        Op::Divide => a / b,
        Op::Modulo => a - b * (a / b).trunc(),
        Op::Add => a + b,
        Op::Subtract => a - b,
        Op::Round => a.round(),
        Op::RoundEven => a.round_ties_even(),
        Op::Mod => a - b * (a / b).floor(),
        Op::Trunc => a.trunc(),
        Op::Abs => a.abs(),
        Op::Sign if a == 0.0 || a.is_nan() => 0.0,
        Op::Sign => a.signum(),
        Op::Floor => a.floor(),
        Op::Ceil => a.ceil(),
        Op::Fract => a - a.floor(),
        Op::Radians => a.to_radians(),
        Op::Degrees => a.to_degrees(),
        Op::Sin => a.sin(),
        Op::Cos => a.cos(),
        Op::Tan => a.tan(),
        Op::Asin => a.asin(),
        Op::Acos => a.acos(),
        Op::Atan => a.atan(),
        Op::Sinh => a.sinh(),
        Op::Cosh => a.cosh(),
        Op::Tanh => a.tanh(),
        Op::Asinh => a.asinh(),
        Op::Acosh => a.acosh(),
        Op::Atanh => a.atanh(),
        Op::Atan2 => a.atan2(b),
        Op::Pow => a.powf(b),
        Op::Exp => a.exp(),
        Op::Log => a.ln(),
        Op::Exp2 => a.exp2(),
        Op::Log2 => a.log2(),
        Op::Sqrt => a.sqrt(),
        Op::Rsqrt => 1.0 / a.sqrt(),
        Op::Min => a.min(b),
        Op::Max => a.max(b),
        Op::Clamp => a.max(b).min(c),
        Op::Mix => a * (1.0 - c) + b * c,
        Op::Step if b < a => 0.0,
        Op::Step => 1.0,
        Op::SmoothStep => {
            let t = ((c - a) / (b - a)).clamp(0.0, 1.0);
            t * t * (3.0 - 2.0 * t)
        }
        Op::Mad => a * b + c,
        Op::Frexp => match exponent(a) {
            Some(e) => (f64::from(a) * f64::from(-e).exp2()) as f32,
            None => a,
        },
        _ => return compares(op, &a, &b),
    };
    result.to_bits()
}
