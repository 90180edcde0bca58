//! Wrong programs, and the rule that each breaks. A case breaks no other rule than those beside it.

mod common;

use common::{bits, branch, input, inst, nested, output, perspective, sample, texture};
use sdlbc::{
    Builtin, Dimension, Function, FunctionKind, Id, InputKind, Inst, Interpolation, Module, Names, Op, OutputKind,
    Rule, Sampler, Scalar, Type, infer_types, limits, module, verify,
};

#[test]
fn the_sample_keeps_every_rule() {
    assert_eq!(verify(&sample()), Ok(()));
    assert_eq!(verify(&Module::default()), Ok(()));
}

/// The numbers of the rules that a module breaks, each violation once.
fn broken(module: &Module) -> Vec<u8> {
    verify(module).err().unwrap_or_default().iter().map(|violation| violation.rule.number()).collect()
}

/// A generic function of a bool %1, an int %2, a float %3, a float4 %4, an array %5 and a matrix %6.
fn code(body: Vec<Inst>) -> Module {
    let parameter = |id, name: &str, ty| input(id, name, ty, InputKind::Parameter);
    let inputs = vec![
        parameter(1, "bool", Type::BOOL),
        parameter(2, "int", Type::INT),
        parameter(3, "float", Type::FLOAT),
        parameter(4, "float4", Type::FLOAT4),
        input(5, "array", Type::Array(Scalar::Float, 4, 8), InputKind::Uniform),
        parameter(6, "matrix", Type::Matrix { columns: 3, rows: 4 }),
    ];
    Module { functions: vec![Function { inputs, body, ..Function::default() }], names: vec![] }
}

/// The same with an output 0 of type float, which the body writes.
fn returning(body: Vec<Inst>) -> Module {
    let mut module = code(body);
    module.functions[0].outputs.push(output("", Type::FLOAT, OutputKind::Returned));
    module
}

/// The same as a fragment function that is given %1 as a builtin, %3 and %4 as varyings.
fn fragment(body: Vec<Inst>) -> Module {
    let inputs = vec![
        input(1, "", Type::BOOL, InputKind::Builtin(Builtin::FrontFacing)),
        input(3, "", Type::FLOAT, perspective(0)),
        input(4, "", Type::FLOAT4, perspective(1)),
    ];
    let outputs = vec![output("", Type::FLOAT, OutputKind::Depth)];
    let function = Function { kind: FunctionKind::Fragment, name: "f".to_string(), inputs, outputs, body };
    Module { functions: vec![function], names: vec![] }
}

fn negate(output: u32, input: u32) -> Inst {
    inst(Op::Negate, output, &[input], &[])
}

fn poke(value: u32) -> Inst {
    inst(Op::Poke, 0, &[value], &[0])
}

fn discard() -> Inst {
    inst(Op::Discard, 0, &[], &[])
}

#[track_caller]
fn cases(cases: impl IntoIterator<Item = (&'static str, Module, Vec<u8>)>) {
    for (what, module, rules) in cases {
        assert_eq!(broken(&module), rules, "{what}: {:#?}", verify(&module));
    }
}

#[test]
fn ids() {
    let twice = |id| code(vec![negate(id, 3), negate(id, 3)]);
    let mut unnumbered = code(vec![]);
    unnumbered.functions[0].inputs[0].id = Id::NONE;
    let phi = |a, b| code(vec![branch(1, vec![negate(7, 3)], vec![negate(8, 3)]), inst(Op::Phi, 9, &[a, b], &[])]);
    cases([
        ("an input without an id", unnumbered, vec![1]),
        ("an id defined twice", twice(7), vec![2]),
        ("an input's id defined again", code(vec![negate(3, 3)]), vec![2]),
        ("a result that is not stored, twice", twice(0), vec![]),
        ("an id above the limit", code(vec![negate(limits::MAX_ID + 1, 3)]), vec![3]),
        ("an absent operand", code(vec![negate(7, 0)]), vec![4]),
        ("an absent index", code(vec![inst(Op::Peek, 7, &[5, 0], &[7])]), vec![]),
        ("an absent array", code(vec![inst(Op::Peek, 7, &[0, 2], &[7])]), vec![4]),
        ("an operand that nobody defines", code(vec![negate(7, 8)]), vec![5]),
        ("an operand defined later", code(vec![negate(7, 8), negate(8, 3)]), vec![5]),
        ("an operand that is its own result", code(vec![negate(7, 7)]), vec![5]),
        ("a value from a block", code(vec![branch(1, vec![negate(7, 3)], vec![]), negate(8, 7)]), vec![6]),
        ("a value from the other block", code(vec![branch(1, vec![negate(7, 3)], vec![negate(8, 7)])]), vec![6]),
        ("a value from around the block", code(vec![negate(7, 3), branch(1, vec![negate(8, 7)], vec![])]), vec![]),
        ("a phi's values, each of its block", phi(7, 8), vec![]),
        ("a phi's values, both from before", phi(3, 3), vec![]),
        ("a phi's values, exchanged", phi(8, 7), vec![11, 11]),
        ("a phi's values, both of one block", phi(7, 7), vec![11]),
        ("a phi's value that nobody defines", phi(7, 10), vec![5]),
        ("a phi's value that is absent", phi(0, 8), vec![4]),
    ]);
}

#[test]
fn phis() {
    let choice = || branch(1, vec![negate(7, 3)], vec![negate(8, 3)]);
    let phi = |id, a, b| inst(Op::Phi, id, &[a, b], &[]);
    let inner = |a| vec![branch(1, vec![branch(1, vec![negate(7, 3)], vec![])], vec![]), phi(9, a, 3)];
    cases([
        ("two phis", code(vec![choice(), phi(9, 7, 8), phi(10, 7, 3)]), vec![]),
        ("a phi at the beginning", code(vec![phi(9, 3, 3)]), vec![10]),
        ("a phi behind something else", code(vec![choice(), negate(10, 3), phi(9, 3, 3)]), vec![10]),
        (
            "a phi behind a phi and something else",
            code(vec![choice(), phi(9, 7, 8), negate(10, 3), phi(11, 3, 3)]),
            vec![10],
        ),
        ("a phi at a block's beginning", code(vec![branch(1, vec![phi(9, 3, 3)], vec![])]), vec![10]),
        ("a phi of a phi at its side", code(vec![choice(), phi(9, 7, 8), phi(10, 9, 8)]), vec![11]),
        ("a phi of a block in the block", code(inner(7)), vec![11]),
        ("a phi of two types", code(vec![choice(), phi(9, 7, 4)]), vec![8]),
        ("a phi of an array", code(vec![choice(), phi(9, 5, 5)]), vec![8]),
        (
            "a phi behind a discard",
            fragment(vec![branch(1, vec![discard()], vec![negate(8, 3)]), phi(9, 3, 8), poke(9)]),
            vec![],
        ),
        (
            "a phi behind a discard, without a value for its block",
            fragment(vec![branch(1, vec![discard()], vec![negate(8, 3)]), phi(9, 8, 8), poke(9)]),
            vec![11],
        ),
    ]);
}

#[test]
fn shapes_and_types() {
    let literal = |op, immediates: &[u32]| code(vec![inst(op, 7, &[], immediates)]);
    let op = |op, inputs: &[u32]| code(vec![inst(op, 7, inputs, &[])]);
    let swizzle = |lanes: &[u8]| code(vec![inst(Op::Swizzle, 7, &[4], &[module::swizvals(lanes)])]);
    let blocks = |op, inputs: &[u32], blocks| code(vec![Inst { blocks, ..inst(op, 0, inputs, &[]) }]);
    cases([
        ("an input too few", op(Op::Add, &[3]), vec![7]),
        ("an input too many", op(Op::Add, &[3, 3, 3]), vec![7]),
        ("a vector of one", op(Op::Vector, &[3]), vec![7]),
        ("a vector of five", op(Op::Vector, &[3, 3, 3, 3, 3]), vec![7]),
        ("an immediate too few", literal(Op::LiteralInt4, &[1, 2, 3]), vec![7]),
        ("an immediate too many", literal(Op::LiteralInt, &[1, 2]), vec![7]),
        ("an output too many", returning(vec![inst(Op::Poke, 7, &[3], &[0])]), vec![7]),
        ("a nop of anything", code(vec![inst(Op::Nop, 0, &[], &[1, 2, 3])]), vec![]),
        ("a nop with an input", code(vec![inst(Op::Nop, 0, &[3], &[])]), vec![7]),
        ("two scalars", op(Op::Add, &[2, 3]), vec![8]),
        ("a scalar and a vector", op(Op::Add, &[3, 4]), vec![]),
        ("a vector and a matrix as a row", op(Op::Multiply, &[4, 6]), vec![]),
        ("a matrix and a vector that do not fit", op(Op::Multiply, &[6, 4]), vec![8]),
        ("a condition that is no bool", blocks(Op::If, &[3], vec![vec![], vec![]]), vec![8]),
        ("a swizzle", swizzle(&[3, 3]), vec![]),
        ("a swizzle of nothing", swizzle(&[]), vec![8]),
        ("a swizzle of a scalar's y", code(vec![inst(Op::Swizzle, 7, &[3], &[module::swizvals(&[1])])]), vec![8]),
        ("a bool of 2", literal(Op::LiteralBool, &[2]), vec![8]),
        ("an output that is not there", code(vec![poke(3)]), vec![8]),
        ("an output of another type", returning(vec![poke(4)]), vec![8]),
        ("what follows from a wrong type", code(vec![inst(Op::Add, 7, &[2, 3], &[]), negate(8, 7)]), vec![8]),
        ("an if with one block", blocks(Op::If, &[1], vec![vec![]]), vec![9]),
        ("an if with three", blocks(Op::If, &[1], vec![vec![], vec![], vec![negate(7, 9)]]), vec![9, 5]),
        ("something else with blocks", blocks(Op::Negate, &[3], vec![vec![], vec![]]), vec![9]),
    ]);
}

#[test]
fn stages_and_control() {
    let sampling = |op, kind, operands: &[u32]| Module {
        functions: vec![Function {
            kind,
            name: "f".to_string(),
            inputs: vec![
                input(1, "", Type::Texture(Dimension::D2), texture(0)),
                input(2, "at", Type::floats(2), InputKind::Uniform),
                input(3, "level", Type::FLOAT, InputKind::Uniform),
            ],
            outputs: vec![output("", Type::FLOAT4, OutputKind::Position)]
                .into_iter()
                .filter(|_| kind == FunctionKind::Vertex)
                .collect(),
            body: vec![
                inst(op, 4, operands, &[]),
                inst(Op::LiteralFloat4, 5, &[], &[bits(0.0); 4]),
                inst(Op::Poke, 0, &[5], &[0]),
            ]
            .into_iter()
            .take(if kind == FunctionKind::Vertex { 3 } else { 1 })
            .collect(),
        }],
        names: vec![],
    };
    let (vertex, fragments) = (FunctionKind::Vertex, FunctionKind::Fragment);
    cases([
        ("a derivative in a generic function", code(vec![inst(Op::Ddx, 7, &[3], &[])]), vec![12]),
        ("a discard in a generic function", code(vec![discard()]), vec![12]),
        ("a sample in a vertex function", sampling(Op::Sample, vertex, &[1, 2]), vec![12]),
        ("a biased one", sampling(Op::SampleBias, vertex, &[1, 2, 3]), vec![12]),
        ("one with a level", sampling(Op::SampleLod, vertex, &[1, 2, 3]), vec![]),
        ("one with gradients", sampling(Op::SampleGrad, vertex, &[1, 2, 2, 2]), vec![]),
        ("a sample in a fragment function", sampling(Op::Sample, fragments, &[1, 2]), vec![]),
        ("a derivative in a fragment function", sampling(Op::Ddy, fragments, &[2]), vec![]),
        ("something behind a discard", fragment(vec![discard(), poke(3), poke(3)]), vec![13]),
        ("ifs at the limit", Module { functions: vec![nested(limits::NESTING)], names: vec![] }, vec![]),
        ("ifs above the limit", Module { functions: vec![nested(limits::NESTING + 1)], names: vec![] }, vec![14]),
    ]);
}

#[test]
fn outputs_are_written_on_every_way() {
    let write = || vec![poke(3)];
    cases([
        ("nowhere", returning(vec![]), vec![30]),
        ("at the top", returning(write()), vec![]),
        ("twice", returning(vec![poke(3), poke(3)]), vec![]),
        ("in one block", returning(vec![branch(1, write(), vec![])]), vec![30]),
        ("in both blocks", returning(vec![branch(1, write(), write())]), vec![]),
        ("in both blocks of both", returning(vec![branch(1, write(), vec![branch(1, write(), write())])]), vec![]),
        ("in one block, and behind", returning(vec![branch(1, write(), vec![]), poke(3)]), vec![]),
        ("beside a discard", fragment(vec![branch(1, vec![discard()], write())]), vec![]),
        (
            "beside an if of discards",
            fragment(vec![branch(1, vec![branch(1, vec![discard()], vec![discard()])], write())]),
            vec![],
        ),
        ("before a discard", fragment(vec![branch(1, vec![poke(3), discard()], vec![])]), vec![30]),
        ("nowhere, but all is discarded", fragment(vec![discard()]), vec![]),
    ]);
}

#[test]
fn functions() {
    let edit = |change: fn(&mut Module)| {
        let mut module = sample();
        change(&mut module);
        module
    };
    let bare = |kind, name: &str| Function { kind, name: name.to_string(), ..Function::default() };
    let modules = |functions: Vec<Function>| Module { functions, names: vec![] };
    let fragment = FunctionKind::Fragment;
    cases([
        ("two fragment functions", modules(vec![bare(fragment, "a"), bare(fragment, "b")]), vec![15]),
        ("an entry without a name", modules(vec![bare(fragment, "")]), vec![16]),
        ("two of one name", modules(vec![bare(fragment, "a"), bare(FunctionKind::Generic, "a")]), vec![17]),
        ("two without a name", modules(vec![Function::default(), Function::default()]), vec![]),
        ("a nul in a function's name", modules(vec![bare(fragment, "a\0")]), vec![28]),
        ("a vertex function without a position", modules(vec![bare(FunctionKind::Vertex, "a")]), vec![29]),
        ("a nul in an input's name", edit(|module| module.functions[0].inputs[0].name = "\0".to_string()), vec![28]),
        ("a nul in an output's name", edit(|module| module.functions[0].outputs[0].name = "\0".to_string()), vec![28]),
        (
            "a nul in a value's name",
            edit(|module| drop(module.names[0].ids.insert(Id(6), "a\0b".to_string()))),
            vec![28],
        ),
        ("names of a function that is not there", edit(|module| module.names[1].function = 3), vec![31]),
        ("names of one function twice", edit(|module| module.names.push(module.names[1].clone())), vec![32]),
        ("names out of order", edit(|module| module.names.reverse()), vec![32]),
        ("names of nothing", edit(|module| module.names.push(Names { function: 2, ..Names::default() })), vec![32]),
        (
            "a name of an id that is not there",
            edit(|module| drop(module.names[0].ids.insert(Id(99), String::new()))),
            vec![33],
        ),
    ]);
}

#[test]
fn inputs() {
    let of = |kind, inputs: Vec<(Type, InputKind)>| {
        let inputs = (1..).zip(inputs).map(|(id, (ty, kind))| input(id, &format!("i{id}"), ty, kind)).collect();
        let function = Function { kind, name: "f".to_string(), inputs, ..Function::default() };
        Module { functions: vec![function], names: vec![] }
    };
    let generic = |ty, kind| of(FunctionKind::Generic, vec![(ty, kind)]);
    let fragment = |ty, kind| of(FunctionKind::Fragment, vec![(ty, kind)]);
    let sampler = |sampler| InputKind::Texture { slot: 0, sampler };
    let array = |length| generic(Type::Array(Scalar::Float, 4, length), InputKind::Uniform);
    let (d2, uint) = (Type::Texture(Dimension::D2), Type::Vector(Scalar::Uint, 1));
    let twice = |ty, kind| of(FunctionKind::Fragment, vec![(ty, kind), (ty, kind)]);
    let named = || {
        let mut module = twice(Type::FLOAT, InputKind::Uniform);
        module.functions[0].inputs[1].name = "i1".to_string();
        module
    };
    let unnamed = || {
        let mut module = twice(Type::FLOAT, InputKind::Uniform);
        module.functions[0].inputs.iter_mut().for_each(|input| input.name.clear());
        module
    };
    cases([
        ("an attribute of a fragment", fragment(Type::FLOAT4, InputKind::Attribute { location: 0 }), vec![18]),
        ("a varying of a generic function", generic(Type::FLOAT4, perspective(0)), vec![18]),
        ("a parameter of a fragment", fragment(Type::FLOAT4, InputKind::Parameter), vec![18]),
        ("a vertex's builtin of a fragment", fragment(uint, InputKind::Builtin(Builtin::VertexIndex)), vec![18]),
        ("a varying of ints", fragment(Type::INT, perspective(0)), vec![19]),
        ("a varying of halves", fragment(Type::Vector(Scalar::Half, 2), perspective(0)), vec![19]),
        ("a uniform of bools", generic(Type::BOOL, InputKind::Uniform), vec![19]),
        ("a uniform texture", generic(d2, InputKind::Uniform), vec![19]),
        ("a texture of floats", generic(Type::FLOAT4, texture(0)), vec![19]),
        ("a parameter texture", generic(d2, InputKind::Parameter), vec![19]),
        ("a builtin of another type", fragment(Type::INT, InputKind::Builtin(Builtin::FrontFacing)), vec![19]),
        ("two varyings of one location", twice(Type::FLOAT, perspective(3)), vec![22]),
        ("two textures of one slot", twice(d2, texture(3)), vec![22]),
        ("one builtin twice", twice(Type::BOOL, InputKind::Builtin(Builtin::FrontFacing)), vec![22]),
        ("two uniforms", twice(Type::FLOAT, InputKind::Uniform), vec![]),
        ("two uniforms of one name", named(), vec![23]),
        ("two uniforms without one", unnamed(), vec![]),
        ("a vector of seven", generic(Type::floats(7), InputKind::Parameter), vec![25]),
        (
            "vectors of seven",
            {
                let mut module = generic(Type::floats(200), InputKind::Parameter);
                module.functions[0].body = vec![inst(Op::Vector, 2, &[1, 1, 1], &[])];
                module
            },
            vec![25, 8],
        ),
        ("an array of nothing", array(0), vec![25]),
        ("a long array", array(limits::ARRAY_LENGTH), vec![]),
        ("a longer array", array(limits::ARRAY_LENGTH + 1), vec![26]),
        ("a filter of 6", generic(d2, sampler(Sampler { filter: 6, ..Sampler::default() })), vec![27]),
        ("flags of 8", generic(d2, sampler(Sampler { special: 8, ..Sampler::default() })), vec![27]),
    ]);
}

#[test]
fn outputs() {
    let of = |kind, outputs: Vec<(Type, OutputKind)>| {
        let body = outputs
            .iter()
            .enumerate()
            .filter(|(_, (ty, _))| *ty == Type::FLOAT4)
            .map(|(index, _)| inst(Op::Poke, 0, &[1], &[index as u32]))
            .chain(
                outputs
                    .iter()
                    .enumerate()
                    .filter(|(_, (ty, _))| *ty != Type::FLOAT4)
                    .map(|(index, _)| inst(Op::Poke, 0, &[2], &[index as u32])),
            )
            .collect();
        let outputs = outputs.into_iter().enumerate();
        let outputs = outputs.map(|(index, (ty, kind))| output(&format!("o{index}"), ty, kind)).collect();
        let inputs = vec![
            input(1, "float4", Type::FLOAT4, InputKind::Uniform),
            input(2, "float", Type::FLOAT, InputKind::Uniform),
        ];
        let function = Function { kind, name: "f".to_string(), inputs, outputs, body };
        Module { functions: vec![function], names: vec![] }
    };
    let fragment = |outputs| of(FunctionKind::Fragment, outputs);
    let generic = |outputs| of(FunctionKind::Generic, outputs);
    let vertex = |ty, kind| of(FunctionKind::Vertex, vec![(Type::FLOAT4, OutputKind::Position), (ty, kind)]);
    let colour = |target| (Type::FLOAT4, OutputKind::Colour { target });
    let varying = |location| OutputKind::Varying { location, interpolation: Interpolation::Flat };
    let mut named = fragment(vec![colour(0), colour(1)]);
    named.functions[0].outputs[1].name = "o0".to_string();
    cases([
        ("a colour of a vertex", vertex(Type::FLOAT4, OutputKind::Colour { target: 0 }), vec![20]),
        ("a position of a fragment", fragment(vec![(Type::FLOAT4, OutputKind::Position)]), vec![20]),
        ("a varying of a generic function", generic(vec![(Type::FLOAT, varying(0))]), vec![20]),
        ("a returned value of a fragment", fragment(vec![(Type::FLOAT, OutputKind::Returned)]), vec![20]),
        ("a varying", vertex(Type::FLOAT, varying(0)), vec![]),
        ("a colour of one float", fragment(vec![(Type::FLOAT, OutputKind::Colour { target: 0 })]), vec![21]),
        ("a depth of four", fragment(vec![(Type::FLOAT4, OutputKind::Depth)]), vec![21]),
        ("two colours of one target", fragment(vec![colour(1), colour(1)]), vec![22]),
        ("two depths", fragment(vec![(Type::FLOAT, OutputKind::Depth), (Type::FLOAT, OutputKind::Depth)]), vec![22]),
        ("two positions", vertex(Type::FLOAT4, OutputKind::Position), vec![22]),
        ("two colours of one name", named, vec![23]),
        ("four colours", fragment((0..4).map(colour).collect()), vec![]),
        ("a fifth colour", fragment(vec![colour(4)]), vec![24]),
        ("a returned array", generic(vec![(Type::Array(Scalar::Float, 1, 4), OutputKind::Returned)]), vec![21, 8]),
    ]);
}

#[test]
fn all_violations_are_found_where_they_are() {
    let module = code(vec![negate(7, 9), branch(3, vec![negate(8, 0)], vec![]), negate(7, 3)]);
    let lines = verify(&module).expect_err("violations").iter().map(ToString::to_string).collect::<Vec<_>>();
    assert_eq!(
        lines,
        [
            "V05: an operand is defined before it is used, in reading order: %9, in function 0 at instruction 0",
            "V08: the operands' types fit the operation: if wants a bool, and was given float, in function 0 at instruction 1",
            "V04: an operand has an id other than 0, the index of peek aside, in function 0 at instruction 2",
            "V02: an id is defined once in its function: %7, in function 0 at instruction 3",
        ]
    );
}

#[test]
fn instructions_are_counted_through_what_is_nested_too_deep() {
    let mut function = nested(limits::NESTING + 5);
    function.body.push(inst(Op::Negate, 2, &[9], &[]));
    let violations = verify(&Module { functions: vec![function], names: vec![] }).expect_err("violations");
    let found = violations.iter().map(|violation| (violation.rule, violation.instruction)).collect::<Vec<_>>();
    let limit = limits::NESTING;
    assert_eq!(found, [(Rule::Nesting, Some(limit)), (Rule::Defined, Some(limit + 5))]);
}

#[test]
fn every_rule_has_its_number_and_a_case() {
    let numbers = Rule::ALL.iter().map(|rule| rule.number()).collect::<Vec<_>>();
    assert_eq!(numbers, (1..=33).collect::<Vec<_>>());
    assert_eq!(Rule::InputId.to_string(), "V01");
    let here = include_str!("verify.rs");
    for number in numbers {
        let numbers = |end| format!("vec![{number}{end}");
        assert!(here.contains(&numbers("]")) || here.contains(&numbers(",")), "a case of V{number:02}");
    }
}

#[test]
fn values_have_types() {
    let module = code(vec![
        inst(Op::Peek, 7, &[5, 2], &[1]),
        branch(1, vec![inst(Op::LessThan, 8, &[7, 3], &[])], vec![]),
        inst(Op::Add, 9, &[2, 3], &[]),
        negate(10, 9),
    ]);
    let types = infer_types(&module.functions[0]);
    let of = |id| types.get(Id(id));
    assert_eq!(of(6), Some(Type::Matrix { columns: 3, rows: 4 }));
    assert_eq!(of(7), Some(Type::FLOAT4));
    assert_eq!(of(8), Some(Type::Vector(Scalar::Bool, 4)));
    assert_eq!((of(9), of(10), of(11)), (None, None, None));
    assert!(types.defines(Id(10)) && !types.defines(Id(11)));
}
