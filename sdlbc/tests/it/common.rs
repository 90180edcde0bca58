//! Modules that several tests use, and the comparison of text with files under testdata/.

#![allow(dead_code)]

pub(crate) mod cases;
pub(crate) mod hostile;
pub(crate) mod layouts;

pub(crate) use testing::damage::fix_checksum;
pub(crate) use testing::{Random, repository};

use sdlbc::{
    Access, Arity, Blocks, Body, Builtin, Debug, Dimension, Format, Function, FunctionDebug, FunctionKind,
    FunctionOutput, Id, ImageAccess, Input, InputKind, Inst, Interpolation, Lines, Module, Op, OutputKind, Sampler,
    Scalar, Source, Texel, Type, Unit, code, module,
};

pub(crate) fn inst(op: Op, output: u32, inputs: &[u32], immediates: &[u32]) -> Inst {
    Inst::new(op, Id(output), &inputs.iter().map(|&id| Id(id)).collect::<Vec<_>>(), immediates)
}

pub(crate) fn branch(condition: u32, accept: Body, reject: Body) -> Body {
    inst(Op::If, 0, &[condition], &[]).with_blocks([accept, reject])
}

pub(crate) fn bits(value: f32) -> u32 {
    value.to_bits()
}

pub(crate) fn input(id: u32, name: &str, ty: Type, kind: InputKind) -> Input {
    Input { id: Id(id), ty, name: name.to_string(), kind }
}

pub(crate) fn output(name: &str, ty: Type, kind: OutputKind) -> FunctionOutput {
    FunctionOutput { ty, name: name.to_string(), kind }
}

pub(crate) fn perspective(location: u32) -> InputKind {
    InputKind::Varying { location, interpolation: Interpolation::Perspective }
}

pub(crate) fn texture(slot: u32) -> InputKind {
    InputKind::Texture { slot, sampler: Sampler { filter: 1, mip: 2, wrap_u: 1, wrap_v: 1, ..Sampler::default() } }
}

pub(crate) fn functions(functions: Vec<Function>) -> Module {
    Module { functions, ..Module::default() }
}

/// Creates a function's record in the debug table, with names for values.
pub(crate) fn names(function: u32, names: &[(u32, &str)]) -> FunctionDebug {
    let ids = names.iter().map(|&(id, name)| (Id(id), name.to_string())).collect();
    FunctionDebug { function, ids, ..FunctionDebug::default() }
}

/// Creates a linked vertex and fragment function and a generic function. The code of these functions contains IFs, PHIs, a
/// DISCARD, textures, names, and uniforms read with and without an index.
pub(crate) fn sample() -> Module {
    let debug = Debug {
        functions: vec![
            names(0, &[(1, "va0"), (6, "vt0"), (12, "vt0.x, later")]),
            names(1, &[(9, "ft0"), (12, "ft1")]),
        ],
        ..Debug::default()
    };
    Module { functions: vec![vertex(), fragment(), generic()], debug }
}

fn vertex() -> Function {
    let linear = Interpolation::Linear;
    Function {
        kind: FunctionKind::Vertex,
        name: "vs_main".to_string(),
        inputs: vec![
            input(1, "position", Type::FLOAT4, InputKind::Attribute { location: 0 }),
            input(2, "vc", Type::Array(Scalar::Float, 4, 8), InputKind::Uniform),
            input(3, "transform", Type::Matrix { columns: 4, rows: 4 }, InputKind::Uniform),
            input(4, "", Type::Vector(Scalar::Uint, 1), InputKind::Builtin(Builtin::InstanceIndex)),
        ],
        outputs: vec![
            output("op", Type::FLOAT4, OutputKind::Position),
            output(
                "v0",
                Type::floats(2),
                OutputKind::Varying { location: 0, interpolation: Interpolation::Perspective },
            ),
            output("v 1", Type::FLOAT, OutputKind::Varying { location: 1, interpolation: linear }),
        ],
        workgroup: None,
        body: code![
            inst(Op::Peek, 5, &[2, 0], &[7]),
            inst(Op::Multiply, 6, &[3, 1], &[]),
            inst(Op::Convert, 7, &[4], &[Type::INT.word()]),
            inst(Op::Peek, 8, &[2, 7], &[1]),
            inst(Op::Swizzle, 9, &[8], &[module::swizvals(&[1, 0])]),
            inst(Op::Poke, 0, &[6], &[0]),
            inst(Op::Poke, 0, &[9], &[1]),
            inst(Op::LiteralFloat, 10, &[], &[bits(0.1)]),
            inst(Op::LiteralFloat, 11, &[], &[bits(f32::NAN)]),
            inst(Op::Max, 12, &[10, 11], &[]),
            inst(Op::Poke, 0, &[12], &[2]),
            inst(Op::Nop, 0, &[], &[1, 0xdead_beef]),
            inst(Op::Add, 0, &[5, 8], &[]),
        ],
    }
}

fn fragment() -> Function {
    Function {
        kind: FunctionKind::Fragment,
        name: "fs_main".to_string(),
        inputs: vec![
            input(1, "v0", Type::floats(2), perspective(0)),
            input(2, "v 1", Type::FLOAT, InputKind::Varying { location: 1, interpolation: Interpolation::Linear }),
            input(3, "fs0", Type::Texture(Dimension::D2, Texel::Float), texture(0)),
            input(4, "fc0", Type::FLOAT4, InputKind::Uniform),
            input(5, "front", Type::BOOL, InputKind::Builtin(Builtin::FrontFacing)),
        ],
        outputs: vec![output("oc", Type::FLOAT4, OutputKind::Colour { target: 0 })],
        workgroup: None,
        body: code![
            inst(Op::LiteralFloat4, 6, &[], &[bits(1.0), bits(-0.0), bits(f32::INFINITY), bits(1e-10)]),
            inst(Op::LiteralFloat, 7, &[], &[bits(0.5)]),
            inst(Op::LessThan, 8, &[2, 7], &[]),
            branch(
                8,
                code![
                    inst(Op::Sample, 9, &[3, 1], &[]),
                    branch(5, code![inst(Op::Discard, 0, &[], &[])], code![]),
                    inst(Op::Multiply, 10, &[9, 4], &[]),
                ],
                code![inst(Op::SampleLod, 11, &[3, 1, 7], &[])],
            ),
            inst(Op::Phi, 12, &[10, 11], &[]),
            inst(Op::Phi, 13, &[6, 11], &[]),
            inst(Op::LiteralBool, 14, &[], &[1]),
            inst(Op::Select, 15, &[14, 12, 13], &[]),
            inst(Op::Poke, 0, &[15], &[0]),
        ],
    }
}

fn generic() -> Function {
    Function {
        kind: FunctionKind::Generic,
        name: String::new(),
        inputs: vec![input(1, "a", Type::INT, InputKind::Parameter)],
        outputs: vec![output("", Type::INT, OutputKind::Returned)],
        workgroup: None,
        body: code![
            inst(Op::LiteralInt, 2, &[], &[u32::MAX]),
            inst(Op::Add, 3, &[1, 2], &[]),
            inst(Op::Return, 0, &[3], &[]),
        ],
    }
}

/// Creates a module with every operation, every kind of input, output and block, every debug record, and names of every length
/// modulo 4. The module is invalid.
pub(crate) fn everything() -> Module {
    let sampler = Sampler { filter: 5, mip: 1, wrap_u: 0, wrap_v: 1, format: 3, special: 7, bias: -8 };
    let mut inputs = vec![
        input(1, "é", Type::FLOAT, InputKind::Attribute { location: 7 }),
        input(2, "ab", Type::FLOAT, InputKind::Uniform),
        input(3, "abc", Type::Texture(Dimension::Cube, Texel::Float), InputKind::Texture { slot: 9, sampler }),
        input(4, "abcd", Type::floats(3), InputKind::Parameter),
        input(5, "slot", Type::Array(Scalar::Bool, 1, 1), InputKind::Local),
        input(31, "placed", Type::FLOAT4, InputKind::Placed { slot: 3, offset: 48 }),
        input(32, "buffer", Type::Buffer(Scalar::Uint, 2), InputKind::Buffer { slot: 5, access: Access::ReadWrite }),
        input(33, "read", Type::Buffer(Scalar::Half, 3), InputKind::Buffer { slot: 6, access: Access::Read }),
        input(
            35,
            "image",
            Type::Image(Dimension::D3, Format::Rg32Float),
            InputKind::Image { slot: 7, access: ImageAccess::Write },
        ),
        input(
            36,
            "loaded",
            Type::Image(Dimension::D2Array, Format::Rgba8Unorm),
            InputKind::Image { slot: 8, access: ImageAccess::Read },
        ),
        input(34, "shared", Type::Array(Scalar::Int, 3, 7), InputKind::Shared),
    ];
    inputs.extend(Builtin::ALL.map(|which| input(6 + which as u32, "", Type::INT, InputKind::Builtin(which))));
    inputs.extend(
        Interpolation::ALL
            .map(|interpolation| input(0, "a\n\"b\"", Type::FLOAT, InputKind::Varying { location: 2, interpolation })),
    );
    let mut outputs = vec![
        output("", Type::FLOAT, OutputKind::Position),
        output("a", Type::FLOAT, OutputKind::Colour { target: 3 }),
        output("ab", Type::FLOAT, OutputKind::Depth),
        output("abcdefg", Type::FLOAT, OutputKind::PointSize),
        output("abcdefgh", Type::FLOAT, OutputKind::Returned),
        output("clip", Type::FLOAT, OutputKind::ClipDistance { index: 7 }),
    ];
    outputs.extend(
        Interpolation::ALL.map(|how| output("", Type::INT, OutputKind::Varying { location: 1, interpolation: how })),
    );
    let mut body = Body::default();
    for (id, &op) in (100..).zip(Op::ALL) {
        let shape = op.shape();
        let count = |count| (1..=count).map(Id).collect::<Vec<_>>();
        let inputs = match shape.inputs {
            Arity::Fixed(fixed) => count(u32::try_from(fixed).expect("few")),
            Arity::TwoToFour => count(2 + id % 3),
            Arity::Layered(least) => count(u32::try_from(least).expect("few") + id % 2),
            Arity::OneOrThree => count(1 + id % 2 * 2),
            Arity::Any => count(id % 4),
        };
        let discard = || code![inst(Op::Discard, 0, &[], &[])];
        let first = |count: usize| Body::from(body.insts()[..count].to_vec());
        let (cases, blocks): (usize, Vec<Body>) = match shape.blocks {
            Blocks::None => (0, vec![]),
            Blocks::If => (0, vec![body.clone(), discard()]),
            Blocks::Loop => (0, vec![first(3)]),
            Blocks::Switch => (2, vec![discard(), code![], first(2)]),
        };
        let words = vec![0x0102_0300; if shape.ignored { 3 } else { shape.immediates + cases }];
        body.nest(Inst::new(op, Id(if shape.output { id } else { 0 }), &inputs, &words), blocks);
    }
    body.push(inst(Op::Poke, 0, &[1], &[0]));
    body.push(inst(Op::Poke, 0, &[1, 2, 0], &[u32::MAX]));
    let function = Function {
        kind: FunctionKind::Generic,
        name: "f".to_string(),
        inputs,
        outputs,
        workgroup: Some([8, 4, 2]),
        body,
    };
    Module { functions: vec![function, Function::default()], debug: debug() }
}

/// Creates a debug table with every kind of record, mostly for functions that do not exist.
pub(crate) fn debug() -> Debug {
    let source = |file: &str, text: &str, unit| Source { file: file.to_string(), text: text.to_string(), unit };
    let lines = |source, numbers: &[u32]| Some(Lines { source, numbers: numbers.to_vec() });
    Debug {
        program: Some(0x1234_5678),
        sources: vec![
            source("lit.agal", "", Unit::Token),
            source("", "a\n\tb\n", Unit::Line),
            source("", "a\n\tb\n", Unit::Line),
        ],
        functions: vec![
            FunctionDebug { function: 1, name: "helper".to_string(), lines: lines(1, &[]), ..FunctionDebug::default() },
            FunctionDebug { lines: lines(2, &[1, 0, 7]), ..names(7, &[(0, ""), (9, "x")]) },
            FunctionDebug { function: u32::MAX, lines: lines(u32::MAX, &[0, 0]), ..FunctionDebug::default() },
        ],
    }
}

pub(crate) fn nested(depth: usize) -> Function {
    let mut body = Body::default();
    let ifs = (0..depth).map(|_| body.open(inst(Op::If, 0, &[1], &[]))).collect::<Vec<_>>();
    for at in ifs.into_iter().rev() {
        body.end_block(at);
        body.end_block(at);
    }
    Function {
        name: "nested".to_string(),
        inputs: vec![input(1, "c", Type::BOOL, InputKind::Parameter)],
        body,
        ..Function::default()
    }
}

/// Compares text with a file of the repository, or writes the file if `UPDATE_EXPECT=1` is set.
#[track_caller]
pub(crate) fn expect(path: &str, actual: &str) {
    testing::expect(path, actual).unwrap_or_else(|difference| panic!("{difference}"));
}
