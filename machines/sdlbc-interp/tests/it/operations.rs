//! Tests of single operations in all lanes, which compare the executor with the constant folder's evaluator. The operands are
//! handwritten or random, and come from vertex attributes or from uniforms.

#[path = "../../../../sdlbc/tests/it/common/cases.rs"]
pub(super) mod cases;

use cases::{Case, cases, is_same};
use sdlbc::compute::{Value, components, compute};
use sdlbc::{
    Builder, FunctionKind, FunctionOutput, Id, InputKind, Interpolation, Module, Op, OutputKind, Scalar, Type,
};
use sdlbc_interp::{Column, LANES, Program, Resources};
use testing::Random;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Given {
    Attributes,
    Uniforms,
}

/// Returns the type used to pass an operand: a uint for a bool, and a float for a half.
fn plain(ty: Type) -> Type {
    match ty {
        Type::Vector(Scalar::Bool, width) => Type::Vector(Scalar::Uint, width),
        Type::Vector(Scalar::Half, width) => Type::Vector(Scalar::Float, width),
        other => other,
    }
}

fn converted(builder: &mut Builder, value: Id, from: Type, to: Type) -> Id {
    match to {
        Type::Vector(scalar, _) if from != to => builder.convert(value, scalar),
        _ => value,
    }
}

/// Returns the types of the vectors used to pass a value. A matrix is passed as its columns.
pub(super) fn parts(ty: Type) -> Vec<Type> {
    match ty {
        Type::Matrix { columns, rows } => vec![Type::floats(rows); columns.into()],
        other => vec![other],
    }
}

/// Builds a vertex function that performs one operation. The parts of the operands are attributes or uniforms, and the parts of
/// the result are the outputs after the position.
pub(super) fn module(case: &Case, given: Given) -> Module {
    let mut builder = Builder::new(FunctionKind::Vertex, "main");
    let mut next = 0;
    let mut operands = Vec::new();
    for operand in &case.operands {
        let columns: Vec<Id> = parts(plain(operand.ty))
            .into_iter()
            .map(|ty| {
                let kind = match given {
                    Given::Attributes => InputKind::Attribute { location: next },
                    Given::Uniforms => InputKind::Uniform,
                };
                next += 1;
                builder.input(format!("i{}", next - 1), ty, kind)
            })
            .collect();
        operands.push(match columns[..] {
            [value] => converted(&mut builder, value, plain(operand.ty), operand.ty),
            _ => builder.emit(Op::Matrix, &columns, &[]),
        });
    }
    if case.op == Op::Peek && operands.len() == 1 {
        operands.push(Id::NONE);
    }
    let result = builder.emit(case.op, &operands, &case.immediates);
    let position = builder.output(FunctionOutput { ty: Type::FLOAT4, name: "p".into(), kind: OutputKind::Position });
    let zero = builder.emit(Op::LiteralFloat4, &[], &[0; 4]);
    builder.poke(position, zero);
    for (at, ty) in parts(plain(case.result.ty)).into_iter().enumerate() {
        let kind = OutputKind::Varying { location: at as u32, interpolation: Interpolation::Flat };
        let output = builder.output(FunctionOutput { ty, name: format!("o{at}"), kind });
        let value = match case.result.ty {
            Type::Matrix { .. } => builder.peek(result, None, at as u32),
            of => converted(&mut builder, result, of, ty),
        };
        builder.poke(output, value);
    }
    let (function, _) = builder.finish().unwrap_or_else(|error| panic!("line {}: {error}", case.line));
    Module { functions: vec![function], ..Module::default() }
}

/// Runs an operation with different operands in each lane, and returns the result of each lane.
fn run(case: &Case, given: Given, lanes: &[Vec<Value>]) -> Vec<Vec<u32>> {
    let module = module(case, given);
    let program = Program::new(&module, 0).unwrap_or_else(|error| panic!("line {}: {error}", case.line));
    let mut inputs: Vec<[Column; 4]> = Vec::new();
    for (at, operand) in case.operands.iter().enumerate() {
        let mut first = 0;
        for part in parts(operand.ty) {
            let width = components(part);
            inputs.push(std::array::from_fn(|component| {
                std::array::from_fn(|lane| match lanes.get(lane) {
                    Some(operands) if component < width => operands[at].words[first + component],
                    _ => 0,
                })
            }));
            first += width;
        }
    }
    let mut resources = Resources::default();
    for (at, columns) in inputs.iter().enumerate() {
        let words = columns.iter().map(|column| column[0]).collect();
        resources.uniforms.insert((FunctionKind::Vertex, format!("i{at}")), words);
    }
    let live = if lanes.len() == LANES { u64::MAX } else { (1 << lanes.len()) - 1 };
    let attribute = |kind: InputKind| match kind {
        InputKind::Attribute { location } => inputs.get(location as usize).copied(),
        _ => None,
    };
    let ran = program.run(&resources, live, &attribute, None).expect("it terminates");
    let results = ran.outputs[1..].concat();
    (0..lanes.len()).map(|lane| results.iter().map(|column| column[lane]).collect()).collect()
}

#[test]
fn each_operation_computes_the_handwritten_results() {
    for case in cases() {
        for given in [Given::Attributes, Given::Uniforms] {
            // The operands occupy every lane, so that the result of the last lane is also checked.
            let lanes = vec![case.operands.clone(); LANES];
            for found in run(&case, given, &lanes) {
                case.check(&found);
            }
        }
    }
}

/// Returns a random component: a small number, arbitrary bits or an unusual float.
fn word(random: &mut Random, ty: Type) -> u32 {
    let any = |random: &mut Random| random.next() as u32;
    let small = random.below(9) as u32;
    match (ty, random.below(4)) {
        (Type::Vector(Scalar::Bool, _), _) => any(random) & 1,
        (Type::Vector(Scalar::Int | Scalar::Uint, _), 0) => any(random),
        (Type::Vector(Scalar::Int | Scalar::Uint, _), _) => small.wrapping_sub(3),
        (Type::Vector(Scalar::Half, _), _) => {
            sdlbc::number::half((random.unit() - 0.5) * 2f32.powi(small.cast_signed())).to_bits()
        }
        (_, 0) => any(random),
        (_, 1) => [0.0, -0.0, 1.0, f32::INFINITY, f32::NEG_INFINITY, f32::NAN, f32::MIN_POSITIVE, f32::MAX, -0.5]
            [small as usize]
            .to_bits(),
        _ => ((random.unit() - 0.5) * 8.0).to_bits(),
    }
}

#[test]
fn every_lane_computes_what_the_constant_folder_computes() {
    let mut random = Random(1);
    for case in cases() {
        for _ in 0..8 {
            let lanes: Vec<Vec<Value>> = (0..LANES)
                .map(|_| {
                    let value = |of: &Value| Value {
                        ty: of.ty,
                        words: of.words.iter().map(|_| word(&mut random, of.ty)).collect(),
                    };
                    case.operands.iter().map(value).collect()
                })
                .collect();
            for (operands, found) in lanes.iter().zip(run(&case, Given::Attributes, &lanes)) {
                let wanted = compute(case.op, operands, &case.immediates).expect("it is computed");
                let same = wanted.words.iter().zip(&found).all(|(&a, &b)| is_same(wanted.ty, a, b, false));
                assert!(
                    same && wanted.words.len() == found.len(),
                    "{} of {operands:x?}: {wanted:x?}, {found:x?}",
                    case.op
                );
            }
        }
    }
}
