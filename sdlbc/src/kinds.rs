//! A table of the operation properties that the builder and the verifier look up for each instruction. Looking up a row is faster
//! than calling [`Op`]'s methods.

use crate::facts::Row;
use crate::{Blocks, Domain, Inst, Op, Scalar, Shape, Stages, Type, TypeRule};

pub(crate) struct Kind {
    pub(crate) shape: Shape,
    pub(crate) rule: TypeRule,
    /// Whether the operation is allowed only in fragment functions.
    pub(crate) is_fragment: bool,
    /// The allowed numbers of operands as a bit mask: bit n is set if n operands are allowed.
    counts: u8,
    /// Whether the operation only computes a value: it has no verification rules of its own and does not affect control flow.
    pub(crate) is_plain: bool,
    /// Whether the result is a constant, a selection of components, or an element of an array or matrix.
    pub(crate) picks: bool,
    /// The component types that a componentwise operation accepts, as a bit mask; 0 for other operations.
    alike: u8,
    compares: bool,
    pub(crate) facts: Row,
    /// Whether the result may differ between executions with the same operands.
    pub(crate) varies: bool,
}

impl Kind {
    /// Reports whether the operation is plain and `inst` matches its shape, with at most four operands and no blocks.
    pub(crate) fn fits_plainly(&self, inst: &Inst) -> bool {
        let count = inst.inputs.len();
        self.is_plain
            && count <= 4
            && self.counts >> count & 1 == 1
            && inst.immediates.len() == self.shape.immediates
            && inst.ends.is_empty()
    }

    /// Returns the result type of a componentwise operation whose operands all have the component type `scalar` and the width
    /// `width`.
    #[inline]
    pub(crate) fn of_alike(&self, scalar: Scalar, width: u8) -> Option<Type> {
        let of = if self.compares { Scalar::Bool } else { scalar };
        (self.alike >> scalar as u32 & 1 != 0).then_some(Type::Vector(of, width))
    }

    /// Returns the type of the result in the simple cases, which cover most instructions, or `None` if full type inference is
    /// needed.
    #[inline]
    pub(crate) fn simple_type(&self, types: &[Type], immediates: &[u32]) -> Option<Type> {
        if let &[Type::Vector(scalar, width), ref others @ ..] = types
            && let Some(ty) = self.of_alike(scalar, width)
            && others.iter().all(|ty| matches!(*ty, Type::Vector(a, b) if (a, b) == (scalar, width)))
        {
            return Some(ty);
        }
        match (self.rule, types) {
            (TypeRule::Swizzle, &[Type::Vector(scalar, width)]) => {
                let word = *immediates.first()?;
                let count = 4 - word.leading_ones() / 8;
                let has = |&lane: &u8| lane < width;
                let fits = count > 0 && word.to_le_bytes().iter().take(count as usize).all(has);
                fits.then_some(Type::Vector(scalar, u8::try_from(count).ok()?))
            }
            (TypeRule::Dot, &[Type::Vector(Scalar::Float, width), b]) => {
                (width > 1 && b == Type::floats(width)).then_some(Type::FLOAT)
            }
            (TypeRule::Literal(Scalar::Float, width), _) => Some(Type::floats(width)),
            (TypeRule::Peek, &[Type::Array(scalar, width, _)]) => Some(Type::Vector(scalar, width)),
            _ => None,
        }
    }
}

const fn kind(op: Op) -> Kind {
    let (shape, rule) = (op.shape(), op.type_rule());
    let has_own_rules = matches!(op, Op::Phi | Op::Call | Op::TextureSize | Op::TextureOffset | Op::ImageLoad)
        || op.is_atomic()
        || !matches!(shape.blocks, Blocks::None);
    Kind {
        shape,
        rule,
        counts: {
            let (mut counts, mut count) = (0, 0);
            while count <= 5 {
                counts |= (shape.inputs.allows(count) as u8) << count;
                count += 1;
            }
            counts
        },
        is_fragment: matches!(op.stage(), Stages::Fragment),
        is_plain: shape.output && !shape.ignored && !has_own_rules,
        picks: matches!(op, Op::Swizzle | Op::Peek) || shape.inputs.allows(0) && !matches!(op, Op::Call),
        alike: match rule {
            TypeRule::Componentwise(domain) | TypeRule::Comparison(domain) => domain.bits(),
            TypeRule::Product => Domain::Numbers.bits(),
            _ => 0,
        },
        compares: matches!(rule, TypeRule::Comparison(_)),
        facts: Row::of(op),
        varies: matches!(op, Op::Phi) || op.has_result_and_effect(),
    }
}

crate::by_operation! {
    pub(crate) fn of(op) -> Kind = kind;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::infer::{Context, result};
    use crate::module::swizvals;
    use crate::{Dimension, Texel};

    #[test]
    fn a_simple_type_is_the_inferred_one() {
        let scalars = Scalar::ALL.into_iter().flat_map(|scalar| (1..=4).map(move |width| Type::Vector(scalar, width)));
        let mut types: Vec<Type> = scalars.collect();
        types.extend([
            Type::Matrix { columns: 2, rows: 3 },
            Type::Texture(Dimension::D2, Texel::Float),
            Type::Array(Scalar::Float, 4, 9),
        ]);
        let mut operands: Vec<Vec<Type>> = vec![vec![]];
        for &a in &types {
            operands.push(vec![a]);
            operands.extend(types.iter().flat_map(|&b| [vec![a, b], vec![a, b, a], vec![a, a, b], vec![a, b, a, a]]));
        }
        let words =
            [u32::MAX, 0, 1, swizvals(&[0]), swizvals(&[2, 1]), swizvals(&[0, 1, 2, 3]), 0xff00_ff00, 0x0400_0000];
        let mut simple = 0;
        for &op in Op::ALL {
            for types in &operands {
                for immediates in words.iter().map(std::slice::from_ref).chain([&[][..]]) {
                    let Some(ty) = of(op).simple_type(types, immediates) else { continue };
                    let inferred = result(op, immediates, true, op.type_rule(), types, &Context::default());
                    assert_eq!(inferred, Ok(Some(ty)), "{op} {types:?} {immediates:x?}");
                    simple += 1;
                }
            }
        }
        assert!(simple > 10_000, "{simple}");
    }
}
