//! Runs every command on damaged inputs of every kind. No command may panic, hang, use unbounded memory, change an input, leave
//! an unexpected file, or write an output that cannot be read back.
//!
//! `MUTANTS=50000` runs 50,000 mutants of each kind, and `KIND=Scene` runs only one kind. The message of a failure contains a
//! seed. `SEED=0x...` runs only that mutant and keeps its files in target/mutants.

mod commands;
mod good;
mod judge;
mod kinds;
mod mutate;

use std::collections::BTreeMap;
use std::fmt::Write;
use std::time::{Duration, Instant};

use crate::support::{GLSLANG, Random, SPIRV_VAL, on_two_threads, repository, say};
use good::Case;
use kinds::{Kind, case};
use testing::{Effort, caught};

/// The number of mutants of each kind in a full run.
const MUTANTS: u64 = 15;

/// Keeps the files of a case for inspection, and prints the command line.
fn keep(case: &Case) {
    let folder = repository().join("target/mutants");
    std::fs::create_dir_all(&folder).expect("the folder");
    for (name, bytes) in &case.files {
        std::fs::write(folder.join(name), bytes).expect("the file");
    }
    say(&format!("in {}: agalc {:?}", folder.display(), case.arguments));
}

#[test]
fn every_command_survives_damaged_inputs_of_every_kind() {
    let tools = judge::Tools { spirv_val: SPIRV_VAL.is_there(), glslang: GLSLANG.is_there() };
    let effort = Effort::of("MUTANTS", MUTANTS);
    let alone = effort.only;
    let wanted = std::env::var("KIND").ok();
    let mut failures = Vec::new();
    let mut table = String::new();
    for (number, kind) in (1u64..).zip(Kind::ALL) {
        let name = format!("{kind:?}");
        if wanted.as_ref().is_some_and(|wanted| *wanted != name) {
            continue;
        }
        let seeds: Vec<u64> = effort.seeds_of(number).collect();
        let start = Instant::now();
        let results = on_two_threads(&seeds, |&seed| {
            let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
            let case = case(kind, &mut random);
            if alone.is_some() {
                keep(&case);
            }
            let judged = caught(|| judge::judge(&case, &tools, &mut random));
            let judged = judged.unwrap_or_else(|panic| Err(format!("the judge panicked: {panic}")));
            let command =
                case.arguments.first().map(|command| command.to_string_lossy().into_owned()).unwrap_or_default();
            (command, judged.map_err(|what| format!("SEED={seed:#x} {kind:?} {:?}: {what}", case.arguments)))
        });
        let mut codes = [0; 3];
        let (mut longest, mut commands) = (Duration::ZERO, BTreeMap::<String, usize>::new());
        for (command, result) in results {
            *commands.entry(command).or_default() += 1;
            match result {
                Ok(ran) => {
                    codes[usize::try_from(ran.code.unwrap_or(0)).unwrap_or(0).min(2)] += 1;
                    longest = longest.max(ran.took);
                }
                Err(failure) => failures.push(failure),
            }
        }
        if !seeds.is_empty() {
            let time = start.elapsed();
            let _ = writeln!(
                table,
                "{name:<20} {:>6} in {time:.1?}; exit codes 0, 1, 2: {codes:?}; longest {longest:.1?}; {commands:?}",
                seeds.len()
            );
        }
    }
    say(&table);
    let shown: Vec<String> = failures.iter().take(40).map(|failure| failure.chars().take(1500).collect()).collect();
    assert!(failures.is_empty(), "{} failed\n{}", failures.len(), shown.join("\n"));
}
