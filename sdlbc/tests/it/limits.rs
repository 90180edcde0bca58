//! Tests each limit in `limits.rs`: a module at the limit can be written and read back, and a module above the limit is refused.

use crate::common::layouts::member;
use crate::common::{input, inst, names, nested, output, perspective, texture};
use sdlbc::limits::Counted;
use sdlbc::{
    Body, Debug, DecodeErrorKind, Function, FunctionDebug, FunctionKind, Id, InputKind, Inst, Lines, Module, Op,
    OutputKind, Scalar, Source, Type, code, decode, encode, limits, verify,
};

fn module(functions: Vec<Function>) -> Module {
    Module { functions, ..Module::default() }
}

fn code(body: impl Into<Body>) -> Module {
    module(vec![Function { body: body.into(), ..Function::default() }])
}

fn debug(debug: Debug) -> Module {
    Module { debug, ..Module::default() }
}

fn nop() -> Inst {
    inst(Op::Nop, 0, &[], &[])
}

/// Returns the reader's error for the file of a module, or `None` if the file can be read.
fn refused(module: &Module) -> Option<DecodeErrorKind> {
    match decode(&encode(module)) {
        Ok(again) => {
            assert_eq!(again, *module);
            None
        }
        Err(error) => Some(error.kind),
    }
}

/// Tests one limit; `make` returns a module with the given number of counted items.
#[track_caller]
fn count(counted: Counted, make: impl Fn(usize) -> Module) {
    let (what, limit) = (counted.what(), counted.limit());
    let full = make(limit);
    assert_eq!(refused(&full), None, "{what} at the limit");
    assert_eq!(limits::over(&full), [], "{what} at the limit");
    assert!(!broken(&full).contains(&44), "{what} at the limit");
    let above = make(limit + 1);
    assert_eq!(refused(&above), Some(DecodeErrorKind::TooMany(counted)));
    assert_eq!(limits::over(&above), [(counted, limit + 1)]);
    assert!(broken(&above).contains(&44), "{what} above the limit");
}

fn broken(module: &Module) -> Vec<u8> {
    verify(module).err().unwrap_or_default().iter().map(|violation| violation.rule.number()).collect()
}

#[test]
fn nesting() {
    for op in [Op::If, Op::Loop, Op::Switch] {
        let deep = |depth| {
            let mut body = Body::default();
            for _ in 0..depth {
                let blocks = if op == Op::If { vec![code![], body] } else { vec![body] };
                let inputs: &[u32] = if op == Op::Loop { &[] } else { &[1] };
                body = inst(op, 0, inputs, &[]).with_blocks(blocks);
            }
            code(body)
        };
        assert_eq!(refused(&deep(limits::NESTING)), None);
        assert_eq!(refused(&deep(limits::NESTING + 1)), Some(DecodeErrorKind::Nesting));
    }
    assert_eq!(verify(&module(vec![nested(limits::NESTING)])), Ok(()));
    assert!(verify(&module(vec![nested(limits::NESTING + 1)])).is_err());
}

#[test]
fn functions() {
    count(Counted::Functions, |many| module(vec![Function::default(); many]));
    let functions = |many: usize| {
        let function = |function| FunctionDebug { name: "f".to_string(), function, ..FunctionDebug::default() };
        debug(Debug { functions: (0..many as u32).map(function).collect(), ..Debug::default() })
    };
    count(Counted::DebugFunctions, functions);
}

#[test]
fn interface() {
    let colour = || output("", Type::FLOAT4, OutputKind::Colour { target: 0 });
    let uniform = || input(1, "", Type::FLOAT4, InputKind::Uniform);
    count(Counted::Interface, |many| {
        let outputs = vec![colour(); many / 2];
        let inputs = vec![uniform(); many - many / 2];
        module(vec![Function { outputs, ..Function::default() }, Function { inputs, ..Function::default() }])
    });
}

#[test]
fn instructions() {
    count(Counted::Instructions, |many| {
        let half = Body::from(vec![nop(); many / 2]);
        let rest = many - half.insts().len() - 1;
        let in_blocks = inst(Op::Loop, 0, &[], &[]).with_blocks([vec![nop(); rest].into()]);
        module(vec![
            Function { body: half, ..Function::default() },
            Function { body: in_blocks, ..Function::default() },
        ])
    });
    // A case of a SWITCH counts as an instruction.
    count(Counted::Instructions, |many| {
        let cases = many - 1;
        let switch = inst(Op::Switch, 0, &[1], &vec![7; cases]);
        code(switch.with_blocks(vec![Body::default(); cases + 1]))
    });
}

#[test]
fn operands() {
    count(Counted::Operands, |many| {
        code(vec![
            inst(Op::Nop, 0, &[], &vec![7; many - 3]),
            inst(Op::Swizzle, 1, &[1], &[0]),
            inst(Op::Return, 0, &[0], &[]),
        ])
    });
}

#[test]
fn max_id() {
    let with = |id| code(vec![inst(Op::LiteralInt, id, &[], &[0])]);
    assert_eq!(refused(&with(limits::MAX_ID)), None);
    assert_eq!(verify(&with(limits::MAX_ID)), Ok(()));
    assert_eq!(refused(&with(limits::MAX_ID + 1)), Some(DecodeErrorKind::Id(limits::MAX_ID + 1)));
    assert!(verify(&with(limits::MAX_ID + 1)).is_err());
}

fn with_input(ty: Type, kind: InputKind) -> Module {
    let kind_of_function = FunctionKind::Fragment;
    let inputs = vec![input(1, "", ty, kind)];
    module(vec![Function { kind: kind_of_function, name: "f".to_string(), inputs, ..Function::default() }])
}

#[test]
fn array_length() {
    let uniform = |length| with_input(Type::Array(Scalar::Float, 4, length), InputKind::Uniform);
    assert_eq!(refused(&uniform(limits::ARRAY_LENGTH)), None);
    assert_eq!(verify(&uniform(limits::ARRAY_LENGTH)), Ok(()));
    assert_eq!(
        refused(&uniform(limits::ARRAY_LENGTH + 1)),
        Some(DecodeErrorKind::ArrayLength(limits::ARRAY_LENGTH + 1))
    );
    assert!(verify(&uniform(limits::ARRAY_LENGTH + 1)).is_err());
}

/// The limit applies to the sum of all functions' local slots, because an invocation has the slots of all functions. The slot
/// that exceeds the limit is reported.
#[test]
fn slots() {
    let whole = limits::ARRAY_LENGTH;
    let function = |lengths: &[u32]| {
        let slot = |(at, &length): (usize, &u32)| {
            input(at as u32 + 1, "", Type::Array(Scalar::Half, 4, length), InputKind::Local)
        };
        Function { inputs: lengths.iter().enumerate().map(slot).collect(), ..Function::default() }
    };
    let full = module(vec![function(&[whole, whole]), function(&[]), function(&[whole, whole - 1, 1])]);
    assert_eq!(verify(&full), Ok(()));
    assert_eq!(refused(&full), None);
    let above = module(vec![function(&[whole, whole]), function(&[whole, whole, 1, 7]), function(&[whole])]);
    assert_eq!(refused(&above), None, "it is readable");
    let violations = verify(&above).expect_err("too many");
    let found = violations.iter().map(|violation| (violation.rule.number(), violation.function, &violation.detail));
    let found = found.collect::<Vec<_>>();
    assert!(matches!(found[..], [(47, Some(1), sdlbc::Detail::Input { index: 2, .. })]), "{found:?}");
    // Arrays of uniforms do not count towards the limit on local slots.
    let mut uniforms = above;
    uniforms.functions.iter_mut().flat_map(|function| &mut function.inputs).for_each(|input| {
        input.kind = InputKind::Uniform;
    });
    assert_eq!(verify(&uniforms), Ok(()));
}

/// A location or texture slot is a plain word in a file, so only the verifier can check its limit.
#[test]
fn places() {
    let sampled = Type::Texture(sdlbc::Dimension::D2, sdlbc::Texel::Float);
    for (ty, kind) in [(Type::FLOAT, perspective as fn(u32) -> InputKind), (sampled, texture)] {
        assert_eq!(verify(&with_input(ty, kind(limits::PLACES - 1))), Ok(()));
        assert_eq!(refused(&with_input(ty, kind(u32::MAX))), None);
        assert!(verify(&with_input(ty, kind(limits::PLACES))).is_err());
    }
}

#[test]
fn targets() {
    let with = |target| {
        let outputs = vec![output("", Type::FLOAT4, OutputKind::Colour { target })];
        let body = code![inst(Op::LiteralFloat4, 1, &[], &[0; 4]), inst(Op::Poke, 0, &[1], &[0])];
        let kind = FunctionKind::Fragment;
        module(vec![Function { kind, name: "f".to_string(), outputs, body, ..Function::default() }])
    };
    assert_eq!(verify(&with(limits::TARGETS - 1)), Ok(()));
    assert_eq!(refused(&with(u32::MAX)), None);
    assert!(verify(&with(limits::TARGETS)).is_err());
}

#[test]
fn clip_distances() {
    let with = |indices: &[u32]| {
        let position = output("", Type::FLOAT4, OutputKind::Position);
        let clips = indices.iter().map(|&index| output("", Type::FLOAT, OutputKind::ClipDistance { index }));
        let outputs: Vec<_> = [position].into_iter().chain(clips).collect();
        let mut body = code![
            inst(Op::LiteralFloat4, 1, &[], &[0; 4]),
            inst(Op::LiteralFloat, 2, &[], &[0]),
            inst(Op::Poke, 0, &[1], &[0])
        ];
        for index in 1..=indices.len() as u32 {
            body.push(inst(Op::Poke, 0, &[2], &[index]));
        }
        let kind = FunctionKind::Vertex;
        module(vec![Function { kind, name: "f".to_string(), outputs, body, ..Function::default() }])
    };
    let all: Vec<u32> = (0..limits::CLIP_DISTANCES).collect();
    assert_eq!(verify(&with(&all)), Ok(()));
    let more: Vec<u32> = (0..=limits::CLIP_DISTANCES).collect();
    assert_eq!(refused(&with(&more)), None);
    assert!(verify(&with(&more)).is_err());
}

#[test]
fn name() {
    let places: [fn(String) -> Module; 7] = [
        |name| module(vec![Function { name, ..Function::default() }]),
        |name| {
            module(vec![Function {
                inputs: vec![input(1, &name, Type::FLOAT, InputKind::Parameter)],
                ..Function::default()
            }])
        },
        |name| {
            module(vec![Function {
                outputs: vec![output(&name, Type::FLOAT, OutputKind::Returned)],
                ..Function::default()
            }])
        },
        |file| debug(Debug { sources: vec![Source { file, ..Source::default() }], ..Debug::default() }),
        |name| debug(Debug { functions: vec![names(0, &[(1, &name)])], ..Debug::default() }),
        |name| {
            let function = FunctionDebug { name, ..FunctionDebug::default() };
            debug(Debug { functions: vec![function], ..Debug::default() })
        },
        |name| {
            let members = [(Id(1), vec![member(&name, (0, 0), Type::FLOAT)])].into();
            debug(Debug { functions: vec![FunctionDebug { members, ..FunctionDebug::default() }], ..Debug::default() })
        },
    ];
    for place in places {
        count(Counted::Name, |length| place("x".repeat(length)));
    }
}

#[test]
fn sources() {
    count(Counted::Sources, |many| debug(Debug { sources: vec![Source::default(); many], ..Debug::default() }));
}

/// The limit on strings applies to the total size of the names and texts in all parts of a module.
#[test]
fn strings() {
    count(Counted::Strings, |length| {
        let texts = [length / 3, length - length / 3 - 12].map(|length| "x".repeat(length));
        let sources = texts.map(|text| Source { file: "abcd".to_string(), text, ..Source::default() }).to_vec();
        let function = Function { name: "ab".to_string(), ..Function::default() };
        let debug = Debug { sources, functions: vec![names(0, &[(1, "xy")])], ..Debug::default() };
        Module { functions: vec![function], debug }
    });
}

#[test]
fn value_names() {
    count(Counted::ValueNames, |many| {
        let half = (many / 2) as u32;
        let named = |function, ids: std::ops::Range<u32>| FunctionDebug {
            function,
            ids: ids.map(|id| (Id(id), String::new())).collect(),
            ..FunctionDebug::default()
        };
        debug(Debug { functions: vec![named(0, 0..half), named(1, half..many as u32)], ..Debug::default() })
    });
}

#[test]
fn members() {
    count(Counted::Members, |many| {
        let member = |at| member("", (at, 0), Type::FLOAT);
        let all = |ids: std::ops::Range<u32>, each| ids.map(move |id| (Id(id), (0..each).map(member).collect()));
        let one = FunctionDebug { members: all(0..2, 100).collect(), ..FunctionDebug::default() };
        let other = FunctionDebug { members: all(5..many as u32 - 195, 1).collect(), function: 1, ..one.clone() };
        debug(Debug { functions: vec![one, other], ..Debug::default() })
    });
}

#[test]
fn lines() {
    count(Counted::Lines, |many| {
        let lines = |function, numbers| FunctionDebug {
            function,
            lines: Some(Lines { source: 0, numbers: vec![1; numbers] }),
            ..FunctionDebug::default()
        };
        debug(Debug { functions: vec![lines(0, many / 2), lines(1, many - many / 2)], ..Debug::default() })
    });
}

#[test]
fn violations() {
    let module = |many| code(vec![inst(Op::Break, 0, &[], &[]); many]);
    let reported = |many| broken(&module(many)).len();
    assert_eq!(reported(3), 5, "no break is inside a loop, and two of them are followed by an instruction");
    assert_eq!(reported(limits::VIOLATIONS), limits::VIOLATIONS);
    assert_eq!(reported(limits::INSTRUCTIONS), limits::VIOLATIONS);
}
