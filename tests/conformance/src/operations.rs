//! Generates small fragment functions that show the results of one IR operation. The functions cover every allowed type and
//! width, scalars mixed with vectors, and matrices of each shape.
//!
//! Rule: the operand types come from [`laws::overloads`], so a new operation with an existing typing rule needs no change here.
//!
//! A function shows several results, each in a target of four floats. An int is shown as two 16-bit parts, which floats represent
//! exactly, and a bool is shown as 0 or 1. Every function of an operation gets the same numbers from `inputs`.

use std::collections::BTreeMap;

use laws::{Immediates, Overload, overloads};
use sdlbc::builder::Lane;
use sdlbc::{
    Builder, FunctionKind, FunctionOutput, Id, InputKind, Interpolation, Module, Op, OutputKind, Scalar, Stages, Type,
    TypeRule,
};

use crate::values::{Numbers, SPECIAL};
use testing::Random;

const TARGETS: usize = 4;

/// Ints that operations treat as special cases: zero, the extremes, the divisors -1 and 0, and shift amounts of 32 and more.
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

/// One use of an operation, with operands of certain types.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// The types of the operands, in order.
    pub operands: Vec<Type>,
    /// The immediate words that follow the operands.
    pub immediates: Vec<u32>,
}

/// A generated function that shows some cases of one operation.
pub struct Shown {
    /// The operation that the function shows.
    pub op: Op,
    /// A description of the cases that the function shows, for messages.
    pub label: String,
    /// The module that contains the generated fragment function.
    pub module: Module,
}

/// Returns the cases of an operation that computes or selects a value. Operations for control flow, memory and textures have no
/// cases.
pub fn cases(op: Op) -> Vec<Case> {
    let overloads = overloads(op).iter().filter(|overload| is_shown(op, &overload.operands));
    let with_immediates = overloads.flat_map(|overload| {
        let case = |words| Case { operands: overload.operands.clone(), immediates: words };
        immediates(overload).into_iter().map(case).collect::<Vec<_>>()
    });
    with_immediates.collect()
}

/// Reports whether the generated functions include an operation with the given operand types. Texture operands need hand-written
/// IR text.
///
/// If the operands mix scalars and vectors, two cases suffice: one scalar with vectors of three components, and scalars with one
/// vector of four components.
fn is_shown(op: Op, operands: &[Type]) -> bool {
    let Some(widths) = operands.iter().map(|ty| ty.width()).collect::<Option<Vec<u8>>>() else {
        return !operands.iter().any(|ty| matches!(ty, Type::Texture(..)));
    };
    let widest = widths.iter().copied().max().unwrap_or(1);
    let scalars = widths.iter().filter(|&&width| width == 1).count();
    let is_mixed = widest > 1 && scalars > 0;
    match op.type_rule() {
        TypeRule::Componentwise(_) | TypeRule::Comparison(_) | TypeRule::Product if is_mixed => {
            (scalars, widest) == (1, 3) || (scalars, widest) == (widths.len() - 1, 4)
        }
        TypeRule::ByInts(_) if is_mixed => widest == 3,
        _ => true,
    }
}

fn immediates(overload: &Overload) -> Vec<Vec<u32>> {
    match overload.immediates {
        Immediates::Words(ref words) => vec![words.clone()],
        Immediates::Literals(scalar, width) => {
            let word = |at: usize| match scalar {
                Scalar::Bool => at as u32 % 2,
                Scalar::Float => SPECIAL[at % SPECIAL.len()].to_bits(),
                _ => SPECIAL_INTS[at % SPECIAL_INTS.len()].cast_unsigned(),
            };
            let width = usize::from(width);
            let count = if scalar == Scalar::Bool { 2 } else { SPECIAL.len() / width };
            (0..count).map(|first| (0..width).map(|at| word(first * width + at)).collect()).collect()
        }
        Immediates::Components => {
            overload.operands.iter().flat_map(|&ty| swizzles(ty)).map(|word| vec![word]).collect()
        }
    }
}

/// Returns swizzles of a vector: all swizzles with one or two components, and a selection of the swizzles with three or four
/// components. The selection contains every fifth swizzle for floats, and fewer swizzles for other types.
fn swizzles(ty: Type) -> Vec<u32> {
    let Type::Vector(scalar, width) = ty else { return Vec::new() };
    let width = u32::from(width);
    let step = match scalar {
        Scalar::Float => 5,
        Scalar::Int => 29,
        Scalar::Uint => 31,
        Scalar::Bool => 37,
        Scalar::Half => 41,
    };
    let mut all = Vec::new();
    for length in 1..=4u32 {
        for number in (0..width.pow(length)).step_by(if length < 3 { 1 } else { step }) {
            let lane = |at: u32| number / width.pow(at) % width;
            let picked = |at| if at < length { lane(at) as u8 } else { 0xff };
            all.push(u32::from_le_bytes([0, 1, 2, 3].map(picked)));
        }
    }
    all
}

fn has_halves(case: &Case) -> bool {
    let is_half = |ty: &Type| matches!(ty, Type::Vector(Scalar::Half, _));
    case.operands.iter().any(is_half) || case.immediates == [Type::Vector(Scalar::Half, 1).word()]
}

/// Returns the functions that show all cases of an operation.
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

struct Showing {
    builder: Builder,
    targets: Vec<Id>,
}

impl Showing {
    fn new() -> Showing {
        Showing { builder: Builder::new(FunctionKind::Fragment, "fs_main"), targets: Vec::new() }
    }

    /// Adds a case to the function. Returns false if the function has too few targets left for the result.
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
        self.builder.input(format!("v{location}"), Type::Vector(scalar, 4), kind)
    }

    fn first(&mut self, value: Id, width: u8) -> Id {
        let lanes: Vec<Lane> = (0..width).map(|lane| Lane { value, lane }).collect();
        self.builder.gather(&lanes)
    }

    /// Reads the operand at position `place` from a varying. Floats are at locations 0 to 3, ints at locations 4 to 6, and
    /// unsigned ints at locations 7 to 9.
    fn operand(&mut self, place: u32, ty: Type) -> Id {
        let Type::Vector(scalar, width) = ty else { unreachable!("{ty} is not an operand of this kind") };
        let four = match scalar {
            Scalar::Float | Scalar::Half => self.varying(place, Scalar::Float),
            // A vector built from four operands would need four locations, but only three exist for ints, so two operands share a
            // location.
            Scalar::Int => self.varying(4 + place % 3, Scalar::Int),
            Scalar::Uint | Scalar::Bool => self.varying(7 + place % 3, Scalar::Uint),
        };
        let value = self.first(four, width);
        match scalar {
            Scalar::Half => self.builder.convert(value, Scalar::Half),
            Scalar::Bool => {
                let one = self.builder.uint(1);
                let low = self.builder.binary_and(value, one);
                self.builder.equal(low, one)
            }
            _ => value,
        }
    }

    /// Builds a matrix from varyings. The columns of the first matrix start at location 0, and the columns of the second matrix
    /// start at location 10.
    fn matrix(&mut self, number: u32, columns: u8, rows: u8) -> Id {
        let columns: Vec<Id> = (0..u32::from(columns))
            .map(|column| {
                let four = self.varying(10 * number + column, Scalar::Float);
                self.first(four, rows)
            })
            .collect();
        self.builder.emit(Op::Matrix, &columns, &[])
    }

    fn colours(&mut self, value: Id) -> Vec<Id> {
        let builder = &mut self.builder;
        let zero = builder.float(0.0);
        let colour = |builder: &mut Builder, values: &[(Id, u8)]| {
            let lanes = values.iter().flat_map(|&(value, width)| (0..width).map(move |lane| Lane { value, lane }));
            let lanes: Vec<Lane> = lanes.chain(std::iter::repeat(Lane { value: zero, lane: 0 })).take(4).collect();
            builder.gather(&lanes)
        };
        match builder.ty(value) {
            Some(Type::Vector(Scalar::Float, width)) => vec![colour(builder, &[(value, width)])],
            Some(Type::Vector(Scalar::Half, width)) => {
                let value = builder.convert(value, Scalar::Float);
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
                let value = builder.select(value, ones, zeroes);
                vec![colour(builder, &[(value, width)])]
            }
            Some(Type::Vector(scalar, width)) => {
                let literal = if scalar == Scalar::Int { Op::LiteralInt } else { Op::LiteralUint };
                let (bits, mask) = (builder.emit(literal, &[], &[16]), builder.emit(literal, &[], &[0xffff]));
                let high = builder.shift_right(value, bits);
                let low = builder.binary_and(value, mask);
                let [high, low] = [high, low].map(|half| builder.convert(half, Scalar::Float));
                match width {
                    1 | 2 => vec![colour(builder, &[(high, width), (low, width)])],
                    _ => [high, low].map(|half| colour(builder, &[(half, width)])).to_vec(),
                }
            }
            Some(Type::Matrix { columns, rows }) => {
                let column = |number| {
                    let column = builder.peek(value, None, number);
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

/// Reports whether an operation reads neighbouring invocations, which must then be the pixels of a square.
pub fn has_neighbours(op: Op) -> bool {
    op.stage() == Stages::Fragment
}

/// Returns the values of the functions' inputs: combinations of special values, followed by `random` random values. The special
/// values start at a different index in each component.
///
/// Matrices get only numbers of moderate size, since sums of infinities prove nothing.
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

    /// Only the operations for control flow, memory and textures have no generated functions, because they need hand-written IR
    /// text.
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
        use Op::{Break, Call, Continue, Discard, Fetch, If, Loop, Nop, Peek, Phi, Poke, Return, Switch, TextureSize};
        use Op::{Gather, GatherCompare, SampleCompare, SampleCompareZero};
        let structural = [Nop, If, Call, Discard, Break, Continue, Loop, Switch, Return, Phi, Op::Sample, Peek, Poke];
        let textures = [Op::SampleBias, Op::SampleLod, Op::SampleGrad, Fetch, TextureSize]
            .into_iter()
            .chain([SampleCompare, SampleCompareZero, Gather, GatherCompare, Op::TextureOffset, Op::BufferSize])
            .chain([Op::ImageLoad, Op::ImageStore, Op::ImageSize, Op::Barrier])
            .chain(Op::ALL.iter().copied().filter(|op| op.is_atomic()))
            .collect::<Vec<_>>();
        assert_eq!(without, [&structural[..], &textures].concat());
    }
}
