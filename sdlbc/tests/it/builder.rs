//! The builder on loops, switches, calls and local slots: it keeps everything that is needed, and shares no value that may
//! change.

use sdlbc::{
    Builder, Function, FunctionKind, FunctionOutput, Id, InputKind, Module, Op, OutputKind, Scalar, Signature, Type,
    print, verify,
};

fn returned(ty: Type) -> FunctionOutput {
    FunctionOutput { ty, name: String::new(), kind: OutputKind::Returned }
}

fn generic() -> Builder {
    Builder::new(FunctionKind::Generic, "")
}

#[track_caller]
fn finished(builder: Builder) -> Function {
    builder.finish().expect("operations that fit").0
}

/// The body's text, without the comments.
fn text(function: &Function) -> Vec<String> {
    let text = print(&Module { functions: vec![function.clone()], ..Module::default() });
    let body = text.split_once("\n\n").map_or("", |(_, body)| body);
    let lines = body.lines().map(|line| line.split("  ; ").next().unwrap_or_default().trim().to_string());
    lines.collect()
}

#[test]
fn values_carried_around_a_loop_are_kept() {
    let mut builder = generic();
    let limit = builder.input("limit", Type::INT, InputKind::Parameter);
    builder.output(returned(Type::INT));
    let one = builder.emit(Op::LiteralInt, &[], &[1]);
    builder.open();
    let count = builder.begin_phi(one);
    let unused = builder.emit(Op::Negate, &[count], &[]);
    let next = builder.emit(Op::Multiply, &[count, limit], &[]);
    builder.end_phi(count, next);
    let done = builder.emit(Op::LessThan, &[limit, count], &[]);
    builder.open();
    builder.return_value(limit);
    let leave = builder.close();
    builder.branch(done, leave, Default::default());
    let body = builder.close();
    builder.repeat(body);
    assert!(unused.is_some());
    let function = finished(builder);
    let expected = [
        "%2 = literalint 1",
        "loop {",
        "%3 = phi %2, %4",
        "%4 = multiply %3, %1",
        "%5 = lessthan %1, %3",
        "if %5 {",
        "return %1",
        "}",
        "}",
        "}",
    ];
    assert_eq!(text(&function), expected);
    assert_eq!(verify(&Module { functions: vec![function], ..Module::default() }), Ok(()));
}

#[test]
fn a_phi_begun_after_other_instructions_moves_to_the_head_of_its_loop() {
    let mut builder = generic();
    let a = builder.input("a", Type::FLOAT, InputKind::Parameter);
    builder.open();
    let b = builder.emit(Op::Negate, &[a], &[]);
    let first = builder.begin_phi(a);
    let second = builder.begin_phi(a);
    builder.end_phi(first, b);
    builder.end_phi(second, first);
    builder.jump(Op::Break);
    let body = builder.close();
    builder.repeat(body);
    let function = finished(builder);
    let expected =
        ["loop {", "%2 = phi %1, %4", "%3 = phi %1, %2", "%4 = negate %1", "break", "}", "}"].map(str::to_string);
    assert_eq!(text(&function), expected);
    assert_eq!(verify(&Module { functions: vec![function], ..Module::default() }), Ok(()));
}

#[test]
fn a_phi_of_two_types_is_reported() {
    let mut builder = generic();
    let a = builder.input("a", Type::FLOAT, InputKind::Parameter);
    let b = builder.input("b", Type::INT, InputKind::Parameter);
    builder.open();
    let phi = builder.begin_phi(a);
    builder.end_phi(phi, b);
    assert_eq!(
        builder.finish().expect_err("two types").to_string(),
        "`phi` expects two values of the same type, found float, int"
    );
}

#[test]
fn reads_of_slots_and_calls_are_not_shared() {
    let signature = Signature { kind: FunctionKind::Generic, parameters: vec![], returned: Some(Type::FLOAT) };
    let mut builder = generic().with_signatures(vec![signature]);
    let slot = builder.input("slot", Type::Array(Scalar::Float, 1, 2), InputKind::Local);
    let file = builder.input("file", Type::Array(Scalar::Float, 1, 2), InputKind::Uniform);
    builder.output(returned(Type::FLOAT));
    let mut peek = |from| builder.emit(Op::Peek, &[from, Id::NONE], &[1]);
    assert_ne!(peek(slot), peek(slot));
    assert_eq!(peek(file), peek(file));
    assert!(!builder.facts(slot).uniform && builder.facts(file).uniform);
    let (a, b) = (builder.call(0, &[]), builder.call(0, &[]));
    assert_ne!(a, b);
    assert!(!builder.facts(a).uniform);
    builder.emit(Op::Poke, &[b, slot, Id::NONE], &[0]);
    builder.return_value(b);
    assert_eq!(
        text(&finished(builder)),
        ["%1 = call 0", "%2 = call 0", "return %2", "}"],
        "an unused call is kept, because it may discard"
    );
}

#[test]
fn an_unread_parameter_is_kept() {
    let mut builder = generic();
    builder.input("a", Type::FLOAT, InputKind::Parameter);
    builder.input("u", Type::FLOAT, InputKind::Uniform);
    builder.input("b", Type::INT, InputKind::Parameter);
    assert_eq!(finished(builder).signature().parameters, [Type::FLOAT, Type::INT]);
}

#[test]
fn a_switch_without_effect_is_removed_and_one_with_a_jump_is_kept() {
    let mut builder = generic();
    let a = builder.input("a", Type::INT, InputKind::Parameter);
    let empty = |builder: &mut Builder| {
        builder.open();
        builder.emit(Op::Negate, &[a], &[]);
        builder.close()
    };
    let blocks = [empty(&mut builder), empty(&mut builder)];
    let [first, second] = blocks;
    builder.switch(a, [(3, first)], second);
    builder.open();
    builder.jump(Op::Return);
    let leave = builder.close();
    let rest = empty(&mut builder);
    builder.switch(a, [(u32::MAX, leave)], rest);
    assert_eq!(text(&finished(builder)), ["switch %1 case -1 {", "return", "} default {", "}", "}"]);
}

/// A PHI belongs to the IF before it in its own block, not to one at the end of that IF's blocks.
#[test]
fn an_if_without_effect_at_the_end_of_a_block_is_removed_though_a_phi_follows_the_block() {
    for (inner, second) in [(Op::If, false), (Op::If, true), (Op::Switch, true)] {
        let mut builder = generic();
        let a = builder.input("a", Type::INT, InputKind::Parameter);
        let b = builder.input("b", Type::BOOL, InputKind::Parameter);
        builder.output(returned(Type::INT));
        builder.open();
        let value = builder.emit(Op::Negate, &[a], &[]);
        match inner {
            Op::If => builder.branch(b, Default::default(), Default::default()),
            _ => builder.switch(a, [(1, Default::default())], Default::default()),
        }
        let block = builder.close();
        match second {
            true => builder.branch(b, Default::default(), block),
            false => builder.branch(b, block, Default::default()),
        }
        let inputs = if second { [a, value] } else { [value, a] };
        let phi = builder.emit(Op::Phi, &inputs, &[]);
        builder.return_value(phi);
        let text = text(&finished(builder));
        let kept = text.iter().filter(|line| line.starts_with("if") || line.starts_with("switch")).count();
        assert_eq!(kept, 1, "{text:#?}");
    }
}

/// What the finished function does not show.
const IDLE: [fn(&mut Builder); 6] = [
    |builder| _ = builder.emit(Op::Nop, &[], &[]),
    |builder| _ = builder.float(7.0),
    |builder| {
        let seven = builder.float(7.0);
        builder.emit(Op::Negate, &[seven], &[]);
    },
    |builder| {
        let condition = builder.emit(Op::LiteralBool, &[], &[1]);
        builder.branch(condition, Default::default(), Default::default());
    },
    |builder| {
        builder.open();
        let seven = builder.float(7.0);
        builder.emit(Op::Add, &[seven, seven], &[]);
        let accept = builder.close();
        let condition = builder.emit(Op::LiteralBool, &[], &[1]);
        builder.branch(condition, accept, Default::default());
    },
    // A block that is not used, which reads a value that nothing else reads.
    |builder| {
        let seven = builder.float(7.0);
        builder.open();
        builder.return_value(seven);
        builder.close();
    },
];

#[test]
fn a_function_is_the_same_with_instructions_that_are_not_needed() {
    let function = |idle: &[fn(&mut Builder)], flat: bool| {
        let mut builder = generic();
        let a = builder.input("a", Type::FLOAT, InputKind::Parameter);
        builder.output(returned(Type::FLOAT));
        let mut rest = idle.iter();
        rest.next().into_iter().for_each(|idle| idle(&mut builder));
        let mut value = builder.emit(Op::Add, &[a, a], &[]);
        if !flat {
            let zero = builder.float(0.0);
            let condition = builder.emit(Op::LessThan, &[a, zero], &[]);
            builder.open();
            rest.next().into_iter().for_each(|idle| idle(&mut builder));
            let twice = builder.emit(Op::Multiply, &[value, value], &[]);
            let accept = builder.close();
            builder.branch(condition, accept, Default::default());
            value = builder.emit(Op::Phi, &[twice, value], &[]);
        }
        builder.return_value(value);
        rest.for_each(|idle| idle(&mut builder));
        finished(builder)
    };
    for flat in [true, false] {
        let expected = function(&[], flat);
        assert_eq!(verify(&Module { functions: vec![expected.clone()], ..Module::default() }), Ok(()));
        for first in IDLE {
            assert_eq!(function(&[first], flat), expected);
            for second in IDLE {
                assert_eq!(function(&[first, second], flat), expected);
            }
        }
    }
}
