//! Checks that requesting the origins of the lines of an output does not change the output, and that each line has an origin. The
//! tests write random modules in every target. `MODULES=` sets the number of modules, and `SEED=` selects a single module.

use backends::{Code, Layout, Target};
use laws::{TARGETS, from_seed};
use sdlbc::{FunctionKind, Module, Verified};
use testing::{Effort, on_two_threads};

/// Checks the files of a module in one target, and returns the number of written files.
fn check(module: &Verified, target: Target, layout: &Layout) -> usize {
    let mut written = 0;
    for kind in module.functions.iter().map(|function| function.kind).filter(|&kind| kind != FunctionKind::Generic) {
        let traced = backends::write_with_lines(module, target, Some(kind), layout);
        match (traced, backends::write(module, target, Some(kind), layout)) {
            (Ok((traced, lines)), Ok(plain)) => {
                assert_eq!(traced, plain, "{target}");
                let text = match plain.code {
                    Code::Text(text) => text,
                    Code::Words(words) => backends::spirv_assembly(&words).expect("text"),
                };
                assert_eq!(text.lines().count(), lines.len(), "{target}");
                written += 1;
            }
            (Err(traced), Err(plain)) => assert_eq!(traced.to_string(), plain.to_string(), "{target}"),
            (traced, plain) => panic!("{target}: {:?}, but {:?}", traced.err(), plain.err()),
        }
    }
    written
}

#[test]
fn random_modules_are_written_the_same_with_their_lines() {
    let layout = Layout::default();
    let modules: Vec<(u64, Module)> = Effort::of("MODULES", 1000).seeds().map(|seed| (seed, from_seed(seed))).collect();
    let written = on_two_threads(&modules, |(seed, module)| {
        let module = Verified::new(module.clone()).expect("it verifies");
        let files = testing::caught(|| TARGETS.iter().map(|&target| check(&module, target, &layout)).sum::<usize>());
        files.unwrap_or_else(|message| panic!("seed {seed}: {message}"))
    });
    assert!(written.iter().sum::<usize>() >= modules.len(), "few are written");
}

/// The pass over SPIR-V words gives up on a loop with hundreds of exits, so the output keeps the ids that naga assigned.
#[test]
fn a_loop_with_many_exits_is_written_the_same_with_its_lines() {
    let mut text =
        "fragment function \"fs_main\" {\n  input %1 point: float = varying 0\n  output 0 color: float4 = colour 0\n  \
                    %2 = literalfloat 1.0\n  %900 = vector %2, %2, %2, %2\n  loop {\n    %3 = phi %2, %4\n    %4 = add %3, %1\n"
            .to_string();
    for id in 5..605 {
        text += &format!("    %{id} = greaterthan %4, %1\n    if %{id} {{\n      break\n    }}\n");
    }
    text += "  }\n  poke %900, 0\n}\n";
    let module = sdlbc::parse(&text).unwrap_or_else(|errors| panic!("{errors:?}"));
    let module = Verified::new(module).unwrap_or_else(|violations| panic!("{violations:?}"));
    for target in TARGETS {
        assert_eq!(check(&module, target, &Layout::default()), 1, "{target}");
    }
}
