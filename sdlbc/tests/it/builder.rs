//! Tests the builder with loops, switches, calls and local slots. A built function contains every needed instruction, and never
//! reuses a result that may have changed.

use sdlbc::{
    Builder, Dimension, Function, FunctionKind, FunctionOutput, InputKind, Module, Op, OutputKind, Sampler, Scalar,
    Signature, Texel, Type, print, verify,
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

/// Returns the printed lines of the function's body, without comments.
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
    let one = builder.int(1);
    builder.open();
    let count = builder.begin_phi(one);
    let unused = builder.negate(count);
    let next = builder.multiply(count, limit);
    builder.end_phi(count, next);
    let done = builder.less_than(limit, count);
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
    let b = builder.negate(a);
    let first = builder.begin_phi(a);
    let second = builder.begin_phi(a);
    builder.end_phi(first, b);
    builder.end_phi(second, first);
    builder.break_out();
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
    let mut peek = |from| builder.peek(from, None, 1);
    assert_ne!(peek(slot), peek(slot));
    assert_eq!(peek(file), peek(file));
    assert!(!builder.facts(slot).uniform && builder.facts(file).uniform);
    let (a, b) = (builder.call(0, &[]), builder.call(0, &[]));
    assert_ne!(a, b);
    assert!(!builder.facts(a).uniform);
    builder.poke_element(b, slot, None, 0);
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
        builder.negate(a);
        builder.close()
    };
    let blocks = [empty(&mut builder), empty(&mut builder)];
    let [first, second] = blocks;
    builder.switch(a, [(3, first)], second);
    builder.open();
    builder.return_nothing();
    let leave = builder.close();
    let rest = empty(&mut builder);
    builder.switch(a, [(u32::MAX, leave)], rest);
    assert_eq!(text(&finished(builder)), ["switch %1 case -1 {", "return", "} default {", "}", "}"]);
}

/// A PHI joins the blocks of the preceding IF in the same block, not the blocks of an IF nested inside that IF.
#[test]
fn an_if_without_effect_at_the_end_of_a_block_is_removed_though_a_phi_follows_the_block() {
    for (inner, second) in [(Op::If, false), (Op::If, true), (Op::Switch, true)] {
        let mut builder = generic();
        let a = builder.input("a", Type::INT, InputKind::Parameter);
        let b = builder.input("b", Type::BOOL, InputKind::Parameter);
        builder.output(returned(Type::INT));
        builder.open();
        let value = builder.negate(a);
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

/// Code without effect, which the builder leaves out of the finished function.
const IDLE: [fn(&mut Builder); 6] = [
    |builder| _ = builder.emit(Op::Nop, &[], &[]),
    |builder| _ = builder.float(7.0),
    |builder| {
        let seven = builder.float(7.0);
        builder.negate(seven);
    },
    |builder| {
        let condition = builder.bool(true);
        builder.branch(condition, Default::default(), Default::default());
    },
    |builder| {
        builder.open();
        let seven = builder.float(7.0);
        builder.add(seven, seven);
        let accept = builder.close();
        let condition = builder.bool(true);
        builder.branch(condition, accept, Default::default());
    },
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
        let mut value = builder.add(a, a);
        if !flat {
            let zero = builder.float(0.0);
            let condition = builder.less_than(a, zero);
            builder.open();
            rest.next().into_iter().for_each(|idle| idle(&mut builder));
            let twice = builder.multiply(value, value);
            let accept = builder.close();
            builder.branch(condition, accept, Default::default());
            value = builder.phi(twice, value);
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

#[test]
fn methods_put_layers_indices_and_literals_in_their_places() {
    let mut builder = Builder::new(FunctionKind::Fragment, "main");
    let image = |slot| InputKind::Texture { slot, sampler: Sampler::default() };
    let plain = builder.input("plain", Type::Texture(Dimension::D2, Texel::Float), image(0));
    let layered = builder.input("layered", Type::Texture(Dimension::D2Array, Texel::Float), image(1));
    let array = builder.input("array", Type::Array(Scalar::Float, 4, 8), InputKind::Uniform);
    let slot = builder.input("slot", Type::Array(Scalar::Int, 1, 4), InputKind::Local);
    let output = builder.output(FunctionOutput {
        ty: Type::FLOAT4,
        name: "oc".to_string(),
        kind: OutputKind::Colour { target: 0 },
    });
    let (x, yes, seven, minus) = (builder.float(0.5), builder.bool(true), builder.uint(7), builder.int(-1));
    let (floats, ints) = (builder.float4([1.0, 2.0, 3.0, 4.0]), builder.int4([-1, 2, -3, 4]));
    let at = builder.vector(&[x, x]);
    let moved = builder.texture_offset(plain, [-2, 3, 0]);
    let of_float = builder.convert(floats, Scalar::Int);
    let bits = builder.bitcast(seven, Scalar::Float);
    let element = builder.peek(array, None, 3);
    let at_index = builder.peek(array, Some(minus), 2);
    builder.poke_element(minus, slot, None, 1);
    builder.poke_element(minus, slot, Some(minus), 0);
    let sums = [
        builder.sample(moved, at, None),
        builder.sample(layered, at, Some(minus)),
        builder.sample_bias(layered, at, Some(minus), x),
        builder.sample_lod(plain, at, None, x),
        builder.sample_grad(layered, at, Some(minus), at, at),
        builder.gather_texels(layered, at, Some(minus), 2),
        builder.gather_texels(plain, at, None, 1),
        element,
        at_index,
    ];
    let sum = sums.into_iter().reduce(|a, b| builder.add(a, b)).expect("some");
    let sum = builder.select(yes, sum, floats);
    let integers = builder.add(of_float, ints);
    let integers = builder.convert(integers, Scalar::Float);
    let sum = builder.multiply(sum, integers);
    let sum = builder.multiply(sum, bits);
    builder.poke(output, sum);
    let function = finished(builder);
    let lines = text(&function);
    let module = Module { functions: vec![function], ..Module::default() };
    assert_eq!(verify(&module), Ok(()));
    let expected = [
        "%5 = literalfloat 0.5",
        "%6 = literalbool true",
        "%7 = literaluint 7",
        "%8 = literalint -1",
        "%9 = literalfloat4 1.0, 2.0, 3.0, 4.0",
        "%10 = literalint4 -1, 2, -3, 4",
        "%11 = vector %5, %5",
        "%12 = textureoffset %2, -2, 3",
        "%13 = convert %9, int",
        "%14 = bitcast %7, float",
        "%15 = peek %1, 3",
        "%16 = peek %1, %8, 2",
        "poke %8, %4, 1",
        "poke %8, %4, %8, 0",
        "%17 = sample %12, %11",
        "%18 = sample %3, %11, %8",
        "%19 = samplebias %3, %11, %8, %5",
        "%20 = samplelod %2, %11, %5",
        "%21 = samplegrad %3, %11, %8, %11, %11",
        "%22 = gather %3, %11, %8, 2",
        "%23 = gather %2, %11, 1",
    ];
    assert_eq!(lines.get(..expected.len()), Some(&expected.map(String::from)[..]), "{}", lines.join("\n"));
}
