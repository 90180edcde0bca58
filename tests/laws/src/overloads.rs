//! Lists the overloads of each operation: the operand types and immediates that the operation accepts.
//!
//! Rule: `listed` matches on every typing rule of the operation table, so a new rule does not compile until `listed` covers it. A
//! new operation with an existing rule needs no change in this file. A test compares the list with the type inference. The
//! hostile generator does not use the list, because it interprets docs/format.md independently.

use std::collections::HashMap;
use std::sync::LazyLock;

use sdlbc::module::texel_offset_word;
use sdlbc::{Arity, Dimension, Domain, Op, Scalar, Texel, Type, TypeRule};

/// One combination of operand types and immediates that an operation accepts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Overload {
    /// The type of each operand, in order.
    pub operands: Vec<Type>,
    /// The immediate words that the instruction needs.
    pub immediates: Immediates,
}

/// The immediates that an overload accepts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Immediates {
    /// Immediates that must equal the listed words. The list is usually empty.
    Words(Vec<u32>),
    /// Literals of any value, with a component type and a count.
    Literals(Scalar, u8),
    /// A swizzle word that selects one to four of the operand's components.
    Components,
}

/// Returns the overloads of an operation. The list is empty for operations whose operands depend on the rest of the module:
/// control flow, calls, barriers, PEEK, POKE, atomic operations, and accesses to storage buffers and storage textures.
pub fn overloads(op: Op) -> &'static [Overload] {
    static ALL: LazyLock<HashMap<Op, Vec<Overload>>> =
        LazyLock::new(|| Op::ALL.iter().map(|&op| (op, listed(op))).collect());
    &ALL[&op]
}

fn listed(op: Op) -> Vec<Overload> {
    let (least, most) = match op.shape().inputs {
        Arity::Fixed(count) => (count, count),
        Arity::TwoToFour => (2, 4),
        Arity::Layered(_) | Arity::OneOrThree | Arity::Any => (0, 0),
    };
    let operands: Vec<Vec<Type>> = match op.type_rule() {
        TypeRule::None
        | TypeRule::Condition
        | TypeRule::Selector
        | TypeRule::Phi
        | TypeRule::Peek
        | TypeRule::Poke
        | TypeRule::BufferSize
        | TypeRule::ImageLoad
        | TypeRule::ImageStore
        | TypeRule::ImageSize
        | TypeRule::Barrier
        | TypeRule::Atomic
        | TypeRule::AtomicCompare
        | TypeRule::Call
        | TypeRule::Return => Vec::new(),
        TypeRule::Componentwise(domain) | TypeRule::Comparison(domain) => componentwise(domain, most),
        TypeRule::Product => [componentwise(Domain::Numbers, most), products()].concat(),
        TypeRule::ByInts(domain) => by_ints(domain),
        TypeRule::Reduce => vectors(Domain::Bools, 1).map(|ty| vec![ty]).collect(),
        TypeRule::Literal(scalar, width) => {
            return vec![Overload { operands: Vec::new(), immediates: Immediates::Literals(scalar, width) }];
        }
        TypeRule::Swizzle => {
            let swizzled = |ty| Overload { operands: vec![ty], immediates: Immediates::Components };
            return vectors(Domain::Scalars, 1).map(swizzled).collect();
        }
        TypeRule::Length | TypeRule::Exponent => vectors(Domain::Floats, 1).map(|ty| vec![ty; most]).collect(),
        TypeRule::Dot | TypeRule::Geometric => vectors(Domain::Floats, 2).map(|ty| vec![ty; most]).collect(),
        TypeRule::Cross => Domain::Floats.scalars().iter().map(|&scalar| vec![Type::Vector(scalar, 3); most]).collect(),
        TypeRule::Refract => {
            let scalars = Domain::Floats.scalars().iter();
            let with_width = |scalar, width| {
                let ty = Type::Vector(scalar, width);
                vec![ty, ty, Type::Vector(scalar, 1)]
            };
            scalars.flat_map(|&scalar| (2..=4).map(move |width| with_width(scalar, width))).collect()
        }
        TypeRule::Transpose => matrices().map(|(columns, rows)| vec![Type::Matrix { columns, rows }]).collect(),
        TypeRule::Sample => Dimension::ALL.map(|dimension| sampled(op, dimension)).to_vec(),
        TypeRule::SampleCompare | TypeRule::GatherCompare => {
            let compared = |ty: Type| Some([located(ty, Scalar::Float, Texel::Depth)?, vec![Type::FLOAT]].concat());
            Type::TEXTURES.iter().filter_map(|&ty| compared(ty)).collect()
        }
        TypeRule::Gather => {
            let mut all = Vec::new();
            for &ty in Type::TEXTURES {
                for texel in [Texel::Float, Texel::Int, Texel::Uint] {
                    let Some(operands) = located(ty, Scalar::Float, texel) else { continue };
                    if matches!(ty, Type::Texture(Dimension::D3, _)) {
                        continue;
                    }
                    let component =
                        |word| Overload { operands: operands.clone(), immediates: Immediates::Words(vec![word]) };
                    all.extend((0..4).map(component));
                }
            }
            return all;
        }
        TypeRule::Fetch => {
            let fetched = |ty: Type| {
                let Type::Texture(dimension, texel) = ty else { return None };
                let operands = located(ty, Scalar::Int, texel)?;
                (!dimension.is_cube() && texel != Texel::Depth).then(|| [operands, vec![Type::INT]].concat())
            };
            Type::TEXTURES.iter().filter_map(|&ty| fetched(ty)).collect()
        }
        TypeRule::Vector => {
            let scalars = Domain::Scalars.scalars().iter();
            scalars.flat_map(|&scalar| (least..=most).flat_map(move |count| parts(scalar, count, 4))).collect()
        }
        TypeRule::Select => {
            let mut all = Vec::new();
            for ty in vectors(Domain::Scalars, 1) {
                all.push(vec![ty.of(Scalar::Bool), ty, ty]);
                if ty.width() != Some(1) {
                    all.push(vec![Type::BOOL, ty, ty]);
                }
            }
            all
        }
        TypeRule::Convert => {
            let words = Scalar::ALL.map(|to| Immediates::Words(vec![Type::Vector(to, 1).word()]));
            let to_each = |ty| words.clone().map(|immediates| Overload { operands: vec![ty], immediates });
            return vectors(Domain::Scalars, 1).flat_map(to_each).collect();
        }
        TypeRule::TextureSize => Type::TEXTURES.iter().map(|&ty| vec![ty, Type::INT]).collect(),
        TypeRule::TextureOffset => {
            let moves = |ty: &&Type| matches!(ty, Type::Texture(dimension, _) if !dimension.is_cube());
            let words = || Immediates::Words(texel_offset_word([1, -2, 0]).into_iter().collect());
            let moved = |&ty: &Type| Overload { operands: vec![ty], immediates: words() };
            return Type::TEXTURES.iter().filter(moves).map(moved).collect();
        }
        TypeRule::Bitcast => {
            let scalars = || Scalar::ALL.into_iter().filter(|scalar| scalar.has_32_bits());
            let words = |to| Immediates::Words(vec![Type::Vector(to, 1).word()]);
            let of = |ty| scalars().map(move |to| Overload { operands: vec![ty], immediates: words(to) });
            return scalars()
                .flat_map(|from| (1..=4).map(move |width| Type::Vector(from, width)))
                .flat_map(of)
                .collect();
        }
        TypeRule::Matrix => {
            (least..=most).flat_map(|count| (2..=4).map(move |rows| vec![Type::floats(rows); count])).collect()
        }
    };
    operands.into_iter().map(|operands| Overload { operands, immediates: Immediates::Words(Vec::new()) }).collect()
}

/// Lists the scalar and vector types of a domain that have at least `least` components.
fn vectors(domain: Domain, least: u8) -> impl Iterator<Item = Type> {
    domain.scalars().iter().flat_map(move |&scalar| (least..=4).map(move |width| Type::Vector(scalar, width)))
}

fn matrices() -> impl Iterator<Item = (u8, u8)> {
    (2..=4).flat_map(|columns| (2..=4).map(move |rows| (columns, rows)))
}

/// Lists the types of `count` operands with equal component type and width. Any of the operands may be a scalar instead.
fn componentwise(domain: Domain, count: usize) -> Vec<Vec<Type>> {
    let mut all = Vec::new();
    for ty in vectors(domain, 1) {
        let Type::Vector(scalar, width) = ty else { continue };
        // Each bit of `mix` makes one operand a scalar. Only width 1 produces the list in which all operands are scalars.
        let mixes = if width == 1 { 1 } else { (1 << count) - 1 };
        for mix in 0..mixes {
            let is_scalar = |operand: usize| mix >> operand & 1 == 1;
            let operand = |at| if is_scalar(at) { Type::Vector(scalar, 1) } else { ty };
            all.push((0..count).map(operand).collect());
        }
    }
    all
}

/// Lists the operand types of products with at least one matrix.
fn products() -> Vec<Vec<Type>> {
    let mut all = Vec::new();
    for (columns, rows) in matrices() {
        let matrix = Type::Matrix { columns, rows };
        all.extend([vec![Type::floats(rows), matrix], vec![matrix, Type::floats(columns)]]);
        all.extend([vec![Type::FLOAT, matrix], vec![matrix, Type::FLOAT]]);
        all.extend((2..=4).map(|other| vec![matrix, Type::Matrix { columns: other, rows: columns }]));
    }
    all
}

/// Lists pairs of a value's type and an integer type that is scalar or has the value's width. The integer is unsigned only if the
/// value consists of integers.
fn by_ints(domain: Domain) -> Vec<Vec<Type>> {
    let by: &[Scalar] = if domain == Domain::Ints { Domain::Ints.scalars() } else { &[Scalar::Int] };
    let mut all = Vec::new();
    for ty in vectors(domain, 1) {
        for &by in by {
            all.push(vec![ty, ty.of(by)]);
            if ty.width() != Some(1) {
                all.push(vec![ty, Type::Vector(by, 1)]);
            }
        }
    }
    all
}

/// Returns the operand types of a sampling operation: the texture, the coordinate, and the operands that select the mip level.
fn sampled(op: Op, dimension: Dimension) -> Vec<Type> {
    let coordinate = Type::floats(dimension.coordinates());
    let ty = Type::Texture(dimension, Texel::Float);
    let mut operands = located(ty, Scalar::Float, Texel::Float).unwrap_or_default();
    match op {
        Op::Sample => {}
        Op::SampleGrad => operands.extend([coordinate, coordinate]),
        _ => operands.push(Type::FLOAT),
    }
    operands
}

/// Returns the types of a texture, its coordinate and its layer. Returns `None` if `ty` is not a texture with texels of type
/// `texels`.
fn located(ty: Type, scalar: Scalar, texels: Texel) -> Option<Vec<Type>> {
    let Type::Texture(dimension, texel) = ty else { return None };
    let mut operands = vec![ty, Type::Vector(scalar, dimension.coordinates())];
    operands.extend(dimension.has_layers().then_some(Type::INT));
    (texel == texels).then_some(operands)
}

/// Lists all combinations of `count` scalars and vectors that together have at most `room` components.
fn parts(scalar: Scalar, count: usize, room: usize) -> Vec<Vec<Type>> {
    let Some(others) = count.checked_sub(1) else { return vec![Vec::new()] };
    let mut all = Vec::new();
    for width in 1..=room.saturating_sub(others) {
        for rest in parts(scalar, others, room - width) {
            let first = Type::Vector(scalar, u8::try_from(width).unwrap_or(4));
            all.push([vec![first], rest].concat());
        }
    }
    all
}
