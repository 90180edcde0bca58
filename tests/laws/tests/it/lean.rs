//! Checks that the optimisation pass over the SPIR-V that naga writes never makes a program longer, and shortens the programs of
//! testdata.

use backends::{Layout, Target};
use laws::from_seed;
use naga::back::spv;
use sdlbc::{Module, Verified};
use testing::{Effort, on_two_threads};

use crate::layouts::pairs;

const FUNCTION: u32 = 54;
const FUNCTION_END: u32 = 56;
const LABEL: u32 = 248;

/// Counts the instructions inside functions, except labels.
fn instructions(words: &[u32]) -> usize {
    let (mut at, mut inside, mut count) = (5, false, 0);
    while let Some(&head) = words.get(at) {
        let op = head & 0xffff;
        inside |= op == FUNCTION;
        count += usize::from(inside && op != LABEL);
        inside &= op != FUNCTION_END;
        at += (head >> 16).max(1) as usize;
    }
    count
}

/// Counts the instructions that naga writes for a module with the options that `backends` uses.
fn by_naga(module: &Module, layout: &Layout) -> usize {
    let module = Verified::new(module.clone()).expect("it verifies");
    let (module, info) = backends::module(&module, Target::Spirv, None, layout).expect("a naga module");
    let options = spv::Options {
        lang_version: layout.spirv,
        flags: spv::WriterFlags::LABEL_VARYINGS,
        force_loop_bounding: false,
        ..spv::Options::default()
    };
    instructions(&spv::write_vec(&module, &info, &options, None).expect("words"))
}

#[test]
fn no_program_has_more_instructions_than_naga_has_written() {
    let layout = Layout::default();
    let pairs = pairs();
    let generated = Effort::of("MODULES", 100).seeds().map(|seed| (format!("seed {seed}"), from_seed(seed)));
    let all: Vec<(String, Module)> = pairs.iter().cloned().chain(generated).collect();
    let counts = on_two_threads(&all, |(name, module)| {
        let ours = instructions(&backends::spirv(module, &layout).ok()?);
        Some((name.clone(), ours, by_naga(module, &layout)))
    });
    let longer: Vec<_> = counts.iter().flatten().filter(|(_, ours, naga)| ours > naga).collect();
    assert!(longer.is_empty(), "{longer:?}");
    assert!(counts.iter().flatten().count() >= pairs.len(), "few are written");
    let sum = |count: fn(&(String, usize, usize)) -> usize| -> usize {
        counts.iter().take(pairs.len()).flatten().map(count).sum()
    };
    let (ours, naga) = (sum(|counts| counts.1), sum(|counts| counts.2));
    println!("the pairs of testdata: {ours} instructions, {naga} by naga");
    assert!(ours * 100 <= naga * 92, "{ours} of {naga}");
}
