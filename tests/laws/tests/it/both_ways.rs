//! Writes random modules as WGSL and SPIR-V, reads the output back, and compares the results of both modules. `MODULES=` sets the
//! number of modules, and `SEED=` selects a single module. The submodule `testdata` tests the modules of the folder `testdata` in
//! the same way.

mod testdata;

use std::collections::BTreeMap;

use laws::{By, Outcome, both_ways, from_seed};
use naga_front::RefusalKind;
use sdlbc::Module;
use testing::{Effort, caught, on_two_threads, say};

/// Checks the module of each seed. naga may refuse at most `unread` modules in a thousand, because it cannot read all SPIR-V that
/// it writes.
fn all(by: By, full: u64, unread: usize) {
    let modules: Vec<(u64, Module)> = Effort::of("MODULES", full).seeds().map(|seed| (seed, from_seed(seed))).collect();
    let outcomes = on_two_threads(&modules, |(seed, module)| {
        caught(|| both_ways(module, by, *seed)).map_err(|message| format!("seed {seed}: {message}"))
    });
    let mut reasons = BTreeMap::<String, usize>::new();
    let (mut same, mut written, mut failures) = (0, 0, Vec::new());
    for ((seed, module), outcome) in modules.iter().zip(outcomes) {
        let outcome = match outcome {
            Ok(outcome) => outcome,
            Err(failure) => {
                failures.push(failure);
                continue;
            }
        };
        match outcome {
            Outcome::Same => (same, written) = (same + 1, written + 1),
            Outcome::Unwritten => {}
            Outcome::Refused(refusals) => {
                written += 1;
                for refusal in refusals {
                    let is_invalid = matches!(refusal.kind, RefusalKind::Invalid { .. });
                    assert!(is_invalid, "seed {seed}: {refusal}\n{}", sdlbc::print(module));
                    *reasons.entry(refusal.to_string()).or_default() += 1;
                }
            }
        }
    }
    if !failures.is_empty() {
        let first: Vec<&str> = failures.iter().filter_map(|failure| failure.lines().next()).collect();
        panic!("{}\n\n{}", first.join("\n"), failures.first().map_or("", String::as_str));
    }
    say(&format!("{same} of {written} compute the same; refused: {reasons:#?}"));
    assert!((written - same) * 1000 <= unread * written, "only {same} of {written}");
}

#[test]
fn what_is_written_as_wgsl_computes_the_same_when_it_is_read_again() {
    all(By::Wgsl, 2000, 0);
}

#[test]
fn what_is_written_as_spirv_computes_the_same_when_it_is_read_again() {
    all(By::Spirv, 2000, 5);
}
