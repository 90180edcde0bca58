//! Runs the stages in a separate program, so that callgrind counts nothing else.
//!
//! `stages count MANIFEST [STAGE...]` runs each stage, or the named stages, on all cases. The first run creates the data that
//! each process creates only once. The second run is in [`measured`], the function that callgrind counts. For each stage, the
//! program prints a line with the stage's name and the total length of the cases.
//!
//! `stages time MANIFEST STAGE...` prints a line for each named stage, with the shortest processor time of a run on all cases, in
//! nanoseconds.
//!
//! `stages write MANIFEST FOLDER` writes the SPIR-V of each case, with the passes applied, as `FOLDER/NAME.spv`, and the WGSL for
//! `naga` as `FOLDER/NAME.wgsl`.

use std::path::{Path, PathBuf};
use std::time::Duration;

use bench::case::{Case, cases};
use bench::stages::{STAGES, Stage, named, optimised, spirv, wgsl};
use rustix::time::{ClockId, clock_gettime};

/// Runs a stage on all cases. Callgrind counts only the instructions of this function.
#[inline(never)]
fn measured(stage: &Stage, cases: &[&Case]) {
    for case in cases {
        (stage.run)(case);
    }
}

fn count(cases: &[Case], names: &[&str]) {
    let all: Vec<&Stage> = if names.is_empty() { STAGES.iter().collect() } else { named(names).collect() };
    for stage in all {
        let cases: Vec<&Case> = cases.iter().filter(|case| case.has(stage.of)).collect();
        if cases.is_empty() {
            continue;
        }
        cases.iter().for_each(|case| (stage.run)(case));
        measured(stage, &cases);
        println!("{}\t{}", stage.name, cases.iter().map(|case| case.length).sum::<usize>());
    }
}

/// The minimum time for which a stage is repeated, and the minimum number of repetitions.
const REPEATED: (Duration, usize) = (Duration::from_millis(500), 3);

fn used() -> Duration {
    Duration::try_from(clock_gettime(ClockId::ThreadCPUTime)).unwrap_or_default()
}

fn time(cases: &[Case], names: &[&str]) {
    for stage in named(names) {
        let cases: Vec<&Case> = cases.iter().filter(|case| case.has(stage.of)).collect();
        let (mut shortest, mut runs, first) = (Duration::MAX, 0, used());
        while !cases.is_empty() && (runs < REPEATED.1 || used() - first < REPEATED.0) {
            let begin = used();
            measured(stage, &cases);
            (shortest, runs) = (shortest.min(used() - begin), runs + 1);
        }
        if runs > 0 {
            println!("{}\t{}", stage.name, shortest.as_nanos());
        }
    }
}

fn write(cases: &[Case], folder: &Path) -> std::io::Result<()> {
    for case in cases {
        let module = optimised(case.module.clone().into_module());
        let words: Vec<u8> = spirv(&module).iter().flat_map(|word| word.to_le_bytes()).collect();
        std::fs::write(folder.join(format!("{}.spv", case.name)), words)?;
        std::fs::write(folder.join(format!("{}.wgsl", case.name)), wgsl(&module))?;
    }
    Ok(())
}

fn main() -> std::io::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments.as_slice() {
        ["count", manifest, names @ ..] => count(&cases(Path::new(manifest)), names),
        ["time", manifest, names @ ..] => time(&cases(Path::new(manifest)), names),
        ["write", manifest, folder] => write(&cases(Path::new(manifest)), &PathBuf::from(folder))?,
        _ => panic!("stages count MANIFEST, or stages write MANIFEST FOLDER: ./bench runs this program"),
    }
    Ok(())
}
