//! Measures the time and the memory that hostile files take. Each step, such as `verify`, runs in its own process for each file.
//!
//! `cargo run --release -p sdlbc --example hostile` prints the table. If arguments follow `--`, only cases whose names contain
//! one of the arguments are run. The memory of a step is the size of the file plus the growth of the process's peak memory
//! during the step. The text that `print` and `dump` return is not counted. Memory is measured only on Linux.

#[path = "../tests/it/common/hostile.rs"]
mod hostile;

use std::process::Command;
use std::time::Instant;

use hostile::{Case, Expected};

const STEPS: [&str; 4] = ["decode", "verify", "print", "dump"];

fn main() {
    let words = std::env::args().skip(1).collect::<Vec<_>>();
    if let [step, path] = &words[..]
        && let Some(step) = step.strip_prefix("--step=")
    {
        return child(step, path);
    }
    print!("{:42} {:>8}", "case", "bytes");
    STEPS.iter().for_each(|step| print!("  {step:>9} {:>6}", "x"));
    println!("  result");
    let (mut slowest, mut largest) = (0.0f64, 0.0f64);
    for case in hostile::large().into_iter().chain(hostile::full()) {
        if words.is_empty() || words.iter().any(|word| case.name.contains(word)) {
            let (time, memory) = parent(&case);
            (slowest, largest) = (slowest.max(time), largest.max(memory));
        }
    }
    println!("slowest {slowest:.1} ms, largest {largest:.1} times the file");
}

/// Runs the steps of a case and prints the case's row of the table. Returns the longest time in milliseconds and the highest
/// ratio of memory to file size.
fn parent(case: &Case) -> (f64, f64) {
    let path = std::env::temp_dir().join(format!("sdlbc-hostile-{}.sdlbc", std::process::id()));
    let file = case.file();
    std::fs::write(&path, &file).expect("the file");
    print!("{:42} {:>8}", case.name, file.len());
    let (mut slowest, mut largest, mut result) = (0.0f64, 0.0f64, String::new());
    for step in STEPS {
        let program = std::env::current_exe().expect("this program");
        let output = Command::new(program).arg(format!("--step={step}")).arg(&path).output().expect("a process");
        assert!(output.status.success(), "{step} of {}: {}", case.name, String::from_utf8_lossy(&output.stderr));
        let output = String::from_utf8(output.stdout).expect("text");
        let mut parts = output.trim_end().splitn(3, ' ');
        let mut number = || parts.next().and_then(|part| part.parse::<f64>().ok()).unwrap_or(f64::NAN);
        let (time, memory) = (number(), number() / file.len() as f64);
        print!("  {time:>6.1} ms {memory:>6.1}");
        (slowest, largest) = (slowest.max(time), largest.max(memory));
        if step == "verify" {
            result = parts.next().unwrap_or_default().to_string();
        }
    }
    if let Expected::Error(kind, offset) = &case.expected
        && result != format!("{kind} at byte {offset}")
    {
        result += &format!(", NOT {kind} at byte {offset}");
    }
    println!("  {result}");
    let _ = std::fs::remove_file(path);
    (slowest, largest)
}

/// Runs one step and prints the step's time in milliseconds, memory in bytes and result.
fn child(step: &str, path: &str) {
    let file = std::fs::read(path).expect("the file");
    // Writing 5 to `clear_refs` resets the peak memory of the process.
    let _ = std::fs::write("/proc/self/clear_refs", "5");
    let before = memory("VmRSS:");
    let start = Instant::now();
    let (result, returned) = run(step, &file);
    let time = start.elapsed().as_secs_f64() * 1e3;
    let memory = (memory("VmHWM:") + file.len()).saturating_sub(before + returned);
    println!("{time} {memory} {result}");
}

/// Runs one step, and returns a description of its outcome and the length of the text that `dump` or `print` returned.
fn run(step: &str, file: &[u8]) -> (String, usize) {
    if step == "dump" {
        return (String::new(), sdlbc::dump(file).text.len());
    }
    let module = match sdlbc::decode(file) {
        Ok(module) => module,
        Err(error) => return (error.to_string(), 0),
    };
    match step {
        "verify" => match sdlbc::verify(&module) {
            Ok(()) => ("verifies".to_string(), 0),
            Err(violations) => {
                let first = violations.first().map(ToString::to_string).unwrap_or_default();
                (format!("{} violations: {}", violations.len(), first.chars().take(100).collect::<String>()), 0)
            }
        },
        "print" => (String::new(), sdlbc::print(&module).len()),
        _ => (String::new(), 0),
    }
}

/// Returns a field of `/proc/self/status`, converted to bytes.
fn memory(field: &str) -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(field)).unwrap_or_default();
    line.split_whitespace().next().and_then(|number| number.parse::<usize>().ok()).unwrap_or_default() * 1024
}
