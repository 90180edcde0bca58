//! Compares the run time of the `agalc` process with the run time of naga's command, and measures how the time of each stage
//! grows with the number of instructions.
//!
//! Rule: each reported time is the shortest of several runs, since other processes use the machine too. When two programs are
//! compared, their runs alternate.

use std::fmt::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::case::Form;
use crate::inputs::{self, Input};
use crate::measure::{Programs, output};
use crate::stages::FROM_FILE;

const RUNS: usize = 200;

/// Returns the version that the `naga` command reports, or `None` if the command is not installed.
pub fn naga() -> Option<String> {
    output(Command::new("naga").arg("--version")).ok().map(|version| version.trim().to_string())
}

/// Compares `agalc compile PROGRAM` with `naga x.wgsl y.spv`, where `x.wgsl` is agalc's WGSL for the same program. Both
/// commands write SPIR-V.
///
/// # Errors
/// Returns the error of the first command that fails.
pub fn against_naga(agalc: &Path, programs: &Programs, input: &Input, folder: &Path) -> Result<String, String> {
    programs.write(input, folder)?;
    let folder = folder.join(&input.name);
    let bytes = folder.join(format!("{}.0.{}", input.name, Form::Agal.ending()));
    let mut ours = Command::new(agalc);
    ours.arg("compile").arg(bytes).arg("-o").arg(folder.join("ours.spv"));
    let mut theirs = Command::new("naga");
    theirs.arg(folder.join(format!("{}.wgsl", input.name))).arg(folder.join("theirs.spv"));
    let mut times = [Duration::MAX; 2];
    for command in [&mut ours, &mut theirs] {
        output(command)?;
        command.stdout(Stdio::null()).stderr(Stdio::null());
    }
    for _ in 0..RUNS {
        for (command, time) in [&mut ours, &mut theirs].into_iter().zip(&mut times) {
            let begin = Instant::now();
            command.status().map_err(|error| error.to_string())?;
            *time = begin.elapsed().min(*time);
        }
    }
    let [ours, theirs] = times.map(|time| time.as_secs_f64() * 1e3);
    let mut text = "| command | milliseconds | ratio |\n|---|---:|---:|\n".to_string();
    writeln!(text, "| `agalc compile {0}.agalbc -o {0}.spv` | {ours:.2} | {1:.2} |", input.name, ours / theirs)
        .expect("memory");
    writeln!(text, "| `naga {0}.wgsl {0}.spv` | {theirs:.2} | 1 |", input.name).expect("memory");
    Ok(text)
}

const STAGES: [&str; 5] = ["decode", "verify", "passes", "lower", "SPIR-V"];

/// Returns a table for modules of increasing length. The columns are each stage's time per instruction, and the ratio of
/// the heap memory to the file's size.
///
/// # Errors
/// Returns the error of the first measuring program that fails.
pub fn growth(programs: &Programs, sizes: &[usize], folder: &Path) -> Result<String, String> {
    let mut text = format!(
        "| function | {} | longest to shortest | heap to file |\n|---|{}---:|---:|\n",
        STAGES.join(" | "),
        "---:|".repeat(STAGES.len())
    );
    for shape in testing::shapes::SHAPES {
        let mut first = None;
        for &size in sizes {
            let files = inputs::function(shape.name, size)?;
            let bytes = files.contents.iter().map(Vec::len).sum::<usize>();
            let input = Input { name: files.name.clone(), cases: vec![files] };
            let (times, peak) = programs.times(&input, &STAGES, FROM_FILE.name, folder)?;
            let time = |stage: &str| {
                let time = times.iter().find(|(of, _)| of == stage).map_or(0, |(_, time)| *time);
                time as f64 / size as f64 / 1e3
            };
            let columns: Vec<String> = STAGES.iter().map(|stage| format!("{:.3}", time(stage))).collect();
            let ratio = time("SPIR-V") / *first.get_or_insert(time("SPIR-V"));
            let heap = peak as f64 / bytes as f64;
            writeln!(text, "| {}, {size} | {} | {ratio:.2} | {heap:.1} |", shape.name, columns.join(" | "))
                .expect("memory");
        }
    }
    Ok(text)
}
