//! Tests modules that are built in code, with blocks nested far more deeply than a file allows. Every function that accepts a
//! module must complete on a thread with 2 MiB of stack, and the verifier must reject these modules.

use crate::common::{functions, inst, output};
use sdlbc::builder::Scope;
use sdlbc::{Body, Builder, DecodeErrorKind, Function, FunctionKind, Module, Op, OutputKind, ParseErrorKind, Type};
use sdlbc::{Dialect, InputKind, decode, encode, encode_in, flow, graph, infer_types, limits, parse, print, verify};
use testing::Effort;

const DEPTH: usize = 20_000;

/// Creates `depth` nested blocks of an operation, with a value and a jump in the innermost block.
fn nested(op: Op, depth: usize) -> Module {
    let mut body = Body::default();
    let mut places = Vec::new();
    for _ in 0..depth {
        places.push(body.open(match op {
            Op::Loop => inst(op, 0, &[], &[]),
            Op::Switch => inst(op, 0, &[3], &[7]),
            _ => inst(op, 0, &[1], &[]),
        }));
        if op == Op::If {
            body.end_block(places[places.len() - 1]);
        }
    }
    body.push(inst(Op::Negate, 4, &[2], &[]));
    body.push(inst(Op::Return, 0, &[0], &[]));
    for &at in places.iter().rev() {
        body.end_block(at);
        if op == Op::Switch {
            body.end_block(at);
        }
    }
    let parameter = |id, name: &str, ty| crate::common::input(id, name, ty, InputKind::Parameter);
    let inputs = vec![parameter(1, "b", Type::BOOL), parameter(2, "f", Type::FLOAT), parameter(3, "i", Type::INT)];
    let mut module = functions(vec![Function { inputs, body, ..Function::default() }]);
    module.debug.functions = vec![crate::common::names(0, &[(4, "deep")])];
    module
}

/// Runs `work` on a thread with a stack of 2 MiB, which is the default for tests unless a setting enlarges it.
#[track_caller]
fn on_a_small_stack(work: fn(Op)) {
    for op in [Op::If, Op::Loop, Op::Switch] {
        let thread = std::thread::Builder::new().stack_size(2 << 20).spawn(move || work(op));
        thread.expect("a thread").join().unwrap_or_else(|_| panic!("{op}"));
    }
}

#[test]
fn the_verifier_refuses_deep_modules() {
    on_a_small_stack(|op| {
        let violations = verify(&nested(op, DEPTH)).expect_err("it is nested too deep");
        let rules = violations.iter().map(|violation| violation.rule.number()).collect::<Vec<_>>();
        assert_eq!(rules, [14], "{op}");
        assert_eq!(violations[0].instruction, Some(limits::NESTING));
        assert_eq!(verify(&nested(op, limits::NESTING)), Ok(()));
    });
}

#[test]
fn deep_modules_are_copied_compared_and_dropped() {
    on_a_small_stack(|op| {
        let module = nested(op, DEPTH);
        let copy = module.clone();
        assert!(copy == module);
        drop(copy);
        assert!(module != nested(op, DEPTH - 1));
        assert!(nested(op, 7) != nested(op, 8));
        let mut other = nested(op, 40);
        assert!(other == nested(op, 40));
        other.functions[0].body.insts_mut()[40].inputs[0].0 = 3;
        assert!(other != nested(op, 40));
    });
}

#[test]
fn deep_modules_are_printed_in_linear_size_and_their_text_is_refused() {
    on_a_small_stack(|op| {
        let text = print(&nested(op, DEPTH));
        assert_eq!(text.lines().filter(|line| line.trim_start().starts_with(op.mnemonic())).count(), DEPTH);
        assert!(text.len() < 200 * 2 * DEPTH, "{} bytes", text.len());
        let errors = parse(&text).expect_err("it is nested too deep");
        assert_eq!(errors.iter().map(|error| &error.kind).collect::<Vec<_>>(), [&ParseErrorKind::Nesting]);
        assert_eq!(parse(&print(&nested(op, limits::NESTING))), Ok(nested(op, limits::NESTING)));
    });
}

#[test]
fn deep_modules_are_encoded_and_their_file_is_refused() {
    on_a_small_stack(|op| {
        for dialect in [Dialect::Text, Dialect::Header] {
            let error = decode(&encode_in(&nested(op, DEPTH), dialect)).expect_err("it is nested too deep");
            assert_eq!(error.kind, DecodeErrorKind::Nesting);
        }
        assert_eq!(decode(&encode(&nested(op, limits::NESTING))), Ok(nested(op, limits::NESTING)));
        // The dump descends no deeper than the reader does.
        assert!(!sdlbc::dump(&encode(&nested(op, DEPTH))).good);
    });
}

#[test]
fn the_debug_output_of_a_deep_module_has_every_instruction_once() {
    on_a_small_stack(|op| {
        let shown = format!("{:?}", nested(op, DEPTH));
        assert_eq!(shown.matches(&format!("op: {op:?},")).count(), DEPTH);
        assert_eq!(shown.matches("op: Negate,").count(), 1);
    });
}

#[test]
fn every_other_function_on_a_deep_module_returns() {
    on_a_small_stack(|op| {
        let module = nested(op, DEPTH);
        let function = &module.functions[0];
        let block = function.body.block();
        assert_eq!(block.depth(), DEPTH);
        assert_eq!(function.max_id(), 4);
        assert_eq!(flow::falls_through(block), op != Op::Loop);
        assert!(!flow::breaks(block) && !flow::continues(block));
        assert_eq!(flow::calls(block).len(), 0);
        assert!(infer_types(&module, 0).defines(sdlbc::Id(4)));
        assert_eq!(limits::over(&module), []);
        assert!(graph(&module).ends_with("}\n"));
        assert!(sdlbc::prune(&mut module.clone()).is_err());
    });
}

#[test]
fn a_builder_finishes_a_deep_function() {
    on_a_small_stack(|op| {
        let mut builder = Builder::new(FunctionKind::Generic, "");
        let selector = builder.input("i", Type::INT, InputKind::Parameter);
        let condition = builder.input("b", Type::BOOL, InputKind::Parameter);
        builder.output(output("", Type::INT, OutputKind::Returned));
        // The builder copies each block into the surrounding block, so deeply nested code is slow to build.
        let depth = if Effort::of("DEPTH", DEPTH as u64).is_full() { DEPTH } else { DEPTH / 4 };
        (0..depth).for_each(|_| builder.open());
        let value = builder.negate(selector);
        builder.return_value(value);
        for _ in 0..depth {
            let block = builder.close();
            match op {
                Op::Loop => builder.repeat(block),
                Op::Switch => builder.switch(selector, [(7, block)], Scope::default()),
                _ => builder.branch(condition, Scope::default(), block),
            }
        }
        let (function, _) = builder.finish().expect("its types fit");
        assert_eq!(function.max_id(), 3);
        assert!(verify(&functions(vec![function])).is_err());
    });
}
