//! Asking where the lines of an output come from changes nothing in it, and each line is told of: random modules in every target.
//! `MODULES=`, `SEED=`.

use backends::{Code, Layout, Target};
use laws::{TARGETS, from_seed};
use sdlbc::{FunctionKind, Module, Verified};
use testing::{Effort, on_two_threads};

/// Checks a module in a target; returns the number of files.
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
