//! Infers the type of a result from the operation's typing rule and the types of the operands. The typing rules are part of the
//! format (docs/format.md, "Typing").

use std::fmt;

use crate::inst::{Inst, lanes};
use crate::module::{FunctionOutput, OutputKind, Signature};
use crate::{Dimension, Domain, FunctionKind, Op, Scalar, Texel, Type, TypeRule};

/// The error for operands whose types do not fit the operation.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TypeError {
    /// The operation whose operands have the wrong types.
    pub op: Op,
    /// A description of the operands that the operation expects.
    pub expected: &'static str,
    /// The types of the instruction's operands.
    pub found: Vec<Type>,
}

impl fmt::Display for TypeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` expects {}, found ", self.op, self.expected)?;
        if self.found.is_empty() {
            return f.write_str("no operands");
        }
        self.found.iter().enumerate().try_for_each(|(i, ty)| {
            f.write_str(if i == 0 { "" } else { ", " })?;
            ty.fmt(f)
        })
    }
}

impl std::error::Error for TypeError {}

/// The declarations that determine the operand types and result types of POKE, RETURN and CALL.
#[derive(Clone, Copy, Debug, Default)]
pub struct Context<'a> {
    /// The outputs of the function that contains the instruction, for POKE and RETURN.
    pub outputs: &'a [FunctionOutput],
    /// The signatures of all functions in the module, for CALL.
    pub signatures: &'a [Signature],
}

impl Domain {
    /// Returns the component types in the domain.
    pub const fn scalars(self) -> &'static [Scalar] {
        use Scalar::{Bool, Float, Half, Int, Uint};
        match self {
            Domain::Floats => &[Float, Half],
            Domain::Numbers => &[Float, Int, Uint, Half],
            Domain::Signed => &[Float, Int, Half],
            Domain::Ints => &[Int, Uint],
            Domain::Bools => &[Bool],
            Domain::Scalars => &[Float, Int, Uint, Half, Bool],
        }
    }

    /// Reports whether a component type is in the domain.
    pub const fn admits(self, scalar: Scalar) -> bool {
        match self {
            Domain::Floats => matches!(scalar, Scalar::Float | Scalar::Half),
            Domain::Numbers => !matches!(scalar, Scalar::Bool),
            Domain::Signed => matches!(scalar, Scalar::Float | Scalar::Int | Scalar::Half),
            Domain::Ints => matches!(scalar, Scalar::Int | Scalar::Uint),
            Domain::Bools => matches!(scalar, Scalar::Bool),
            Domain::Scalars => true,
        }
    }

    /// Returns the component types in the domain as a bit mask.
    pub(crate) const fn bits(self) -> u8 {
        let (mut bits, mut all): (u8, &[Scalar]) = (0, &Scalar::ALL);
        while let [scalar, rest @ ..] = all {
            bits |= (self.admits(*scalar) as u8) << *scalar as u32;
            all = rest;
        }
        bits
    }

    const fn expected(self) -> &'static str {
        match self {
            Domain::Floats => "floats of the same width",
            Domain::Numbers => "numbers of the same type and width",
            Domain::Signed => "ints or floats of the same type and width",
            Domain::Ints => "ints of the same type and width",
            Domain::Bools => "bools of the same width",
            Domain::Scalars => "values of the same type and width",
        }
    }
}

/// Returns the type of the instruction's result, or `None` if the instruction has no result.
///
/// `types` lists the types of the inputs that are present, in order (see [`Op::may_lack`]).
///
/// # Errors
/// Fails if the inputs or immediates do not fit the operation.
pub fn infer(inst: &Inst, types: &[Type], context: &Context<'_>) -> Result<Option<Type>, TypeError> {
    match result(inst.op, &inst.immediates, inst.output.is_some(), inst.op.type_rule(), types, context) {
        Ok(ty) => Ok(ty),
        Err(expected) => Err(TypeError { op: inst.op, expected, found: types.to_vec() }),
    }
}

/// Returns the type of the result under the typing rule `rule`, or `None` if the operation has no result. `stores` indicates
/// whether the instruction stores a result. If the inputs or immediates do not fit, the error describes the operands that the
/// operation expects.
pub(crate) fn result(
    op: Op,
    immediates: &[u32],
    stores: bool,
    rule: TypeRule,
    types: &[Type],
    context: &Context<'_>,
) -> Result<Option<Type>, &'static str> {
    use Type::{Array, Buffer, Image, Matrix, Texture, Vector};
    let first = || immediates.first().copied();
    let ty = match rule {
        TypeRule::None => return Ok(None),
        TypeRule::Condition if types == [Type::BOOL] => return Ok(None),
        TypeRule::Condition => return Err("a bool"),
        TypeRule::Selector => match types {
            [Type::INT | Type::UINT] => return Ok(None),
            _ => return Err("an int or a uint"),
        },
        TypeRule::Componentwise(domain) => widest(domain, types).ok_or(domain.expected()),
        TypeRule::Comparison(domain) => widest(domain, types).map(|ty| ty.of(Scalar::Bool)).ok_or(domain.expected()),
        TypeRule::Product => product(types).ok_or("numbers of the same type and width, or factors of a matrix product"),
        TypeRule::ByInts(domain) => match *types {
            [a @ Vector(scalar, width), Vector(by, n)]
                if domain.admits(scalar)
                    && (by == Scalar::Int || by == Scalar::Uint && domain == Domain::Ints)
                    && (n == width || n == 1) =>
            {
                Ok(a)
            }
            _ if domain == Domain::Floats => Err("floats, with ints of the same width or a single int"),
            _ => Err("ints, with ints of the same width or a single int"),
        },
        TypeRule::Reduce => match types {
            [Vector(Scalar::Bool, _)] => Ok(Type::BOOL),
            _ => Err("bools"),
        },
        TypeRule::Literal(Scalar::Bool, _) if !matches!(first(), Some(0 | 1)) => Err("0 or 1"),
        TypeRule::Literal(scalar, width) => Ok(Vector(scalar, width)),
        TypeRule::Phi => match *types {
            [a @ (Vector(..) | Matrix { .. })] => Ok(a),
            [a @ (Vector(..) | Matrix { .. }), b] if a == b => Ok(a),
            _ => Err("two values of the same type"),
        },
        TypeRule::Swizzle => {
            let picked = lanes(first().unwrap_or(u32::MAX));
            let (count, end) = picked.fold((0, 0), |(count, end), lane| (count + 1, end.max(lane + 1)));
            match *types {
                [Vector(scalar, width)] if count > 0 && end <= width => Ok(Vector(scalar, count)),
                _ => Err("a vector that has the selected components"),
            }
        }
        TypeRule::Length => one_float_type(types, 1).map(|ty| Vector(ty.0, 1)).ok_or("floats of the same width"),
        TypeRule::Dot => one_float_type(types, 2).map(|ty| Vector(ty.0, 1)).ok_or("two vectors of the same float type"),
        TypeRule::Geometric => {
            one_float_type(types, 2).map(|ty| Vector(ty.0, ty.1)).ok_or("vectors of the same float type")
        }
        TypeRule::Cross => {
            one_float_type(types, 3).filter(|ty| ty.1 == 3).map(|ty| Vector(ty.0, 3)).ok_or("two float3")
        }
        TypeRule::Refract => match *types {
            [a, b, Vector(eta, 1)] => one_float_type(&[a, b], 2).filter(|ty| ty.0 == eta).map(|_| a),
            _ => None,
        }
        .ok_or("two vectors of the same float type and a scalar of their component type"),
        TypeRule::Transpose => match *types {
            [Matrix { columns, rows }] => Ok(Matrix { columns: rows, rows: columns }),
            _ => Err("a matrix"),
        },
        TypeRule::Exponent => match *types {
            [Vector(Scalar::Float | Scalar::Half, width)] => Ok(Vector(Scalar::Int, width)),
            _ => Err("floats"),
        },
        TypeRule::Sample => sample(op, types)
            .map(|()| Type::FLOAT4)
            .ok_or("a texture, a coordinate of its dimension, and the bias, level or derivatives of the operation"),
        TypeRule::Fetch => fetch(types).ok_or("a 2D or 3D texture, an int coordinate of its dimension, and an int"),
        TypeRule::SampleCompare => compare(types).map(|_| Type::FLOAT).ok_or(COMPARED),
        TypeRule::GatherCompare => compare(types).map(|_| Type::FLOAT4).ok_or(COMPARED),
        TypeRule::Gather => gather(types)
            .filter(|_| matches!(first(), Some(0..=3)))
            .ok_or("a 2D or cube texture, a coordinate of its dimension, and the number of a component"),
        TypeRule::Peek => match *types {
            [Array(scalar, width, _) | Buffer(scalar, width)]
            | [Array(scalar, width, _) | Buffer(scalar, width), Type::INT] => Ok(Vector(scalar, width)),
            [Matrix { rows, .. }] | [Matrix { rows, .. }, Type::INT] => Ok(Type::floats(rows)),
            _ => Err("an array, a storage buffer or a matrix, and an int"),
        },
        TypeRule::Poke => match *types {
            [ty] => {
                let output = first().and_then(|index| context.outputs.get(index as usize));
                return match output {
                    Some(output) if ty == output.ty && output.kind != OutputKind::Returned => Ok(None),
                    _ => Err("an output of the function and a value of its type"),
                };
            }
            [Vector(s, n), Array(scalar, width, _) | Buffer(scalar, width)]
            | [Vector(s, n), Array(scalar, width, _) | Buffer(scalar, width), Type::INT]
                if (s, n) == (scalar, width) =>
            {
                return Ok(None);
            }
            _ => return Err("a value of the slot's element type, the slot and an int"),
        },
        TypeRule::Atomic => atomic(types, 1).ok_or(ATOMIC),
        TypeRule::AtomicCompare => atomic(types, 2).ok_or(COMPARED_AND_EXCHANGED),
        TypeRule::Call => {
            let callee = first().and_then(|index| context.signatures.get(index as usize));
            match callee.filter(|callee| callee.kind == FunctionKind::Generic) {
                // Rule V38 of the verifier checks which functions may be called.
                None => return Ok(None),
                Some(callee) if callee.parameters != types => {
                    return Err("arguments of the types of the function's parameters");
                }
                Some(callee) if callee.returned.is_none() && stores => {
                    return Err("no result, as the function returns nothing");
                }
                Some(callee) => return Ok(callee.returned),
            }
        }
        TypeRule::Return => {
            let returned = context.outputs.iter().find(|output| output.kind == OutputKind::Returned);
            return match (returned, types) {
                (None, []) => Ok(None),
                (Some(output), &[ty]) if ty == output.ty => Ok(None),
                (None, _) => Err("no value, as the function returns nothing"),
                (Some(_), _) => Err("a value of the type that the function returns"),
            };
        }
        TypeRule::Vector => concatenated(types).ok_or("two to four components of the same type"),
        TypeRule::Select => match *types {
            [Vector(Scalar::Bool, n), a @ Vector(_, width), b] if a == b && (n == 1 || n == width) => Ok(a),
            _ => Err("a bool and two values of the same type"),
        },
        TypeRule::Convert => match (types, first().and_then(|word| Type::from_words(word, 0))) {
            (&[Vector(_, width)], Some(Vector(scalar, 1))) => Ok(Vector(scalar, width)),
            _ => Err("a scalar or vector, and a component type"),
        },
        TypeRule::TextureSize => match *types {
            [Texture(dimension, _), Type::INT] => Ok(Vector(Scalar::Int, dimension.sizes())),
            _ => Err("a texture and an int"),
        },
        TypeRule::TextureOffset => match *types {
            [texture @ Texture(dimension, _)] if !dimension.is_cube() => Ok(texture),
            _ => Err("a texture other than a cube"),
        },
        TypeRule::BufferSize => match types {
            [Buffer(..)] => Ok(Type::INT),
            _ => Err("a storage buffer"),
        },
        TypeRule::ImageLoad => texel(types).filter(|(_, rest)| rest.is_empty()).map(|(texel, _)| texel).ok_or(LOADED),
        TypeRule::ImageStore => match texel(types) {
            Some((texel, &[value])) if value == texel => return Ok(None),
            _ => return Err(STORED),
        },
        TypeRule::ImageSize => match *types {
            [Image(dimension, _)] => Ok(Vector(Scalar::Int, dimension.sizes())),
            _ => Err("a storage texture"),
        },
        TypeRule::Barrier => match first() {
            Some(1..=3) => return Ok(None),
            _ => return Err("the flag 1 for shared arrays, 2 for storage buffers, or 3 for both"),
        },
        TypeRule::Bitcast => match (types, first().and_then(|word| Type::from_words(word, 0))) {
            (&[Vector(from, width)], Some(Vector(to, 1))) if from.has_32_bits() && to.has_32_bits() => {
                Ok(Vector(to, width))
            }
            _ => Err("ints, uints or floats, and one of these component types"),
        },
        TypeRule::Matrix => match *types {
            [first @ Vector(Scalar::Float, rows @ 2..=4), ..] if types.iter().all(|&ty| ty == first) => {
                u8::try_from(types.len()).map(|columns| Matrix { columns, rows }).ok()
            }
            _ => None,
        }
        .ok_or("two to four columns of the same float vector type"),
    };
    ty.map(Some)
}

/// Returns the common type of all values, if that type is a float type with at least `least` components.
fn one_float_type(types: &[Type], least: u8) -> Option<(Scalar, u8)> {
    match *types {
        [first @ Type::Vector(scalar @ (Scalar::Float | Scalar::Half), width), ..]
            if width >= least && types.iter().all(|&ty| ty == first) =>
        {
            Some((scalar, width))
        }
        _ => None,
    }
}

/// Returns the type of the widest value, if all values have the same component type and each is a scalar or has the largest
/// width.
fn widest(domain: Domain, types: &[Type]) -> Option<Type> {
    let (&Type::Vector(scalar, mut widest), others) = types.split_first()? else { return None };
    for other in others {
        match *other {
            Type::Vector(other, width) if other == scalar && (width == widest || width == 1) => {}
            Type::Vector(other, width) if other == scalar && widest == 1 => widest = width,
            _ => return None,
        }
    }
    domain.admits(scalar).then_some(Type::Vector(scalar, widest))
}

fn product(types: &[Type]) -> Option<Type> {
    Some(match *types {
        [Type::Vector(Scalar::Float, width), Type::Matrix { columns, rows }] if width == rows => Type::floats(columns),
        [Type::Matrix { columns, rows }, Type::Vector(Scalar::Float, width)] if width == columns => Type::floats(rows),
        [Type::Matrix { columns, rows }, Type::Matrix { columns: c, rows: r }] if columns == r => {
            Type::Matrix { columns: c, rows }
        }
        [m @ Type::Matrix { .. }, Type::FLOAT] | [Type::FLOAT, m @ Type::Matrix { .. }] => m,
        _ => widest(Domain::Numbers, types)?,
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

fn sample(op: Op, types: &[Type]) -> Option<()> {
    let (dimension, Texel::Float, rest) = located(Scalar::Float, types)? else { return None };
    let coordinate = Type::floats(dimension.coordinates());
    let fits = match op {
        Op::Sample => rest.is_empty(),
        Op::SampleGrad => rest == [coordinate, coordinate],
        _ => rest == [Type::FLOAT],
    };
    fits.then_some(())
}

/// Returns the dimension and texel type of the texture in the first operand, and the operands after the coordinate and layer.
fn located(scalar: Scalar, types: &[Type]) -> Option<(Dimension, Texel, &[Type])> {
    let &[Type::Texture(dimension, texel), coordinate, ref rest @ ..] = types else { return None };
    let rest = after_layer(dimension, rest)?;
    (coordinate == Type::Vector(scalar, dimension.coordinates())).then_some((dimension, texel, rest))
}

/// Skips the layer operand if the texture has layers, and returns the remaining operands.
fn after_layer(dimension: Dimension, types: &[Type]) -> Option<&[Type]> {
    match types {
        [Type::INT, rest @ ..] if dimension.has_layers() => Some(rest),
        _ if dimension.has_layers() => None,
        rest => Some(rest),
    }
}

fn fetch(types: &[Type]) -> Option<Type> {
    let (dimension, texel, [Type::INT]) = located(Scalar::Int, types)? else { return None };
    Some(Type::Vector(texel.scalar()?, 4)).filter(|_| !dimension.is_cube())
}

#[cold]
fn gather(types: &[Type]) -> Option<Type> {
    let (dimension, texel, []) = located(Scalar::Float, types)? else { return None };
    Some(Type::Vector(texel.scalar()?, 4)).filter(|_| dimension != Dimension::D3)
}

/// The operands that IMAGELOAD and IMAGESTORE expect, as described in error messages.
const LOADED: &str = "a storage texture and an int coordinate of its dimension";
const STORED: &str = "a storage texture, an int coordinate of its dimension, and four components of the texels' type";

/// Returns the texel type of the storage texture in the first operand, and the operands after the coordinate and layer.
#[cold]
fn texel(types: &[Type]) -> Option<(Type, &[Type])> {
    let &[Type::Image(dimension, format), coordinate, ref rest @ ..] = types else { return None };
    let rest = after_layer(dimension, rest)?;
    let fits = coordinate == Type::Vector(Scalar::Int, dimension.coordinates());
    fits.then_some((Type::Vector(format.scalar(), 4), rest))
}

/// The operands that atomic operations expect, as described in error messages.
const ATOMIC: &str = "a shared array or a storage buffer of ints or uints, an int, and a value of the element type";
const COMPARED_AND_EXCHANGED: &str =
    "a shared array or a storage buffer of ints or uints, an int, and two values of the element type";

/// Returns the element type of the memory in the first operand, if the operands are the memory, an optional index and `values`
/// values of the element type.
#[cold]
fn atomic(types: &[Type], values: usize) -> Option<Type> {
    let &[Type::Array(scalar, 1, _) | Type::Buffer(scalar, 1), ref rest @ ..] = types else { return None };
    let element = Type::Vector(scalar, 1);
    let rest = match rest {
        [Type::INT, rest @ ..] if rest.len() == values => rest,
        rest => rest,
    };
    let fits = rest.len() == values && rest.iter().all(|&ty| ty == element);
    (fits && Domain::Ints.admits(scalar)).then_some(element)
}

/// The operands that a depth comparison expects, as described in error messages.
const COMPARED: &str = "a depth texture, a coordinate of its dimension, and a float reference";

#[cold]
fn compare(types: &[Type]) -> Option<()> {
    matches!(located(Scalar::Float, types)?, (_, Texel::Depth, [Type::FLOAT])).then_some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_domain_admits_its_component_types() {
        use Domain::*;
        for domain in [Floats, Numbers, Signed, Ints, Bools, Scalars] {
            for scalar in Scalar::ALL {
                assert_eq!(domain.admits(scalar), domain.scalars().contains(&scalar), "{domain:?} {scalar:?}");
            }
        }
    }
}
