//! Tests the results of operations on constants.

use crate::common;

use crate::common::cases;

use cases::cases;
use sdlbc::compute::{Value, compute, kernel};
use sdlbc::{Op, Scalar, Type};

#[test]
fn each_operation_returns_the_result_written_by_hand() {
    for case in cases() {
        let found = compute(case.op, &case.operands, &case.immediates);
        let found = found.unwrap_or_else(|| panic!("line {}: {} returns nothing", case.line, case.op));
        assert_eq!(found.ty, case.result.ty, "line {}", case.line);
        case.check(&found.words);
    }
}

/// Operations that do more than compute a result from their operands.
const OTHERS: [Op; 37] = [
    Op::Nop,
    Op::If,
    Op::Call,
    Op::Discard,
    Op::Break,
    Op::Continue,
    Op::Loop,
    Op::Switch,
    Op::Return,
    Op::Phi,
    Op::Poke,
    Op::Ddx,
    Op::Ddy,
    Op::Sample,
    Op::SampleBias,
    Op::SampleLod,
    Op::SampleGrad,
    Op::Fetch,
    Op::TextureSize,
    Op::SampleCompare,
    Op::SampleCompareZero,
    Op::Gather,
    Op::GatherCompare,
    Op::TextureOffset,
    Op::BufferSize,
    Op::ImageLoad,
    Op::ImageStore,
    Op::ImageSize,
    Op::Barrier,
    Op::AtomicAdd,
    Op::AtomicMin,
    Op::AtomicMax,
    Op::AtomicAnd,
    Op::AtomicOr,
    Op::AtomicXor,
    Op::AtomicExchange,
    Op::AtomicCompareExchange,
];

#[test]
fn every_operation_that_only_computes_has_a_case() {
    let cases = cases();
    for &op in Op::ALL {
        let stated = cases.iter().filter(|case| case.op == op).count();
        assert_eq!(stated == 0, OTHERS.contains(&op), "{op} has {stated} cases");
    }
}

#[test]
fn every_component_type_that_an_operation_accepts_has_a_case() {
    let cases = cases();
    let mut missing = Vec::new();
    for &op in Op::ALL {
        for scalar in Scalar::ALL {
            let operand = Type::Vector(scalar, 3);
            let accepts = kernel::<1>(op, &[operand; 3]).is_some() && compute_any(op, operand).is_some();
            let at = usize::from(op == Op::Select);
            let stated = cases
                .iter()
                .filter(|case| case.op == op)
                .filter_map(|case| case.operands.get(at))
                .any(|operand| matches!(operand.ty, Type::Vector(of, _) if of == scalar));
            if accepts && !stated && scalar != Scalar::Half {
                missing.push(format!("{op} of {}", scalar.name()));
            }
        }
    }
    assert_eq!(missing, [""; 0]);
}

/// Computes an operation on operands of type `ty` whose components are all zero.
fn compute_any(op: Op, ty: Type) -> Option<Value> {
    let zero = |ty: Type| Value { ty, words: vec![0; sdlbc::compute::components(ty)] };
    let all = [zero(ty), zero(ty), zero(ty)];
    (1..=3).find_map(|count| compute(op, &all[..count], &[]))
}

#[test]
fn operands_that_do_not_fit_return_nothing() {
    let one = |ty: Type| Value { ty, words: vec![1; sdlbc::compute::components(ty)] };
    assert_eq!(compute(Op::Add, &[one(Type::FLOAT)], &[]), None, "a missing operand");
    assert_eq!(compute(Op::Add, &[one(Type::FLOAT), one(Type::INT)], &[]), None, "two types");
    assert_eq!(compute(Op::Swizzle, &[one(Type::FLOAT)], &[]), None, "a missing immediate");
    assert_eq!(compute(Op::Swizzle, &[one(Type::FLOAT)], &[1]), None, "no such component");
    assert_eq!(compute(Op::Sample, &[one(Type::FLOAT), one(Type::FLOAT)], &[]), None, "a texture operation");
    assert_eq!(compute(Op::Phi, &[one(Type::FLOAT), one(Type::FLOAT)], &[]), None, "control flow");
    let short = Value { ty: Type::FLOAT4, words: vec![0; 3] };
    assert_eq!(compute(Op::Negate, &[short], &[]), None, "missing components");
}

/// Tests the statements about the executor in docs/instructions.md, section "Numbers".
#[test]
fn nan_denormals_and_rounding_follow_the_reference() {
    let float = |a: f32| Value { ty: Type::FLOAT, words: vec![a.to_bits()] };
    let of = |op, operands: &[f32]| {
        let operands = operands.iter().map(|&a| float(a)).collect::<Vec<_>>();
        compute(op, &operands, &[]).expect("a value").words[0]
    };
    let number = |op, operands: &[f32]| f32::from_bits(of(op, operands));
    let nan = f32::NAN;
    assert_eq!(number(Op::Clamp, &[nan, 2.0, 3.0]), 2.0, "`b`");
    assert_eq!(number(Op::Clamp, &[1.0, 3.0, 2.0]), 2.0, "`c` if `b` is greater");
    assert_eq!([number(Op::Min, &[nan, 2.0]), number(Op::Max, &[2.0, nan])], [2.0, 2.0]);
    for op in [Op::LessThan, Op::GreaterThan, Op::LessThanOrEqual, Op::GreaterThanOrEqual, Op::Equal] {
        assert_eq!([of(op, &[nan, 1.0]), of(op, &[1.0, nan]), of(op, &[nan, nan])], [0; 3], "{op}");
    }
    assert_eq!([of(Op::NotEqual, &[nan, nan]), of(Op::NotEqual, &[nan, 1.0])], [1; 2]);
    assert_eq!(number(Op::Divide, &[1.0, 0.0]), f32::INFINITY);
    assert_eq!(of(Op::Add, &[f32::from_bits(1), f32::from_bits(2)]), 3, "denormals are kept");
    assert_eq!(of(Op::Multiply, &[f32::MIN_POSITIVE, 0.5]), 0x0040_0000);
    // MAD is not fused, so the product is rounded before the addition.
    assert_eq!(number(Op::Mad, &[16_777_215.0, 16_777_215.0, -281_474_943_156_224.0]), 0.0);
    assert_eq!(number(Op::Add, &[16_777_216.0, 1.0]), 16_777_216.0, "ties to even");
    let int = Value { ty: Type::INT, words: vec![16_777_217] };
    let converted = compute(Op::Convert, &[int], &[Type::FLOAT.word()]).expect("a value");
    assert_eq!(f32::from_bits(converted.words[0]), 16_777_216.0);
    let vectors =
        [[1u32, 2, 3], [1, 9, 3]].map(|words| Value { ty: Type::Vector(Scalar::Int, 3), words: words.into() });
    assert_eq!(compute(Op::Equal, &vectors, &[]).expect("a value").words, [1, 0, 1], "component by component");
}

#[test]
fn an_element_of_a_constant_array_is_read() {
    let array = Value { ty: Type::Array(Scalar::Int, 2, 3), words: vec![1, 2, 3, 4, 5, 6] };
    let at = |index: i32| Value { ty: Type::INT, words: vec![index.cast_unsigned()] };
    let words = |value: Option<Value>| value.map(|value| value.words);
    assert_eq!(words(compute(Op::Peek, &[array.clone(), at(1)], &[1])), Some(vec![5, 6]));
    assert_eq!(words(compute(Op::Peek, &[array.clone(), at(-9)], &[1])), Some(vec![1, 2]));
    assert_eq!(words(compute(Op::Peek, &[array], &[1])), Some(vec![3, 4]));
}

/// Returns a random type, often one that no file can contain.
fn any_type(random: &mut common::Random) -> Type {
    let scalar = Scalar::ALL[random.below(5)];
    let width = [0, 1, 1, 2, 3, 4, 4, 5, 200, 255][random.below(10)];
    match random.below(8) {
        0 => Type::Array(scalar, width, [0, 1, 2, 7][random.below(4)]),
        1 => Type::Matrix { columns: [0, 1, 2, 3, 4, 255][random.below(6)], rows: width },
        2 => Type::TEXTURES[random.below(Type::TEXTURES.len())],
        _ => Type::Vector(scalar, width),
    }
}

#[test]
fn invalid_types_do_not_panic() {
    let empty = Value { ty: Type::Array(Scalar::Float, 0, 1), words: vec![] };
    assert_eq!(compute(Op::Peek, &[empty], &[0]), None, "elements without components");
    let mut random = common::Random(7);
    let (mut results, mut without) = (0, 0);
    for _ in 0..200 {
        for &op in Op::ALL {
            let shape = op.shape();
            let first = any_type(&mut random);
            let count = match shape.inputs {
                sdlbc::Arity::Fixed(count) if random.below(8) > 0 => count,
                _ => random.below(6),
            };
            let types = (0..count).map(|_| if random.below(3) > 0 { first } else { any_type(&mut random) });
            let value = |ty| Value { ty, words: vec![1; sdlbc::compute::components(ty)] };
            let operands = types.map(value).collect::<Vec<_>>();
            let words = (0..shape.immediates).map(|_| [0, 1, 0xffff_ff00, u32::MAX, 0x0403_0201][random.below(5)]);
            match compute(op, &operands, &words.collect::<Vec<_>>()) {
                Some(_) => results += 1,
                None => without += 1,
            }
        }
    }
    assert!(results > 1000 && without > 1000, "{results} results, {without} operations without one");
}
