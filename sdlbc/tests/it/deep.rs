//! Modules that a program builds, with blocks nested far deeper than any file has them: everything that takes a module comes
//! back, on a thread with 2 MiB of stack, and the verifier refuses them.

use crate::common;

use common::{functions, inst, output};
use sdlbc::builder::Scope;
use sdlbc::{Block, Builder, DecodeErrorKind, Function, FunctionKind, Module, Op, OutputKind, ParseErrorKind, Type};
use sdlbc::{Dialect, InputKind, decode, encode, encode_in, flow, graph, infer_types, limits, parse, print, verify};

const DEPTH: usize = 20_000;

/// Blocks of an operation in each other, with a value and a jump innermost.
fn nested(op: Op, depth: usize) -> Module {
    let mut body: Block = vec![inst(Op::Negate, 4, &[2], &[]), inst(Op::Return, 0, &[0], &[])];
    for _ in 0..depth {
        body = match op {
            Op::Loop => vec![inst(op, 0, &[], &[]).with_blocks([body])],
            Op::Switch => vec![inst(op, 0, &[3], &[7]).with_blocks([body, vec![]])],
            _ => vec![inst(op, 0, &[1], &[]).with_blocks([vec![], body])],
        };
    }
    let parameter = |id, name: &str, ty| common::input(id, name, ty, InputKind::Parameter);
    let inputs = vec![parameter(1, "b", Type::BOOL), parameter(2, "f", Type::FLOAT), parameter(3, "i", Type::INT)];
    let mut module = functions(vec![Function { inputs, body, ..Function::default() }]);
    module.debug.functions = vec![common::names(0, &[(4, "deep")])];
    module
}

/// Each test of this crate has a thread of 2 MiB; that is said here, so that no setting makes this one easier.
#[track_caller]
fn on_a_small_stack(work: fn(Op)) {
    for op in [Op::If, Op::Loop, Op::Switch] {
        let thread = std::thread::Builder::new().stack_size(2 << 20).spawn(move || work(op));
        thread.expect("a thread").join().unwrap_or_else(|_| panic!("{op}"));
    }
}

#[test]
fn it_is_refused_by_the_verifier() {
    on_a_small_stack(|op| {
        let violations = verify(&nested(op, DEPTH)).expect_err("it is nested too deep");
        let rules = violations.iter().map(|violation| violation.rule.number()).collect::<Vec<_>>();
        assert_eq!(rules, [14], "{op}");
        assert_eq!(violations[0].instruction, Some(limits::NESTING));
        assert_eq!(verify(&nested(op, limits::NESTING)), Ok(()));
    });
}

#[test]
fn it_is_copied_compared_and_dropped() {
    on_a_small_stack(|op| {
        let module = nested(op, DEPTH);
        let copy = module.clone();
        assert!(copy == module);
        drop(copy);
        assert!(module != nested(op, DEPTH - 1));
        assert!(nested(op, 7) != nested(op, 8));
        let mut other = nested(op, 40);
        assert!(other == nested(op, 40));
        let mut block = &mut other.functions[0].body;
        while !block[0].blocks.is_empty() {
            let which = usize::from(op == Op::If);
            block = &mut block[0].blocks[which];
        }
        block[0].inputs[0].0 = 3;
        assert!(other != nested(op, 40));
    });
}

#[test]
fn it_is_printed_whole_and_in_proportion_and_its_text_is_refused_for_the_nesting() {
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
fn it_is_encoded_and_its_file_is_refused_for_the_nesting() {
    on_a_small_stack(|op| {
        for dialect in [Dialect::Text, Dialect::Header] {
            let error = decode(&encode_in(&nested(op, DEPTH), dialect)).expect_err("it is nested too deep");
            assert_eq!(error.kind, DecodeErrorKind::Nesting);
        }
        assert_eq!(decode(&encode(&nested(op, limits::NESTING))), Ok(nested(op, limits::NESTING)));
        // The dump goes no deeper than the reader.
        assert!(!sdlbc::dump(&encode(&nested(op, DEPTH))).good);
    });
}

#[test]
fn its_debug_output_says_how_deep_it_is() {
    on_a_small_stack(|op| {
        assert!(format!("{:?}", nested(op, DEPTH)).contains("[.. 20000 nested blocks ..]"));
        let shown = format!("{:?}", nested(op, limits::NESTING));
        assert!(shown.contains("Negate") && !shown.contains(".."), "{shown}");
    });
}

#[test]
fn everything_else_that_takes_it_comes_back() {
    on_a_small_stack(|op| {
        let module = nested(op, DEPTH);
        let function = &module.functions[0];
        assert_eq!(function.max_id(), 4);
        assert_eq!(flow::falls_through(&function.body), op != Op::Loop);
        assert!(!flow::breaks(&function.body) && !flow::continues(&function.body));
        assert_eq!(flow::calls(&function.body).len(), 0);
        assert!(infer_types(&module, 0).defines(sdlbc::Id(4)));
        assert_eq!(limits::over(&module), []);
        assert!(graph(&module).ends_with("}\n"));
        assert!(sdlbc::prune(&mut module.clone()).is_err());
    });
}

#[test]
fn a_builder_finishes_it() {
    on_a_small_stack(|op| {
        let mut builder = Builder::new(FunctionKind::Generic, "");
        let selector = builder.input("i", Type::INT, InputKind::Parameter);
        let condition = builder.input("b", Type::BOOL, InputKind::Parameter);
        builder.output(output("", Type::INT, OutputKind::Returned));
        (0..DEPTH).for_each(|_| builder.open());
        let value = builder.emit(Op::Negate, &[selector], &[]);
        builder.return_value(value);
        for _ in 0..DEPTH {
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
