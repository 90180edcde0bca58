//! Tests the verifier on modules that no text can represent, because of wrong shapes, wrong types or sizes above the limits. The
//! programs in testdata/sdlbc/wrong test the rules that a text can break (wrong.rs).

use crate::common::layouts::member;
use crate::common::{Random, bits, branch, functions, input, inst, nested, output, sample};
use sdlbc::{
    Access, Body, Builtin, Debug, Function, FunctionDebug, FunctionKind, Id, ImageAccess, InputKind, Inst,
    Interpolation, Lines, Member, Module, Op, OutputKind, Rule, Sampler, Scalar, Source, Type, call_order, code,
    encode, graph, infer_types, limits, verify,
};

#[test]
fn the_sample_verifies() {
    assert_eq!(verify(&sample()), Ok(()));
    assert_eq!(verify(&Module::default()), Ok(()));
}

fn broken(module: &Module) -> Vec<u8> {
    verify(module).err().unwrap_or_default().iter().map(|violation| violation.rule.number()).collect()
}

/// Creates a generic function whose inputs are a bool %1, an int %2, a float %3, a float4 %4, an array %5 and a matrix %6.
fn code(body: Body) -> Module {
    let parameter = |id, name: &str, ty| input(id, name, ty, InputKind::Parameter);
    let inputs = vec![
        parameter(1, "bool", Type::BOOL),
        parameter(2, "int", Type::INT),
        parameter(3, "float", Type::FLOAT),
        parameter(4, "float4", Type::FLOAT4),
        input(5, "array", Type::Array(Scalar::Float, 4, 8), InputKind::Uniform),
        parameter(6, "matrix", Type::Matrix { columns: 3, rows: 4 }),
    ];
    functions(vec![Function { inputs, body, ..Function::default() }])
}

fn negate(output: u32, input: u32) -> Inst {
    inst(Op::Negate, output, &[input], &[])
}

#[track_caller]
fn cases(cases: impl IntoIterator<Item = (&'static str, Module, Vec<u8>)>) {
    for (what, module, rules) in cases {
        assert_eq!(broken(&module), rules, "{what}: {:#?}", verify(&module));
    }
}

#[test]
fn instructions_must_have_their_shapes_and_blocks() {
    let one = |op, output, inputs: &[u32], words: &[u32]| code(code![inst(op, output, inputs, words)]);
    let blocks =
        |op, inputs: &[u32], cases: &[u32], blocks: Vec<Body>| code(inst(op, 0, inputs, cases).with_blocks(blocks));
    let leave = || code![inst(Op::Break, 0, &[], &[])];
    let phi_after = |blocks: Vec<Body>| {
        code(code![inst(Op::If, 0, &[1], &[]).with_blocks(blocks), inst(Op::Phi, 9, &[0, 7], &[]), negate(10, 9)])
    };
    let head = |inputs: &[u32]| {
        let body = code![inst(Op::Phi, 9, inputs, &[]), branch(1, leave(), code![])];
        blocks(Op::Loop, &[], &[], vec![body])
    };
    cases([
        ("too few inputs", one(Op::Add, 7, &[3], &[]), vec![7]),
        ("too many inputs", one(Op::Add, 7, &[3, 3, 3], &[]), vec![7]),
        ("a vector of one component", one(Op::Vector, 7, &[3], &[]), vec![7]),
        ("a vector of five components", one(Op::Vector, 7, &[3, 3, 3, 3, 3], &[]), vec![7]),
        ("too few immediates", one(Op::LiteralInt4, 7, &[], &[1, 2, 3]), vec![7]),
        ("too many immediates", one(Op::LiteralInt, 7, &[], &[1, 2]), vec![7]),
        ("a poke of two inputs", one(Op::Poke, 0, &[3, 5], &[0]), vec![7]),
        ("an unexpected output", one(Op::Return, 7, &[0], &[]), vec![7]),
        ("a return without an operand", one(Op::Return, 0, &[], &[]), vec![7]),
        ("a call without a function", one(Op::Call, 0, &[], &[]), vec![7]),
        ("a nop with any words", one(Op::Nop, 0, &[], &[1, 2, 3]), vec![]),
        ("a nop with an input", one(Op::Nop, 0, &[3], &[]), vec![7]),
        ("too many conditions", blocks(Op::If, &[1, 1], &[], vec![code![], code![]]), vec![7]),
        ("a phi of one value at a loop's head", head(&[3]), vec![7]),
        ("a phi of three values at a loop's head", head(&[3, 3, 3]), vec![7]),
        ("an if without blocks", blocks(Op::If, &[1], &[], vec![]), vec![9]),
        ("an if with one block", blocks(Op::If, &[1], &[], vec![code![]]), vec![9]),
        (
            "an if with three blocks",
            blocks(Op::If, &[1], &[], vec![code![], code![], code![negate(7, 99)]]),
            vec![9, 5],
        ),
        ("a phi after an if with one block", phi_after(vec![code![negate(7, 3)]]), vec![9]),
        ("a phi after an if with two blocks", phi_after(vec![code![negate(7, 3)], code![]]), vec![4, 11]),
        ("a loop without a block", blocks(Op::Loop, &[], &[], vec![]), vec![9]),
        ("a loop with two blocks", blocks(Op::Loop, &[], &[], vec![leave(), leave()]), vec![9]),
        ("a loop with a case", blocks(Op::Loop, &[], &[1], vec![leave()]), vec![7]),
        ("a switch with too few blocks", blocks(Op::Switch, &[2], &[1], vec![code![]]), vec![9]),
        ("a switch with too many blocks", blocks(Op::Switch, &[2], &[], vec![code![], code![]]), vec![9]),
        ("a switch without a block", blocks(Op::Switch, &[2], &[], vec![]), vec![9]),
        ("another operation with blocks", blocks(Op::Negate, &[3], &[], vec![code![], code![]]), vec![9]),
        (
            "a jump with blocks",
            code(code![inst(Op::Return, 0, &[0], &[]).with_blocks([code![negate(7, 99)]])]),
            vec![9, 5],
        ),
        (
            "a phi with blocks",
            code(code![
                branch(1, code![], code![]),
                inst(Op::Phi, 7, &[3, 3], &[]).with_blocks([code![negate(8, 99)]])
            ]),
            vec![9, 5],
        ),
    ]);
}

#[test]
fn ids_types_and_arrays_must_be_within_their_limits() {
    let of = |ty, kind| {
        let body = code![inst(Op::Vector, 2, &[1, 1, 1], &[])];
        functions(vec![Function { inputs: vec![input(1, "i", ty, kind)], body, ..Function::default() }])
    };
    let array = |length| {
        let ty = Type::Array(Scalar::Float, 4, length);
        functions(vec![Function { inputs: vec![input(1, "i", ty, InputKind::Uniform)], ..Function::default() }])
    };
    let mut unnumbered = code(code![]);
    unnumbered.functions[0].inputs[0].id = Id::NONE;
    let returned = |ty| {
        let outputs = vec![output("", ty, OutputKind::Returned)];
        let body = code![inst(Op::Discard, 0, &[], &[])];
        functions(vec![Function { outputs, body, ..Function::default() }])
    };
    cases([
        ("an input without an id", unnumbered, vec![1]),
        ("an id at the limit", code(code![negate(limits::MAX_ID, 3)]), vec![]),
        ("an id above the limit", code(code![negate(limits::MAX_ID + 1, 3)]), vec![3]),
        ("the highest id, twice", code(code![negate(u32::MAX, 3), negate(u32::MAX, 3)]), vec![3, 3, 2]),
        ("a vector of seven components", of(Type::floats(7), InputKind::Parameter), vec![25]),
        ("a vector of two hundred components", of(Type::floats(200), InputKind::Parameter), vec![25]),
        ("a vector of no components", of(Type::floats(0), InputKind::Uniform), vec![25]),
        ("a matrix of one column", of(Type::Matrix { columns: 1, rows: 4 }, InputKind::Parameter), vec![25]),
        ("a matrix of five rows", returned(Type::Matrix { columns: 4, rows: 5 }), vec![25]),
        ("a matrix", returned(Type::Matrix { columns: 4, rows: 3 }), vec![]),
        ("an array without elements", array(0), vec![25]),
        ("a long array", array(limits::ARRAY_LENGTH), vec![]),
        ("a longer array", array(limits::ARRAY_LENGTH + 1), vec![26]),
        ("a longer returned array", returned(Type::Array(Scalar::Float, 4, limits::ARRAY_LENGTH + 1)), vec![21, 26]),
    ]);
}

#[test]
fn blocks_nest_up_to_the_limit() {
    let within = |op, depth| {
        let mut body = code![inst(Op::Break, 0, &[], &[])];
        for _ in 0..depth {
            body = inst(op, 0, if op == Op::Loop { &[] } else { &[2] }, &[]).with_blocks([body]);
        }
        code(body)
    };
    let limit = limits::NESTING;
    cases([
        ("ifs at the limit", functions(vec![nested(limit)]), vec![]),
        ("ifs above the limit", functions(vec![nested(limit + 1)]), vec![14]),
        ("ifs far above the limit", functions(vec![nested(limit + 3000)]), vec![14]),
        ("loops above the limit, which may have their exit there", within(Op::Loop, limit + 1), vec![14]),
        ("switches above the limit", within(Op::Switch, limit + 1), vec![14]),
    ]);
}

#[test]
fn members_must_fit_their_arrays() {
    let of = |id, list: &[(&str, (u32, u32), Type)]| {
        let mut module = code(code![]);
        let list = list.iter().map(|&(name, place, ty)| member(name, place, ty)).collect();
        let debug = FunctionDebug { members: [(Id(id), list)].into(), ..FunctionDebug::default() };
        module.debug.functions.push(debug);
        module
    };
    let one = |place, ty| of(5, &[("a", place, ty)]);
    let float = ("a", (0, 0), Type::FLOAT);
    let (matrix, array) = (Type::Matrix { columns: 3, rows: 3 }, Type::Array(Scalar::Float, 4, 8));
    cases([
        ("all of the array", one((0, 0), array), vec![]),
        ("its end", of(5, &[("a", (5, 0), matrix)]), vec![]),
        ("a parameter", of(3, &[float]), vec![48]),
        ("an id that is not defined", of(99, &[float]), vec![48]),
        ("the id 0", of(0, &[float]), vec![48]),
        ("an id above the limit", of(limits::MAX_ID + 1, &[float]), vec![3, 48]),
        ("no member", of(5, &[]), vec![32, 48]),
        ("a matrix within an element", one((0, 1), matrix), vec![49]),
        ("a matrix of five columns", one((0, 0), Type::Matrix { columns: 5, rows: 4 }), vec![49]),
        ("a vector of five components", one((0, 0), Type::floats(5)), vec![49]),
        ("two components in two elements", one((0, 3), Type::floats(2)), vec![49]),
        ("a component after w", one((0, 4), Type::FLOAT), vec![49]),
        ("ints", one((0, 0), Type::INT), vec![49]),
        ("past the end", one((8, 0), Type::FLOAT), vec![50]),
        ("partly past the end", one((6, 0), matrix), vec![50]),
        ("twice the same place", of(5, &[float, ("b", (0, 0), Type::FLOAT)]), vec![50]),
        ("descending", of(5, &[("b", (1, 0), Type::FLOAT), float]), vec![50]),
        ("overlapping", of(5, &[("b", (0, 0), matrix), ("a", (2, 3), Type::FLOAT)]), vec![50]),
        ("no name", of(5, &[("", (0, 0), Type::FLOAT)]), vec![51]),
        ("one name twice", of(5, &[float, ("a", (1, 0), Type::FLOAT)]), vec![51]),
        ("a nul", of(5, &[("\0", (0, 0), Type::FLOAT)]), vec![28]),
        ("an array above the limit", one((0, 0), Type::Array(Scalar::Float, 4, 4097)), vec![26, 50]),
    ]);
}

#[test]
fn instructions_that_are_nested_too_deep_are_counted() {
    let mut function = nested(limits::NESTING + 5);
    function.body.push(negate(2, 9));
    let mut module = functions(vec![function]);
    module.debug.functions = vec![crate::common::names(0, &[(2, "x")])];
    let violations = verify(&module).expect_err("violations");
    let found = violations.iter().map(|violation| (violation.rule, violation.instruction)).collect::<Vec<_>>();
    let limit = limits::NESTING;
    assert_eq!(found, [(Rule::Nesting, Some(limit)), (Rule::Defined, Some(limit + 5))]);
}

#[test]
fn ids_that_are_defined_too_deep_are_known() {
    let mut body = code![negate(7, 1), inst(Op::Return, 0, &[0], &[])];
    for _ in 0..limits::NESTING {
        body = branch(1, body, code![]);
    }
    let looped =
        inst(Op::Loop, 0, &[], &[]).with_blocks([code![branch(1, body, code![]), inst(Op::Phi, 9, &[7, 0], &[])]]);
    let mut module = code(looped);
    module.debug.functions = vec![crate::common::names(0, &[(7, "x"), (9, "y")])];
    assert_eq!(broken(&module), [14, 11, 4], "{:#?}", verify(&module));
}

#[test]
fn a_module_has_no_more_instructions_than_the_limit() {
    let nops = |count| Function { body: vec![inst(Op::Nop, 0, &[], &[]); count].into(), ..Function::default() };
    let mut module = functions(vec![nops(3), nops(limits::INSTRUCTIONS - 4), nops(2), nops(5)]);
    let violations = verify(&module).expect_err("too many");
    let found = violations.iter().map(|violation| (violation.rule, violation.function, violation.instruction));
    assert_eq!(found.collect::<Vec<_>>(), [(Rule::Limits, None, None)]);
    assert_eq!(broken(&module), vec![44]);
    let text = violations[0].to_string();
    let limit = limits::INSTRUCTIONS;
    assert!(text.ends_with(&format!(": {} instructions and cases, but the limit is {limit}", limit + 6)), "{text}");
    module.functions.truncate(3);
    module.functions[2].body.keep(&[true]);
    assert_eq!(verify(&module), Ok(()));
}

/// limits.rs tests all limits except the number of functions.
#[test]
fn a_module_has_no_more_functions_than_the_limit() {
    let module = functions(vec![Function::default(); limits::FUNCTIONS + 1]);
    assert_eq!(broken(&module), vec![44]);
    let line = verify(&module).expect_err("too many")[0].to_string();
    assert!(line.ends_with(": 4097 functions, but the limit is 4096"), "{line}");
}

#[test]
fn all_violations_are_reported_at_their_places() {
    let module = code(code![negate(7, 9), branch(3, code![negate(8, 0)], code![]), negate(7, 3)]);
    let lines = verify(&module).expect_err("violations").iter().map(ToString::to_string).collect::<Vec<_>>();
    let rule = |rule: Rule| format!("{rule}: {}", rule.text());
    assert_eq!(
        lines,
        [
            format!("{}: %9, in function 0 at instruction 0, byte 240", rule(Rule::Defined)),
            format!(
                "{}: `if` expects a bool, found float, in function 0 at instruction 1, byte 256",
                rule(Rule::Types)
            ),
            format!("{}, in function 0 at instruction 2, byte 272", rule(Rule::OperandPresent)),
            format!("{}: %7, in function 0 at instruction 3, byte 288", rule(Rule::UniqueIds)),
        ]
    );
}

/// A violation at the head of a LOOP is reported there, even if the verifier finds it only at the end of the LOOP.
#[test]
fn violations_are_in_reading_order() {
    let body = code![
        inst(Op::Phi, 7, &[3, 0], &[]),
        negate(8, 99),
        branch(1, code![inst(Op::Break, 0, &[], &[])], code![]),
        negate(9, 98),
    ];
    let module = code(code![inst(Op::Loop, 0, &[], &[]).with_blocks([body]), negate(10, 97)]);
    let violations = verify(&module).expect_err("violations");
    let found = violations.iter().map(|violation| (violation.rule.number(), violation.instruction.expect("one")));
    assert_eq!(found.collect::<Vec<_>>(), [(4, 1), (5, 2), (5, 5), (5, 6)]);
}

#[test]
fn types_are_inferred() {
    let module = code(code![
        inst(Op::Peek, 7, &[5, 2], &[1]),
        branch(1, code![inst(Op::LessThan, 8, &[7, 3], &[]), inst(Op::Return, 0, &[0], &[])], code![]),
        inst(Op::Phi, 11, &[0, 7], &[]),
        inst(Op::Add, 9, &[2, 3], &[]),
        negate(10, 9),
        inst(Op::Loop, 0, &[], &[]).with_blocks([code![inst(Op::Phi, 12, &[4, 13], &[]), negate(13, 12)]]),
        inst(Op::Call, 14, &[], &[1]),
    ]);
    let outputs = vec![output("", Type::Matrix { columns: 2, rows: 2 }, OutputKind::Returned)];
    let callee = Function { outputs, ..Function::default() };
    let module = functions(vec![module.functions[0].clone(), callee]);
    let types = infer_types(&module, 0);
    let of = |id| types.get(Id(id));
    assert_eq!(of(6), Some(Type::Matrix { columns: 3, rows: 4 }));
    assert_eq!(of(7), Some(Type::FLOAT4));
    assert_eq!(of(8), Some(Type::Vector(Scalar::Bool, 4)));
    assert_eq!(of(11), Some(Type::FLOAT4), "of a phi with one absent operand");
    assert_eq!((of(12), of(13)), (Some(Type::FLOAT4), Some(Type::FLOAT4)), "of a phi at a loop's head");
    assert_eq!(of(14), Some(Type::Matrix { columns: 2, rows: 2 }), "of a call");
    assert_eq!((of(9), of(10), of(15)), (None, None, None));
    assert!(types.defines(Id(10)) && !types.defines(Id(15)));
    assert_eq!(infer_types(&module, 2).get(Id(1)), None);
}

#[test]
fn a_long_chain_of_calls_is_followed_without_a_deep_stack() {
    let count = limits::FUNCTIONS as u32;
    let calling = |index| Function { body: code![inst(Op::Call, 0, &[], &[index])], ..Function::default() };
    let mut module = functions((1..=count).map(calling).collect());
    assert_eq!(broken(&module), [38], "the last one calls a function that does not exist");
    module.functions[count as usize - 1].body = code![];
    assert_eq!(verify(&module), Ok(()));
    let order = call_order(&module, 0);
    assert_eq!(order, (1..count as usize).rev().collect::<Vec<_>>());
    module.functions[count as usize - 1] = calling(0);
    assert_eq!(broken(&module), [39]);
}

/// Any module built in code can be verified, typed and drawn as a graph, and a second verification reports the same violations.
#[test]
fn no_module_causes_a_panic() {
    let mut random = Random(0x5eed_0046);
    let mut rules = std::collections::BTreeSet::new();
    for round in 0..4000 {
        let module = module(&mut random);
        let found = verify(&module).err().unwrap_or_default();
        assert_eq!(verify(&module).err().unwrap_or_default(), found, "round {round}");
        let length = encode(&module).len();
        for violation in &found {
            rules.insert(violation.rule);
            assert!(violation.offset.is_some_and(|offset| offset <= length), "round {round}: {violation}");
            assert!(!violation.to_string().contains('\n'));
        }
        for index in 0..module.functions.len() {
            infer_types(&module, index);
            call_order(&module, index);
        }
        graph(&module);
    }
    assert!(rules.len() >= Rule::ALL.len() - 7, "some rounds must break nearly every rule, found {rules:?}");
}

fn module(random: &mut Random) -> Module {
    let functions = (0..random.below(4)).map(|_| function(random)).collect();
    let mut debug = Debug::default();
    if random.below(2) == 0 {
        debug.program = (random.below(4) == 0).then_some(7);
        debug.sources = vec![Source { file: name(random), ..Source::default() }; random.below(2)];
        for _ in 0..random.below(3) {
            let lines = Lines { source: random.below(3) as u32, numbers: vec![1; random.below(9)] };
            debug.functions.push(FunctionDebug {
                function: random.below(4) as u32,
                name: name(random),
                ids: (0..random.below(3)).map(|_| (id(random), name(random))).collect(),
                members: (0..random.below(3)).map(|_| (id(random), members(random))).collect(),
                bindings: (0..random.below(3)).map(|_| (id(random), binding(random))).collect(),
                lines: (random.below(2) == 0).then_some(lines),
            });
        }
    }
    Module { functions, debug }
}

fn binding(random: &mut Random) -> sdlbc::SourceBinding {
    match random.below(3) {
        0 => sdlbc::SourceBinding::Push,
        1 => sdlbc::SourceBinding::Bound { place: [0, 7], sampler: None },
        _ => sdlbc::SourceBinding::Bound { place: [1, u32::MAX - 1], sampler: Some([0, 3]) },
    }
}

fn members(random: &mut Random) -> Vec<Member> {
    let member = |random: &mut Random| Member {
        name: name(random),
        first: if random.below(9) == 0 { u32::MAX } else { random.below(9) as u32 },
        component: random.below(5) as u32,
        ty: if random.below(2) == 0 { Type::FLOAT } else { ty(random) },
    };
    (0..random.below(4)).map(|_| member(random)).collect()
}

fn function(random: &mut Random) -> Function {
    let kind = FunctionKind::ALL[random.below(4)];
    let inputs = (0..random.below(6)).map(|_| {
        let location = if random.below(9) == 0 { limits::PLACES } else { random.below(2) as u32 };
        let kind = match random.below(10) {
            9 => InputKind::Image { slot: location, access: ImageAccess::ALL[random.below(2)] },
            7 => InputKind::Shared,
            8 => InputKind::Buffer { slot: location, access: Access::ALL[random.below(2)] },
            0 => InputKind::Attribute { location },
            1 => InputKind::Varying { location, interpolation: Interpolation::ALL[random.below(3)] },
            2 if random.below(3) == 0 => {
                InputKind::Placed { slot: random.below(3) as u32, offset: [0, 4, 16, 66_000][random.below(4)] }
            }
            2 => InputKind::Uniform,
            3 => InputKind::Texture {
                slot: location,
                sampler: Sampler { filter: random.below(7) as u8, ..Sampler::default() },
            },
            4 => InputKind::Builtin(Builtin::ALL[random.below(10)]),
            5 => InputKind::Parameter,
            _ => InputKind::Local,
        };
        input(id(random).0, &name(random), ty(random), kind)
    });
    let inputs = inputs.collect();
    let outputs = (0..random.below(3)).map(|_| {
        let kind = match random.below(7) {
            0 => OutputKind::Position,
            1 => OutputKind::ClipDistance { index: random.below(9) as u32 },
            2 => OutputKind::Varying { location: random.below(2) as u32, interpolation: Interpolation::Flat },
            3 => OutputKind::Colour { target: random.below(5) as u32 },
            4 => OutputKind::Depth,
            5 => OutputKind::PointSize,
            _ => OutputKind::Returned,
        };
        output(&name(random), ty(random), kind)
    });
    let outputs = outputs.collect();
    let depth = if random.below(40) == 0 { limits::NESTING + 3 } else { 3 };
    let body = block(random, depth);
    let workgroup = (random.below(3) == 0).then(|| std::array::from_fn(|_| random.below(70) as u32));
    Function { kind, name: name(random), inputs, outputs, workgroup, body }
}

fn block(random: &mut Random, depth: usize) -> Body {
    let deep = depth > 3;
    let count = if deep { 1 } else { random.below(6) };
    let mut body = Body::default();
    for _ in 0..count {
        let control = [Op::If, Op::Loop, Op::Switch, Op::Phi, Op::Break, Op::Continue, Op::Return, Op::Poke, Op::Call];
        let op = match random.below(2) {
            _ if deep => control[random.below(3)],
            0 => control[random.below(control.len())],
            _ => Op::ALL[random.below(Op::ALL.len())],
        };
        let shape = op.shape();
        let odd = !deep && random.below(20) == 0;
        let inputs = match shape.inputs {
            sdlbc::Arity::Fixed(count) if !odd => count,
            sdlbc::Arity::TwoToFour if !odd => 2 + random.below(3),
            _ => random.below(5),
        };
        let mut words = if odd { random.below(5) } else { shape.immediates };
        let mut blocks = match shape.blocks {
            sdlbc::Blocks::None => 0,
            sdlbc::Blocks::If => 2,
            sdlbc::Blocks::Loop => 1,
            sdlbc::Blocks::Switch => {
                words = random.below(4);
                words + 1
            }
        };
        if odd {
            blocks = random.below(4);
        }
        let blocks = (0..if depth == 0 { 0 } else { blocks })
            .map(|index| if deep && index > 0 { code![] } else { block(random, depth - 1) })
            .collect::<Vec<_>>();
        let output = if shape.output || odd { id(random) } else { Id::NONE };
        let inputs = (0..inputs).map(|_| id(random)).collect::<Vec<_>>();
        let words = (0..words).map(|_| [0, 1, 2, 3, Type::INT.word(), bits(1.0)][random.below(6)]).collect::<Vec<_>>();
        body.nest(Inst::new(op, output, &inputs, &words), blocks);
    }
    body
}

fn id(random: &mut Random) -> Id {
    Id(if random.below(200) == 0 { random.next() as u32 % limits::MAX_ID } else { random.below(12) as u32 })
}

fn name(random: &mut Random) -> String {
    ["", "", "a", "b", "\0"][random.below(5)].to_string()
}

fn ty(random: &mut Random) -> Type {
    let scalar = Scalar::ALL[random.below(5)];
    match random.below(6) {
        0..3 => Type::Vector(scalar, random.below(6) as u8),
        3 => Type::Matrix { columns: random.below(6) as u8, rows: 3 },
        4 => Type::TEXTURES[random.below(Type::TEXTURES.len())],
        _ => Type::Array(scalar, 1 + random.below(4) as u8, random.below(9) as u32),
    }
}
