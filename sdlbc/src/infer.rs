//! The type of a result, from the operation's rule and the operands' types. These rules are part of the format
//! (docs/format.md, "Types").

use std::fmt;

use crate::module::{Inst, Output, lanes};
use crate::{Domain, Op, Scalar, Type, TypeRule};

/// Why operands do not fit their operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypeError {
    /// The operation.
    pub op: Op,
    /// What it asks for.
    pub wants: &'static str,
    /// What it was given.
    pub got: Vec<Type>,
}

impl fmt::Display for TypeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} wants {}, and was given ", self.op, self.wants)?;
        if self.got.is_empty() {
            return f.write_str("none");
        }
        self.got.iter().enumerate().try_for_each(|(i, ty)| {
            f.write_str(if i == 0 { "" } else { ", " })?;
            ty.fmt(f)
        })
    }
}

impl std::error::Error for TypeError {}

impl Domain {
    const fn admits(self, scalar: Scalar) -> bool {
        match self {
            Domain::Floats => matches!(scalar, Scalar::Float | Scalar::Half),
            Domain::Numbers => !matches!(scalar, Scalar::Bool),
            Domain::Signed => !matches!(scalar, Scalar::Bool | Scalar::Uint),
            Domain::Bools => matches!(scalar, Scalar::Bool),
        }
    }

    const fn wants(self) -> &'static str {
        match self {
            Domain::Floats => "floats of one width",
            Domain::Numbers => "numbers of one type and width",
            Domain::Signed => "ints or floats of one width",
            Domain::Bools => "bools of one width",
        }
    }
}

/// The type of the instruction's result, `None` where it has none.
///
/// `types` are the types of its inputs, in order (an absent index of PEEK left out); `outputs` are the outputs of its
/// function, for POKE.
///
/// # Errors
/// The inputs or immediates do not fit the operation.
pub fn infer(inst: &Inst, types: &[Type], outputs: &[Output]) -> Result<Option<Type>, TypeError> {
    let fail = |wants| Err(TypeError { op: inst.op, wants, got: types.to_vec() });
    let ty = match inst.op.type_rule() {
        TypeRule::None if inst.op == Op::If && types != [Type::BOOL] => return fail("a bool"),
        TypeRule::None => return Ok(None),
        TypeRule::Componentwise(domain) => match widest(domain, types) {
            Some((scalar, width)) => Type::Vector(scalar, width),
            None => return fail(domain.wants()),
        },
        TypeRule::Comparison => match widest(Domain::Numbers, types) {
            Some((_, width)) => Type::Vector(Scalar::Bool, width),
            None => return fail(Domain::Numbers.wants()),
        },
        TypeRule::Product => match product(types) {
            Some(ty) => ty,
            None => return fail("numbers of one type and width, or factors of a matrix product"),
        },
        TypeRule::Literal(Scalar::Bool, _) if !matches!(inst.immediates[..], [0 | 1]) => return fail("0 or 1"),
        TypeRule::Literal(scalar, width) => Type::Vector(scalar, width),
        TypeRule::Phi => match *types {
            [a @ (Type::Vector(..) | Type::Matrix { .. }), b] if a == b => a,
            _ => return fail("two values of one type"),
        },
        TypeRule::Swizzle => {
            let picked = lanes(inst.immediates.first().copied().unwrap_or(u32::MAX)).collect::<Vec<_>>();
            match *types {
                [Type::Vector(scalar, width)] if !picked.is_empty() && picked.iter().all(|&lane| lane < width) => {
                    Type::Vector(scalar, picked.len() as u8)
                }
                _ => return fail("a vector that has the components"),
            }
        }
        TypeRule::Dot => match *types {
            [Type::Vector(scalar, a), Type::Vector(other, b)]
                if scalar == other && a == b && a > 1 && Domain::Floats.admits(scalar) =>
            {
                Type::Vector(scalar, 1)
            }
            _ => return fail("two vectors of floats"),
        },
        TypeRule::Cross => match *types {
            [a @ Type::Vector(Scalar::Float | Scalar::Half, 3), b] if a == b => a,
            _ => return fail("two float3"),
        },
        TypeRule::Sample => return sample(inst.op, types),
        TypeRule::Peek => match *types {
            [Type::Array(scalar, width, _)] | [Type::Array(scalar, width, _), Type::INT] => Type::Vector(scalar, width),
            _ => return fail("an array and an int"),
        },
        TypeRule::Poke => {
            let output = inst.immediates.first().and_then(|&index| outputs.get(index as usize));
            match output {
                Some(output) if types == [output.ty] => return Ok(None),
                _ => return fail("an output of the function and a value of its type"),
            }
        }
        TypeRule::Vector => match concatenated(types) {
            Some(ty) => ty,
            None => return fail("two to four components of one type"),
        },
        TypeRule::Select => match *types {
            [Type::Vector(Scalar::Bool, n), a @ Type::Vector(_, width), b] if a == b && (n == 1 || n == width) => a,
            _ => return fail("a bool and two values of one type"),
        },
        TypeRule::Convert => {
            let target = inst.immediates.first().and_then(|&word| Type::from_words(word, 0));
            match (types, target) {
                (&[Type::Vector(_, width)], Some(Type::Vector(scalar, 1))) => Type::Vector(scalar, width),
                _ => return fail("a scalar or vector, and a component type"),
            }
        }
        TypeRule::Matrix => match *types {
            [Type::Vector(Scalar::Float, rows @ 2..=4), ..] if types.iter().all(|&ty| ty == types[0]) => {
                Type::Matrix { columns: types.len() as u8, rows }
            }
            _ => return fail("columns of one float vector type"),
        },
    };
    Ok(Some(ty))
}

/// The one component type and the largest width of values that are of that width or scalars.
fn widest(domain: Domain, types: &[Type]) -> Option<(Scalar, u8)> {
    let mut found: Option<(Scalar, u8)> = None;
    for ty in types {
        let &Type::Vector(scalar, width) = ty else { return None };
        if !domain.admits(scalar) {
            return None;
        }
        found = Some(match found {
            None => (scalar, width),
            Some((other, _)) if other != scalar => return None,
            Some((_, widest)) if widest != width && widest != 1 && width != 1 => return None,
            Some((_, widest)) => (scalar, widest.max(width)),
        });
    }
    found
}

fn product(types: &[Type]) -> Option<Type> {
    Some(match *types {
        [Type::Vector(Scalar::Float, width), Type::Matrix { columns, rows }] if width == rows => Type::floats(columns),
        [Type::Matrix { columns, rows }, Type::Vector(Scalar::Float, width)] if width == columns => Type::floats(rows),
        [Type::Matrix { columns, rows }, Type::Matrix { columns: c, rows: r }] if columns == r => {
            Type::Matrix { columns: c, rows }
        }
        [m @ Type::Matrix { .. }, Type::FLOAT] | [Type::FLOAT, m @ Type::Matrix { .. }] => m,
        _ => widest(Domain::Numbers, types).map(|(scalar, width)| Type::Vector(scalar, width))?,
    })
}

fn concatenated(types: &[Type]) -> Option<Type> {
    let (&Type::Vector(scalar, _), parts) = (types.first()?, types) else { return None };
    let mut total = 0u8;
    for part in parts {
        match *part {
            Type::Vector(other, width) if other == scalar => total = total.checked_add(width)?,
            _ => return None,
        }
    }
    (2..=4).contains(&total).then_some(Type::Vector(scalar, total))
}

fn sample(op: Op, types: &[Type]) -> Result<Option<Type>, TypeError> {
    let fits = match types {
        [Type::Texture(dimension), rest @ ..] => {
            let coordinate = Type::floats(dimension.coordinates());
            match op {
                Op::Sample => rest == [coordinate],
                Op::SampleGrad => rest == [coordinate, coordinate, coordinate],
                _ => rest == [coordinate, Type::FLOAT],
            }
        }
        _ => false,
    };
    if fits {
        return Ok(Some(Type::FLOAT4));
    }
    Err(TypeError { op, wants: "a texture, a coordinate of its dimension and the level's floats", got: types.to_vec() })
}
