//! Compares the speed of the translator in WebAssembly with its speed in native code. Each process reads the pairs in
//! `testdata/pairs` into memory, and then repeatedly translates the pairs to WGSL with reflection.
//!
//! Rule: the timed native code does the same work as the npm package (`web/agalc-wasm/src/translating.rs`), except that the
//! package also collects warnings.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use agalc::{DebugLevel, Input, Layout, Options, Target};
use testing::{repository, testdata};

use crate::measure::output;

/// The number of native runs, which is also the number of WebAssembly runs; the two kinds alternate.
const RUNS: usize = 5;
/// The number of times that each run translates all pairs; only the shortest time counts.
const ROUNDS: usize = 10;

fn pairs() -> Result<Vec<[Input; 2]>, String> {
    let read = |path: &Path| {
        let bytes = std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
        Ok::<Input, String>(Input { name: path.file_name().unwrap_or_default().to_string_lossy().into_owned(), bytes })
    };
    let pair = |vertex: &std::path::PathBuf| {
        let fragment = vertex.to_string_lossy().replace(".vert.agal", ".frag.agal");
        Ok([read(vertex)?, read(Path::new(&fragment))?])
    };
    testing::files(&testdata("pairs"), ".vert.agal").iter().map(pair).collect()
}

/// Translates a pair in the same steps as the npm package's `translate`.
fn translate(pair: &[Input]) -> Result<usize, String> {
    let mut options = Options::default().debug(DebugLevel::Names);
    options.meaning.rules.allow_ted = true;
    let failed = || format!("{}: it is not accepted", pair[0].name);
    let agalc::Loaded { module, programs, .. } = agalc::load_all(pair, &options).map_err(|_| failed())?;
    let module = agalc::optimise(module, &Default::default());
    let layout = Layout::default();
    let output = backends::write(&module, Target::Wgsl, None, &layout).map_err(|error| error.to_string())?;
    let interfaces = [(Target::Wgsl, "shader.wgsl", &output.interface)];
    let reflection = agalc::reflect(&module, &interfaces).with_programs(&programs);
    Ok(reflection.to_json().len())
}

/// Returns a table of the milliseconds per pair in native code and in WebAssembly, with the ratio of the two times. The npm
/// package must already be built.
///
/// # Errors
/// Returns an error if the translator refuses a pair, if node fails, or if WebAssembly takes more than three times as long.
pub fn against_native() -> Result<String, String> {
    let pairs = pairs()?;
    let mut native = Duration::MAX;
    let mut wasm = f64::MAX;
    for _ in 0..RUNS {
        for _ in 0..ROUNDS {
            let begin = Instant::now();
            for pair in &pairs {
                std::hint::black_box(translate(pair)?);
            }
            native = native.min(begin.elapsed());
        }
        let mut node = Command::new("node");
        node.arg("test/time.mjs").arg(ROUNDS.to_string()).current_dir(repository().join("web/npm"));
        let time = output(&mut node)?;
        wasm = wasm.min(time.trim().parse().map_err(|_| format!("time.mjs says {time:?}"))?);
    }
    let native = native.as_secs_f64() * 1e3 / pairs.len() as f64;
    let ratio = wasm / native;
    let table = format!(
        "| a pair to WGSL | milliseconds | ratio |\n|---|---:|---:|\n| native | {native:.2} | 1 |\n| WebAssembly in node | {wasm:.2} | {ratio:.2} |\n"
    );
    if ratio > 3.0 { Err(format!("{table}more than three times native")) } else { Ok(table) }
}
