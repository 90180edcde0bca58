//! Tests of 24-bit floats. Each operation is compared, in all lanes, with a reference that computes with integers.
//!
//! `CASES=` sets the number of batches of 64 operand sets for each operation, and `ROW=` selects one operation. `NUMBERS=` sets
//! the number of values with which functions of one operand are tested.

mod operands;
mod programs;
mod reference;

use std::cmp::Ordering;

use sdlbc::compute::{Value, components, compute};
use sdlbc::{InputKind, Module, Op, Scalar, Type};
use sdlbc_interp::{Column, Float, LANES, Program, Resources};
use testing::{Effort, Random, say};

use super::operations::cases::{Case, cases};
use super::operations::{Given, module, parts};
use reference as r;

/// The way in which a test computes the expected result of an operation.
enum Expected {
    /// A function of scalar operands, with the number of operands. A bool operand is 0 or 1.
    Scalars(usize, fn(&[u32]) -> u32),
    /// A function of vector operands, with the allowed vector widths and the number of operands.
    Vectors(&'static [u8], usize, fn(&[&[u32]]) -> Vec<u32>),
    /// The 32-bit result, rounded to 24 bits, for functions that no machine rounds correctly. The field is the number of scalar
    /// operands.
    Single(usize),
    /// A separate test in this folder covers the operation.
    Own,
    /// The operation moves values, or does not compute with floats.
    Exact,
}

/// Returns the reference for an operation. The match is exhaustive, so a new operation does not compile until it has a reference.
fn expected(op: Op) -> Expected {
    use Expected::{Exact, Own, Scalars, Single, Vectors};
    const ALL: &[u8] = &[1, 2, 3, 4];
    const VECTORS: &[u8] = &[2, 3, 4];
    match op {
        Op::Negate => Scalars(1, |of| r::negate(of[0])),
        Op::Multiply => Scalars(2, |of| r::multiply(of[0], of[1])),
        Op::Divide => Scalars(2, |of| r::divide(of[0], of[1])),
        Op::Modulo => Scalars(2, |of| r::modulo(of[0], of[1])),
        Op::Add => Scalars(2, |of| r::add(of[0], of[1])),
        Op::Subtract => Scalars(2, |of| r::subtract(of[0], of[1])),
        Op::LessThan => Scalars(2, |of| (r::compare(of[0], of[1]) == Some(Ordering::Less)).into()),
        Op::GreaterThan => Scalars(2, |of| (r::compare(of[0], of[1]) == Some(Ordering::Greater)).into()),
        Op::LessThanOrEqual => Scalars(2, |of| r::compare(of[0], of[1]).is_some_and(Ordering::is_le).into()),
        Op::GreaterThanOrEqual => Scalars(2, |of| r::compare(of[0], of[1]).is_some_and(Ordering::is_ge).into()),
        Op::Equal => Scalars(2, |of| (r::compare(of[0], of[1]) == Some(Ordering::Equal)).into()),
        Op::NotEqual => Scalars(2, |of| (r::compare(of[0], of[1]) != Some(Ordering::Equal)).into()),
        Op::Round => Scalars(1, |of| r::round(of[0])),
        Op::RoundEven => Scalars(1, |of| r::round_even(of[0])),
        Op::Mod => Scalars(2, |of| r::floor_mod(of[0], of[1])),
        Op::Trunc => Scalars(1, |of| r::trunc(of[0])),
        Op::Abs => Scalars(1, |of| r::abs(of[0])),
        Op::Sign => Scalars(1, |of| r::sign(of[0])),
        Op::Floor => Scalars(1, |of| r::floor(of[0])),
        Op::Ceil => Scalars(1, |of| r::ceil(of[0])),
        Op::Fract => Scalars(1, |of| r::fract(of[0])),
        Op::Radians => Scalars(1, |of| r::radians(of[0])),
        Op::Degrees => Scalars(1, |of| r::degrees(of[0])),
        Op::Sqrt => Scalars(1, |of| r::sqrt(of[0])),
        Op::Rsqrt => Scalars(1, |of| r::rsqrt(of[0])),
        Op::Min => Scalars(2, |of| r::min(of[0], of[1])),
        Op::Max => Scalars(2, |of| r::max(of[0], of[1])),
        Op::Clamp => Scalars(3, |of| r::clamp(of[0], of[1], of[2])),
        Op::Mix => Scalars(3, |of| r::mix(of[0], of[1], of[2])),
        Op::Step => Scalars(2, |of| r::step(of[0], of[1])),
        Op::SmoothStep => Scalars(3, |of| r::smoothstep(of[0], of[1], of[2])),
        Op::Mad => Scalars(3, |of| r::mad(of[0], of[1], of[2])),
        Op::Frexp => Scalars(1, |of| r::frexp(of[0])),
        Op::Exponent => Scalars(1, |of| r::exponent(of[0]).cast_unsigned()),
        Op::Len => Vectors(ALL, 1, |of| vec![r::len(of[0])]),
        Op::Distance => Vectors(ALL, 2, |of| vec![r::distance(of[0], of[1])]),
        Op::Dot => Vectors(VECTORS, 2, |of| vec![r::dot(of[0], of[1])]),
        Op::Cross => Vectors(&[3], 2, |of| r::cross(of[0], of[1])),
        Op::Normalize => Vectors(VECTORS, 1, |of| r::normalize(of[0])),
        Op::FaceForward => Vectors(VECTORS, 3, |of| r::face_forward(of[0], of[1], of[2])),
        Op::Reflect => Vectors(VECTORS, 2, |of| r::reflect(of[0], of[1])),
        Op::Refract => Vectors(VECTORS, 3, |of| r::refract(of[0], of[1], of[2][0])),
        Op::Sin
        | Op::Cos
        | Op::Tan
        | Op::Asin
        | Op::Acos
        | Op::Atan
        | Op::Sinh
        | Op::Cosh
        | Op::Tanh
        | Op::Asinh
        | Op::Acosh
        | Op::Atanh
        | Op::Exp
        | Op::Log
        | Op::Exp2
        | Op::Log2 => Single(1),
        Op::Atan2 | Op::Pow => Single(2),
        Op::Ldexp
        | Op::Convert
        | Op::Bitcast
        | Op::Ddx
        | Op::Ddy
        | Op::LiteralFloat
        | Op::LiteralFloat4
        | Op::Sample
        | Op::SampleBias
        | Op::SampleLod
        | Op::SampleGrad
        | Op::Fetch
        | Op::TextureSize
        | Op::SampleCompare
        | Op::SampleCompareZero
        | Op::Gather
        | Op::GatherCompare
        | Op::TextureOffset
        | Op::BufferSize
        | Op::ImageLoad
        | Op::ImageStore
        | Op::ImageSize
        | Op::Barrier
        | Op::AtomicAdd
        | Op::AtomicMin
        | Op::AtomicMax
        | Op::AtomicAnd
        | Op::AtomicOr
        | Op::AtomicXor
        | Op::AtomicExchange
        | Op::AtomicCompareExchange => Own,
        Op::Nop
        | Op::If
        | Op::Call
        | Op::Discard
        | Op::Break
        | Op::Continue
        | Op::Loop
        | Op::Switch
        | Op::Return
        | Op::Phi
        | Op::Swizzle
        | Op::Transpose
        | Op::Peek
        | Op::Poke
        | Op::Vector
        | Op::Select
        | Op::Matrix
        | Op::Complement
        | Op::Not
        | Op::ShiftLeft
        | Op::ShiftRight
        | Op::BinaryAnd
        | Op::BinaryOr
        | Op::BinaryXor
        | Op::LogicalAnd
        | Op::LogicalOr
        | Op::LiteralInt
        | Op::LiteralInt4
        | Op::LiteralBool
        | Op::LiteralUint
        | Op::All
        | Op::Any => Exact,
    }
}

/// Returns a module that applies an operation to vertex attributes, and the type of the operation's result.
fn performing(op: Op, operands: &[Type], immediates: &[u32]) -> (Module, Type) {
    let values: Vec<Value> = operands.iter().map(|&ty| Value { ty, words: vec![0; components(ty)] }).collect();
    let result = compute(op, &values, immediates).unwrap_or_else(|| panic!("{op} of {operands:?}"));
    let ty = result.ty;
    let case = Case { line: 0, op, immediates: immediates.to_vec(), operands: values, result, near: false };
    (module(&case, Given::Attributes), ty)
}

/// Runs a program with a column for each component of the operands, and returns the columns of the result.
fn run(program: &Program, operands: &[Type], columns: &[Column]) -> Vec<Column> {
    let mut inputs: Vec<[Column; 4]> = Vec::new();
    let mut rest = columns;
    for part in operands.iter().flat_map(|&ty| parts(ty)) {
        let (own, others) = rest.split_at(components(part));
        inputs.push(std::array::from_fn(|at| own.get(at).copied().unwrap_or([0; LANES])));
        rest = others;
    }
    let attribute = |kind: InputKind| match kind {
        InputKind::Attribute { location } => inputs.get(location as usize).copied(),
        _ => None,
    };
    let ran = program.run(&Resources::default(), u64::MAX, &attribute, None).expect("it terminates");
    ran.outputs[1..].concat()
}

/// Compares the results of an operation with the reference `of`. The program rounds the operands to 24 bits when it reads them.
#[track_caller]
fn check(op: Op, operands: &[Type], batches: impl IntoIterator<Item = Batch>, of: impl Fn(&[u32]) -> Vec<u32>) {
    let (module, ty) = performing(op, operands, &[]);
    let program = Program::with_float(&module, 0, Float::F24).expect("a program");
    let floats: Vec<bool> = operands
        .iter()
        .flat_map(|&ty| vec![!matches!(ty, Type::Vector(Scalar::Int | Scalar::Uint | Scalar::Bool, _)); components(ty)])
        .collect();
    for batch in batches {
        let columns: Vec<Column> = (0..floats.len())
            .map(|component| std::array::from_fn(|lane| batch.get(lane).map_or(0, |operands| operands[component])))
            .collect();
        let found = run(&program, operands, &columns);
        for (lane, given) in batch.iter().enumerate() {
            let round = |(&word, &is_float): (&u32, &bool)| if is_float { r::round_single(word) } else { word };
            let rounded: Vec<u32> = given.iter().zip(&floats).map(round).collect();
            let expected = of(&rounded);
            let found: Vec<u32> = found.iter().map(|column| column[lane]).collect();
            let same = expected.len() == found.len()
                && expected.iter().zip(&found).all(|(&expected, &found)| is_same(op, ty, expected, found));
            assert!(same, "{op} of {operands:?} {rounded:x?}: {found:x?}, expected {expected:x?}");
        }
    }
}

/// Reports whether two words represent the same value of a component. The sign of a NaN is ignored, and so is the sign of a
/// zero that MIN, MAX or CLAMP returns.
fn is_same(op: Op, ty: Type, expected: u32, found: u32) -> bool {
    let is_float = matches!(ty, Type::Vector(Scalar::Float, _) | Type::Matrix { .. });
    let signs_differ = expected ^ found == 1 << 31;
    let may_differ = expected == r::NAN || matches!(op, Op::Min | Op::Max | Op::Clamp) && found << 1 == 0;
    expected == found || is_float && signs_differ && may_differ
}

/// The operands of up to 64 lanes: a list of components for each lane.
type Batch = Vec<Vec<u32>>;

/// Returns batches of random operands with `count` components, preceded by special values. Operands with one component include
/// every special value, and operands with two components include every pair. Operands with three components include random
/// triples of special values.
fn batches(random: &mut Random, count: usize) -> Vec<Batch> {
    let special = operands::special();
    let mut all: Vec<Vec<u32>> = match count {
        1 => special.iter().map(|&a| vec![a]).collect(),
        2 => special.iter().flat_map(|&a| special.iter().map(move |&b| vec![a, b])).collect(),
        3 => (0..special.len().pow(2)).map(|_| (0..count).map(|_| random.pick(&special)).collect()).collect(),
        _ => Vec::new(),
    };
    let cases = Effort::of("CASES", 2000).cases as usize;
    all.extend((0..cases * LANES).map(|_| operands::random(random, count)));
    all.chunks(LANES).map(<[Vec<u32>]>::to_vec).collect()
}

fn some_batches(random: &mut Random, count: usize) -> Vec<Batch> {
    (0..60).map(|_| (0..LANES).map(|_| operands::random(random, count)).collect()).collect()
}

#[test]
fn every_operation_of_floats_computes_what_the_reference_computes() {
    let row = std::env::var("ROW").ok();
    let (mut scalars, mut vectors) = (0, 0);
    for &op in Op::ALL.iter().filter(|op| row.as_ref().is_none_or(|row| op.mnemonic() == row)) {
        let mut random = Random::of(24, &[op.number().into()]);
        match expected(op) {
            Expected::Scalars(count, of) => {
                scalars += 1;
                check(op, &vec![Type::FLOAT; count], batches(&mut random, count), |operands| vec![of(operands)]);
            }
            Expected::Single(count) => {
                let single = |operands: &[u32]| {
                    let of = |&word: &u32| Value { ty: Type::FLOAT, words: vec![word] };
                    let values: Vec<Value> = operands.iter().map(of).collect();
                    vec![r::round_single(compute(op, &values, &[]).expect("a result").words[0])]
                };
                check(op, &vec![Type::FLOAT; count], batches(&mut random, count), single);
            }
            Expected::Vectors(widths, count, of) => {
                vectors += 1;
                for &width in widths {
                    let mut types = vec![Type::floats(width); count];
                    if op == Op::Refract {
                        types[2] = Type::FLOAT;
                    }
                    let all = types.iter().map(|&ty| components(ty)).sum();
                    let split = |mut operands: &[u32]| {
                        let mut parts = Vec::new();
                        for &ty in &types {
                            let (part, rest) = operands.split_at(components(ty));
                            parts.push(part);
                            operands = rest;
                        }
                        of(&parts)
                    };
                    check(op, &types, batches(&mut random, all), split);
                }
            }
            Expected::Own | Expected::Exact => {}
        }
    }
    say(&format!("{scalars} operations of components, {vectors} of vectors"));
    assert!(row.is_some() || scalars >= 30 && vectors >= 8);
}

/// An operation that is listed as [`Expected::Exact`] must not compute with floats.
#[test]
fn operations_without_a_reference_do_not_compute_with_floats() {
    for &op in Op::ALL {
        let floats = (1..=3).any(|count| {
            let values = vec![Value { ty: Type::FLOAT, words: vec![0] }; count];
            let kernel = sdlbc::compute::kernel::<1>(op, &vec![Type::FLOAT; count]);
            op.shape().inputs.allows(count) && kernel.is_some() && compute(op, &values, &[]).is_some()
        });
        assert!(!(floats && matches!(expected(op), Expected::Exact)), "{op} computes with floats");
    }
}

/// A 24-bit float has 1 sign bit, 7 exponent bits and 16 mantissa bits, so all values can be tested.
#[test]
fn functions_of_one_number_are_right_for_every_number() {
    let value = |bits: u32| {
        let (sign, exponent, mantissa) = (bits >> 23 & 1, bits >> 16 & 127, bits & 0xffff);
        let size = match exponent {
            0 => r::ldexp(r::of_int(mantissa.into()), -78),
            127 if mantissa == 0 => f32::INFINITY.to_bits(),
            127 => r::NAN,
            _ => (exponent + 64) << 23 | mantissa << 7,
        };
        size | sign << 31
    };
    // A quick run begins at a different value for each operation.
    let effort = Effort::of("NUMBERS", 1 << 18);
    let ops = [Op::Sqrt, Op::Rsqrt, Op::Floor, Op::Round, Op::RoundEven, Op::Fract, Op::Frexp, Op::Exponent];
    for (at, op) in ops.into_iter().enumerate() {
        let Expected::Scalars(1, of) = expected(op) else { panic!("{op}") };
        let step = (1 << 18) / effort.cases.clamp(1, 1 << 18) as u32;
        let batch = |first: u32| (0..LANES as u32).map(|lane| vec![value(first * LANES as u32 + lane)]).collect();
        let firsts = (at as u32 % step..1 << 18).step_by(step as usize);
        check(op, &[Type::FLOAT], firsts.map(batch), |operands| vec![of(operands)]);
    }
}

#[test]
fn a_scaled_number_is_rounded_once() {
    let mut random = Random(5);
    let batches = batches(&mut random, 1).into_iter().map(|batch| {
        let mut other = Random(u64::from(batch[0][0]));
        let with_power = |operands: Vec<u32>| {
            let power =
                if other.once_in(8) { other.next() as i32 } else { other.below(260).cast_signed() as i32 - 130 };
            vec![operands[0], power.cast_unsigned()]
        };
        batch.into_iter().map(with_power).collect()
    });
    check(Op::Ldexp, &[Type::FLOAT, Type::INT], batches, |of| vec![r::ldexp(of[0], of[1].cast_signed())]);
}

fn convert(from: Scalar, to: Scalar, words: &[u32], of: impl Fn(u32) -> u32) {
    let ty = |scalar| Type::Vector(scalar, 1);
    let (module, _) = performing(Op::Convert, &[ty(from)], &[ty(to).word()]);
    let program = Program::with_float(&module, 0, Float::F24).expect("a program");
    for batch in words.chunks(LANES) {
        let column = std::array::from_fn(|lane| batch.get(lane).copied().unwrap_or(0));
        let found = run(&program, &[ty(from)], &[column])[0];
        for (&word, found) in batch.iter().zip(found) {
            let expected = of(word);
            let same = expected == found || expected == r::NAN && found == r::NAN | 1 << 31;
            assert!(same, "{} {word:x} to {}: {found:x}, expected {expected:x}", from.name(), to.name());
        }
    }
}

#[test]
fn conversions_round_once() {
    let mut random = Random(9);
    // The test converts integers of up to 20 bits, and integers near powers of two and near ties.
    let near =
        (16..32).flat_map(|power| (0..400).map(move |at| (1u32 << power).wrapping_add(at * 64).wrapping_sub(12_800)));
    let mut ints: Vec<u32> = (0..1 << 20).step_by(if Effort::of("NUMBERS", 1).is_full() { 1 } else { 7 }).collect();
    ints.extend(near);
    ints.extend((0..20_000).map(|_| random.next() as u32 >> random.below(32)));
    ints.extend([u32::MAX, i32::MAX.cast_unsigned(), i32::MIN.cast_unsigned(), 0x2_0001, 0x2_0003]);
    // The integer 0x4000_2001 is just above a tie. Rounding the integer to 32 bits first would produce the tie, which would then
    // be rounded down to the even number.
    ints.push(0x4000_2001);
    convert(Scalar::Int, Scalar::Float, &ints, |word| r::of_int(word.cast_signed().into()));
    convert(Scalar::Uint, Scalar::Float, &ints, |word| r::of_int(word.into()));
    convert(Scalar::Bool, Scalar::Float, &[0, 1], |word| r::of_int(word.into()));
    let floats: Vec<u32> = batches(&mut random, 1).into_iter().flatten().flatten().collect();
    let rounded = |word: u32| r::round_single(word);
    convert(Scalar::Float, Scalar::Int, &floats, |word| {
        (r::int(rounded(word), i32::MIN.into(), 2_147_483_520) as i32).cast_unsigned()
    });
    convert(Scalar::Float, Scalar::Uint, &floats, |word| r::int(rounded(word), 0, 4_294_967_040) as u32);
    convert(Scalar::Float, Scalar::Bool, &floats, |word| u32::from(rounded(word) << 1 != 0));
    convert(Scalar::Float, Scalar::Float, &floats, rounded);
    convert(Scalar::Float, Scalar::Half, &floats, |word| sdlbc::number::half(f32::from_bits(rounded(word))).to_bits());
}

/// Returns the component in the given row and column of a column-major matrix.
fn component(of: &[u32], rows: usize, row: usize, column: usize) -> u32 {
    of[column * rows + row]
}

#[test]
fn products_of_matrices_and_vectors_are_sums_in_order() {
    let mut random = Random(3);
    let matrices = || (2..=4u8).flat_map(|columns| (2..=4u8).map(move |rows| (columns, rows)));
    for (columns, rows) in matrices() {
        let matrix = Type::Matrix { columns, rows };
        let (width, height) = (usize::from(columns), usize::from(rows));
        let row_of = |of: &[u32], row| (0..width).map(|column| component(of, height, row, column)).collect::<Vec<_>>();
        let size = width * height;
        check(Op::Multiply, &[matrix, Type::floats(columns)], some_batches(&mut random, size + width), |of| {
            (0..height).map(|row| r::dot(&row_of(of, row), &of[size..])).collect()
        });
        check(Op::Multiply, &[Type::floats(rows), matrix], some_batches(&mut random, size + height), |of| {
            of[height..].chunks(height).map(|column| r::dot(&of[..height], column)).collect()
        });
        check(Op::Multiply, &[matrix, Type::FLOAT], some_batches(&mut random, size + 1), |of| {
            of[..size].iter().map(|&a| r::multiply(a, of[size])).collect()
        });
        for other in 2..=4u8 {
            let right = Type::Matrix { columns: other, rows: columns };
            check(Op::Multiply, &[matrix, right], some_batches(&mut random, size + width * usize::from(other)), |of| {
                of[size..]
                    .chunks(width)
                    .flat_map(|column| (0..height).map(|row| r::dot(&row_of(of, row), column)).collect::<Vec<_>>())
                    .collect()
            });
        }
    }
}

#[test]
fn vectors_are_computed_component_by_component() {
    let mut random = Random(4);
    for width in 2..=4u8 {
        let count = usize::from(width);
        check(Op::Add, &[Type::floats(width), Type::FLOAT], batches(&mut random, count + 1), |of| {
            of[..count].iter().map(|&a| r::add(a, of[count])).collect()
        });
    }
}

#[test]
fn halves_are_computed_as_with_32_bits() {
    let mut compared = 0;
    let mut random = Random(6);
    let is_half = |value: &Value| matches!(value.ty, Type::Vector(Scalar::Half, _));
    for case in cases().into_iter().filter(|case| case.operands.iter().any(is_half)) {
        let types: Vec<Type> = case.operands.iter().map(|operand| operand.ty).collect();
        let columns: Vec<Column> = case
            .operands
            .iter()
            .flat_map(|operand| operand.words.iter().map(move |&word| (word, is_half(operand))))
            .map(|(word, is_half)| {
                std::array::from_fn(|lane| match lane {
                    1.. if is_half => sdlbc::number::half(random.unit() * 9.0 - 4.0).to_bits(),
                    _ => word,
                })
            })
            .collect();
        let module = module(&case, Given::Attributes);
        let run = |float| run(&Program::with_float(&module, 0, float).expect("a program"), &types, &columns);
        // Only results that are halves are compared, because a float result would be rounded to 24 bits.
        if is_half(&case.result) {
            assert_eq!(run(Float::F24), run(Float::F32), "line {}: {}", case.line, case.op);
            compared += 1;
        }
    }
    assert!(compared >= 3, "{compared} cases of halves");
}
