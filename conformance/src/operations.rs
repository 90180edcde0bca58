//! Small fragment functions that show what an operation of the IR computes: with every admissible type and width,
//! scalars mixed with vectors, and matrices of each shape.
//!
//! Rule: the operand types are derived from the type rule of the operation's row, so a new operation with an existing
//! rule needs no change here. Several results share a function, each in a target of four floats; an int is shown as two
//! halves, which floats hold exactly, and a bool as 0 or 1. Every function gets the same numbers (`inputs`).

use std::collections::BTreeMap;

use sdlbc::builder::Lane;
use sdlbc::{
    Builder, Domain, FunctionKind, FunctionOutput, Id, InputKind, Interpolation, Module, Op, OutputKind, Scalar,
    Stages, Type, TypeRule,
};

use crate::values::{Numbers, SPECIAL};
use testing::Random;

/// The largest number of targets of a function.
const TARGETS: usize = 4;

/// Ints that break operations: zero, the extremes, the divisors -1 and 0, shifts by 32 bits and by more.
pub const SPECIAL_INTS: [i32; 20] = [
    0,
    1,
    -1,
    i32::MIN,
    i32::MAX,
    2,
    -2,
    31,
    32,
    33,
    7,
    -7,
    0x1_0000,
    100,
    -100,
    0x7fff_fffe,
    -0x7fff_ffff,
    0x00ff_ffff,
    0x0100_0001,
    -32,
];

/// One use of an operation.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// The operands' types.
    pub operands: Vec<Type>,
    /// The immediate words after them.
    pub immediates: Vec<u32>,
}

/// A function that shows some cases of one operation.
pub struct Shown {
    /// The operation.
    pub op: Op,
    /// Which cases it shows, in words.
    pub label: String,
    /// The function.
    pub module: Module,
}

fn scalars(domain: Domain) -> Vec<Scalar> {
    use Scalar::{Bool, Float, Half, Int, Uint};
    match domain {
        Domain::Floats => vec![Float, Half],
        Domain::Numbers => vec![Float, Int, Uint, Half],
        Domain::Signed => vec![Float, Int, Half],
        Domain::Ints => vec![Int, Uint],
        Domain::Bools => vec![Bool],
        Domain::Scalars => vec![Float, Int, Uint, Bool, Half],
    }
}

/// Vectors of one type and of each width, then, for several operands, each one in turn a scalar or the only vector.
fn alike(domain: Domain, count: usize) -> Vec<Vec<Type>> {
    let mut all = Vec::new();
    for scalar in scalars(domain) {
        all.extend((1..=4).map(|width| vec![Type::Vector(scalar, width); count]));
        for odd in 0..if count > 1 { count } else { 0 } {
            for (own, others) in [(1, 3), (4, 1)] {
                // With two operands, one of them being the only vector is the same as the other being a scalar.
                let width = |at: usize| if at == odd { own } else { others };
                all.push((0..count).map(|at| Type::Vector(scalar, width(at))).collect());
            }
        }
    }
    all
}

fn matrices() -> impl Iterator<Item = (u8, u8)> {
    (2..=4).flat_map(|columns| (2..=4).map(move |rows| (columns, rows)))
}

/// The uses of an operation that computes or selects; empty for control flow, memory and textures.
pub fn cases(op: Op) -> Vec<Case> {
    let count = match op.shape().inputs {
        sdlbc::Arity::Fixed(count) => count,
        _ => 0,
    };
    let floats = [Scalar::Float, Scalar::Half];
    let of = |widths: std::ops::RangeInclusive<u8>| -> Vec<Vec<Type>> {
        let types = floats.into_iter().flat_map(|scalar| widths.clone().map(move |width| Type::Vector(scalar, width)));
        types.map(|ty| vec![ty; count]).collect()
    };
    let mut immediates: Vec<Vec<u32>> = vec![Vec::new()];
    let operands: Vec<Vec<Type>> = match op.type_rule() {
        TypeRule::Componentwise(domain) | TypeRule::Comparison(domain) => alike(domain, count),
        TypeRule::Product => {
            let mut all = alike(Domain::Numbers, count);
            for (columns, rows) in matrices() {
                let matrix = Type::Matrix { columns, rows };
                all.extend([vec![Type::floats(rows), matrix], vec![matrix, Type::floats(columns)]]);
                all.extend([vec![Type::FLOAT, matrix], vec![matrix, Type::FLOAT]]);
                all.extend((2..=4).map(|other| vec![matrix, Type::Matrix { columns: other, rows: columns }]));
            }
            all
        }
        TypeRule::ByInts(domain) => {
            let by = if domain == Domain::Ints { vec![Scalar::Int, Scalar::Uint] } else { vec![Scalar::Int] };
            let mut all = Vec::new();
            for scalar in scalars(domain) {
                for &by in &by {
                    all.extend((1..=4).map(|width| vec![Type::Vector(scalar, width), Type::Vector(by, width)]));
                    all.push(vec![Type::Vector(scalar, 3), Type::Vector(by, 1)]);
                }
            }
            all
        }
        TypeRule::Reduce => (1..=4).map(|width| vec![Type::Vector(Scalar::Bool, width)]).collect(),
        TypeRule::Literal(scalar, width) => {
            let word = |at: usize| match scalar {
                Scalar::Bool => at as u32 % 2,
                Scalar::Float => SPECIAL[at % SPECIAL.len()].to_bits(),
                _ => SPECIAL_INTS[at % SPECIAL_INTS.len()].cast_unsigned(),
            };
            let width = usize::from(width);
            let count = if scalar == Scalar::Bool { 2 } else { SPECIAL.len() / width };
            immediates = (0..count).map(|first| (0..width).map(|at| word(first * width + at)).collect()).collect();
            vec![Vec::new()]
        }
        TypeRule::Swizzle => return swizzles(),
        TypeRule::Length | TypeRule::Exponent => of(1..=4),
        TypeRule::Dot | TypeRule::Geometric => of(2..=4),
        TypeRule::Cross => of(3..=3),
        TypeRule::Refract => {
            let with_scalar = |types: Vec<Type>| match types[0] {
                Type::Vector(scalar, _) => vec![types[0], types[0], Type::Vector(scalar, 1)],
                _ => types,
            };
            of(2..=4).into_iter().map(with_scalar).collect()
        }
        TypeRule::Transpose => matrices().map(|(columns, rows)| vec![Type::Matrix { columns, rows }]).collect(),
        TypeRule::Vector => {
            let parts: [&[u8]; 11] = [
                &[1, 1],
                &[1, 2],
                &[2, 1],
                &[1, 1, 1],
                &[2, 2],
                &[1, 3],
                &[3, 1],
                &[1, 1, 2],
                &[1, 2, 1],
                &[2, 1, 1],
                &[1, 1, 1, 1],
            ];
            let all = scalars(Domain::Scalars).into_iter();
            all.flat_map(|scalar| {
                parts.iter().map(move |parts| parts.iter().map(|&width| Type::Vector(scalar, width)).collect())
            })
            .collect()
        }
        TypeRule::Select => {
            let mut all = Vec::new();
            for scalar in scalars(Domain::Scalars) {
                for width in 1..=4 {
                    let ty = Type::Vector(scalar, width);
                    all.push(vec![ty.of(Scalar::Bool), ty, ty]);
                    if width > 1 {
                        all.push(vec![Type::BOOL, ty, ty]);
                    }
                }
            }
            all
        }
        TypeRule::Convert => {
            immediates = Scalar::ALL.map(|to| vec![Type::Vector(to, 1).word()]).to_vec();
            Scalar::ALL.iter().flat_map(|&from| (1..=4).map(move |width| vec![Type::Vector(from, width)])).collect()
        }
        TypeRule::Matrix => matrices().map(|(columns, rows)| vec![Type::floats(rows); columns.into()]).collect(),
        TypeRule::None
        | TypeRule::Condition
        | TypeRule::Selector
        | TypeRule::Phi
        | TypeRule::Sample
        | TypeRule::Fetch
        | TypeRule::Peek
        | TypeRule::Poke
        | TypeRule::Call
        | TypeRule::Return => return Vec::new(),
    };
    let case = |operands: &Vec<Type>| {
        immediates
            .iter()
            .map(|words| Case { operands: operands.clone(), immediates: words.clone() })
            .collect::<Vec<_>>()
    };
    operands.iter().flat_map(case).collect()
}

/// Every swizzle of two components and every fifth of three and four, for floats; some for the other types.
fn swizzles() -> Vec<Case> {
    let mut all = Vec::new();
    for (scalar, step) in
        [(Scalar::Float, 5), (Scalar::Int, 29), (Scalar::Uint, 31), (Scalar::Bool, 37), (Scalar::Half, 41)]
    {
        for width in 1..=4u32 {
            for length in 1..=4u32 {
                let count = width.pow(length);
                for number in (0..count).step_by(if length < 3 { 1 } else { step }) {
                    let lane = |at: u32| number / width.pow(at) % width;
                    let picked = |at| if at < length { lane(at) as u8 } else { 0xff };
                    let operands = vec![Type::Vector(scalar, width as u8)];
                    all.push(Case { operands, immediates: vec![u32::from_le_bytes([0, 1, 2, 3].map(picked))] });
                }
            }
        }
    }
    all
}

/// Whether the case involves halves, which some targets lack.
fn has_halves(case: &Case) -> bool {
    let is_half = |ty: &Type| matches!(ty, Type::Vector(Scalar::Half, _));
    case.operands.iter().any(is_half) || case.immediates == [Type::Vector(Scalar::Half, 1).word()]
}

/// The functions that show an operation.
pub fn shown(op: Op) -> Vec<Shown> {
    let mut all = Vec::new();
    let (halves, others): (Vec<Case>, Vec<Case>) = cases(op).into_iter().partition(has_halves);
    for cases in [others, halves] {
        let mut rest = cases.as_slice();
        while !rest.is_empty() {
            let mut function = Showing::new();
            let taken = rest.iter().take_while(|case| function.shows(op, case)).count();
            assert!(taken > 0, "`{op}` with {:?} does not fit into a function", rest[0]);
            let label = rest[..taken].iter().map(|case| format!("{:?}", case.operands)).collect::<Vec<_>>().join(" ");
            all.push(Shown { op, label, module: function.finish() });
            rest = &rest[taken..];
        }
    }
    all
}

/// A function under construction.
struct Showing {
    builder: Builder,
    targets: Vec<Id>,
}

impl Showing {
    fn new() -> Showing {
        Showing { builder: Builder::new(FunctionKind::Fragment, "fs_main"), targets: Vec::new() }
    }

    /// Adds a case if there is room for it.
    fn shows(&mut self, op: Op, case: &Case) -> bool {
        let mut matrix = 0;
        let operands = case.operands.iter().enumerate().map(|(at, &ty)| match ty {
            Type::Matrix { columns, rows } => {
                matrix += 1;
                self.matrix(matrix - 1, columns, rows)
            }
            ty => self.operand(at as u32, ty),
        });
        let operands: Vec<Id> = operands.collect();
        let result = self.builder.emit(op, &operands, &case.immediates);
        let colours = self.colours(result);
        if self.targets.len() + colours.len() > TARGETS {
            return false;
        }
        self.targets.extend(colours);
        true
    }

    fn varying(&mut self, location: u32, scalar: Scalar) -> Id {
        let interpolation = if scalar == Scalar::Float { Interpolation::Perspective } else { Interpolation::Flat };
        let kind = InputKind::Varying { location, interpolation };
        self.builder.input(&format!("v{location}"), Type::Vector(scalar, 4), kind)
    }

    /// Truncates a vector to its first components.
    fn first(&mut self, value: Id, width: u8) -> Id {
        let lanes: Vec<Lane> = (0..width).map(|lane| Lane { value, lane }).collect();
        self.builder.gather(&lanes)
    }

    /// The operand at a position. Floats are at the locations 0 to 3, ints at 4 to 6, unsigned ints at 7 to 9.
    fn operand(&mut self, place: u32, ty: Type) -> Id {
        let Type::Vector(scalar, width) = ty else { unreachable!("{ty} is not an operand of this kind") };
        let four = match scalar {
            Scalar::Float | Scalar::Half => self.varying(place, Scalar::Float),
            // Vectors built from four operands need one more than the three locations.
            Scalar::Int => self.varying(4 + place % 3, Scalar::Int),
            Scalar::Uint | Scalar::Bool => self.varying(7 + place % 3, Scalar::Uint),
        };
        let value = self.first(four, width);
        match scalar {
            Scalar::Half => self.builder.emit(Op::Convert, &[value], &[Type::Vector(Scalar::Half, 1).word()]),
            Scalar::Bool => {
                let one = self.builder.emit(Op::LiteralUint, &[], &[1]);
                let low = self.builder.emit(Op::BinaryAnd, &[value, one], &[]);
                self.builder.emit(Op::Equal, &[low, one], &[])
            }
            _ => value,
        }
    }

    /// The columns of the first matrix are at the locations 0 to 3, those of the second at 10 to 13.
    fn matrix(&mut self, number: u32, columns: u8, rows: u8) -> Id {
        let columns: Vec<Id> = (0..u32::from(columns))
            .map(|column| {
                let four = self.varying(10 * number + column, Scalar::Float);
                self.first(four, rows)
            })
            .collect();
        self.builder.emit(Op::Matrix, &columns, &[])
    }

    /// A value as colours.
    fn colours(&mut self, value: Id) -> Vec<Id> {
        let builder = &mut self.builder;
        let float = Type::FLOAT.word();
        let zero = builder.float(0.0);
        let colour = |builder: &mut Builder, values: &[(Id, u8)]| {
            let lanes = values.iter().flat_map(|&(value, width)| (0..width).map(move |lane| Lane { value, lane }));
            let lanes: Vec<Lane> = lanes.chain(std::iter::repeat(Lane { value: zero, lane: 0 })).take(4).collect();
            builder.gather(&lanes)
        };
        match builder.ty(value) {
            Some(Type::Vector(Scalar::Float, width)) => vec![colour(builder, &[(value, width)])],
            Some(Type::Vector(Scalar::Half, width)) => {
                let value = builder.emit(Op::Convert, &[value], &[float]);
                vec![colour(builder, &[(value, width)])]
            }
            Some(Type::Vector(Scalar::Bool, width)) => {
                let one = builder.float(1.0);
                let all = |builder: &mut Builder, of: Id| colour(builder, &[(of, 1); 4]);
                let (ones, zeroes) = (all(builder, one), all(builder, zero));
                let (ones, zeroes) = match width {
                    1 => (one, zero),
                    4 => (ones, zeroes),
                    _ => {
                        let lanes = |value| (0..width).map(|lane| Lane { value, lane }).collect::<Vec<_>>();
                        (builder.gather(&lanes(ones)), builder.gather(&lanes(zeroes)))
                    }
                };
                let value = builder.emit(Op::Select, &[value, ones, zeroes], &[]);
                vec![colour(builder, &[(value, width)])]
            }
            Some(Type::Vector(scalar, width)) => {
                let literal = if scalar == Scalar::Int { Op::LiteralInt } else { Op::LiteralUint };
                let (bits, mask) = (builder.emit(literal, &[], &[16]), builder.emit(literal, &[], &[0xffff]));
                let high = builder.emit(Op::ShiftRight, &[value, bits], &[]);
                let low = builder.emit(Op::BinaryAnd, &[value, mask], &[]);
                let [high, low] = [high, low].map(|half| builder.emit(Op::Convert, &[half], &[float]));
                match width {
                    1 | 2 => vec![colour(builder, &[(high, width), (low, width)])],
                    _ => [high, low].map(|half| colour(builder, &[(half, width)])).to_vec(),
                }
            }
            Some(Type::Matrix { columns, rows }) => {
                let column = |number| {
                    let column = builder.emit(Op::Peek, &[value, Id::NONE], &[number]);
                    colour(builder, &[(column, rows)])
                };
                (0..u32::from(columns)).map(column).collect()
            }
            other => unreachable!("{other:?} is not a result"),
        }
    }

    fn finish(mut self) -> Module {
        for (target, colour) in (0u32..).zip(self.targets) {
            let kind = OutputKind::Colour { target };
            let output = self.builder.output(FunctionOutput { ty: Type::FLOAT4, name: format!("oc{target}"), kind });
            self.builder.poke(output, colour);
        }
        let (function, _) = self.builder.finish().unwrap_or_else(|error| panic!("{error}"));
        Module { functions: vec![function], ..Module::default() }
    }
}

/// Whether an operation reads neighbouring invocations, so that they must lie in a square.
pub fn has_neighbours(op: Op) -> bool {
    op.stage() == Stages::Fragment
}

/// The functions' inputs: special values combined with each other, with a different start in each component, then
/// `random` random ones. Matrices get numbers of ordinary size only, since sums of infinities prove nothing.
pub fn inputs(op: Op, random: usize) -> BTreeMap<u32, Vec<[u32; 4]>> {
    let tame = matches!(op, Op::Matrix | Op::Transpose);
    let mut inputs = BTreeMap::new();
    for location in 0..14u32 {
        let scalar = match location {
            4..=6 => Scalar::Int,
            7..=9 => Scalar::Uint,
            _ => Scalar::Float,
        };
        let place = match location {
            0..=3 => location,
            4..=9 => (location - 4) % 3,
            _ => location,
        };
        let mut numbers = Random(u64::from(op.number()) << 8 | u64::from(location));
        let mut values = Vec::new();
        let count = if tame { 0 } else { SPECIAL.len() };
        for first in 0..count {
            for second in 0..count {
                let own = match place {
                    0 => first,
                    1 => second,
                    _ => first + 3 * second + place as usize,
                };
                values.push(std::array::from_fn(|component| {
                    let at = (own + 7 * component) % count;
                    if scalar == Scalar::Float { SPECIAL[at].to_bits() } else { SPECIAL_INTS[at].cast_unsigned() }
                }));
            }
        }
        for at in 0..random {
            values.push([(); 4].map(|()| match scalar {
                Scalar::Float if tame || at % 2 == 0 => numbers.everyday().to_bits(),
                Scalar::Float => numbers.any().to_bits(),
                _ if at % 2 == 0 => numbers.next() as u32,
                _ => numbers.component(scalar),
            }));
        }
        inputs.insert(location, values);
    }
    inputs
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The operations that need hand-written text: control flow, memory and textures.
    #[test]
    fn every_operation_that_computes_is_shown_and_every_function_verifies() {
        let mut without = Vec::new();
        for &op in Op::ALL {
            let all = shown(op);
            if all.is_empty() {
                without.push(op);
            }
            for shown in all {
                assert_eq!(sdlbc::verify(&shown.module), Ok(()), "{op}: {}", shown.label);
            }
        }
        use Op::{Break, Call, Continue, Discard, Fetch, If, Loop, Nop, Peek, Phi, Poke, Return, Switch};
        let structural = [Nop, If, Call, Discard, Break, Continue, Loop, Switch, Return, Phi, Op::Sample, Peek, Poke];
        let textures = [Op::SampleBias, Op::SampleLod, Op::SampleGrad, Fetch];
        assert_eq!(without, [&structural[..], &textures].concat());
    }
}
