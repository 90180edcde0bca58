//! Tests runs that are ended by a signal or a limit while they write outputs. Each output must be complete or unchanged, and no
//! temporary file may remain.
#![cfg(unix)]

use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::support::Random;
use crate::support::sandbox::Sandbox;
use testing::Effort;

/// The number of outputs. Each output is a few MiB long, so that writing takes longer than compiling.
const OUTPUTS: usize = 12;

/// Returns a sandbox with a module that contains a long source text, and the bytes of the module.
fn with_long_module() -> (Sandbox, Vec<u8>) {
    let sandbox = Sandbox::new();
    let comment = format!("// {}\n", "x".repeat(1000)).repeat(3000);
    sandbox.write("a.agal", format!("{comment}mov oc, v0\n"));
    sandbox.run(&["compile", "a.agal", "--debug", "full", "-o", "whole.sdlbc"]).success();
    let whole = sandbox.read("whole.sdlbc");
    assert!(whole.len() > 3_000_000);
    (sandbox, whole)
}

fn outputs() -> Vec<String> {
    (0..OUTPUTS).map(|at| if at % 3 == 0 { format!("new/{at}.sdlbc") } else { format!("{at}.sdlbc") }).collect()
}

fn start(sandbox: &Sandbox) -> Child {
    let mut arguments = vec!["compile".to_string(), "whole.sdlbc".into()];
    outputs().into_iter().for_each(|output| arguments.extend(["-o".to_string(), output]));
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let mut command = sandbox.command(&arguments);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).process_group(0);
    command.spawn().expect("agalc runs")
}

fn send(signal: &str, child: &Child) {
    let sent = Command::new("sh").args(["-c", &format!("kill -{signal} {}", child.id())]).status();
    // `kill` fails if the run has already ended.
    assert!(sent.is_ok(), "a shell");
}

/// Reports whether a folder contains temporary files, as it does while a run writes outputs.
fn writes(folder: &Path) -> bool {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries.into_iter().any(|entry| entry.file_name().to_string_lossy().starts_with(".agalc-"))
}

/// Waits until the run begins to write outputs, or ends.
fn until_it_writes(sandbox: &Sandbox, child: &mut Child) {
    let begun = Instant::now();
    while !writes(sandbox.folder.path()) && child.try_wait().expect("a child").is_none() {
        assert!(begun.elapsed() < Duration::from_secs(60), "nothing is written");
        std::thread::sleep(Duration::from_micros(200));
    }
}

/// Checks that a run wrote all outputs or none. Returns true if the run wrote all outputs.
fn check(sandbox: &Sandbox, whole: &[u8], said: &str) -> bool {
    let mut names = sandbox.files();
    names.retain(|name| name != "a.agal" && name != "whole.sdlbc");
    assert!(!names.iter().any(|name| name.starts_with(".agalc-")), "{said} leaves {names:?}");
    let outputs = outputs();
    let written = |output: &String| match std::fs::read(sandbox.path(output)) {
        Ok(found) if found == b"old" => false,
        Ok(found) => {
            assert!(found == whole, "{said}: {output} is incomplete");
            true
        }
        Err(_) => false,
    };
    let written: Vec<bool> = outputs.iter().map(written).collect();
    assert!(written.iter().all(|one| *one == written[0]), "{said} leaves only some of the outputs: {written:?}");
    assert_eq!(sandbox.path("new").exists(), written[0], "{said}: the new folder");
    written[0]
}

#[test]
fn a_run_ended_by_a_signal_leaves_every_output_complete_or_untouched() {
    let (sandbox, whole) = with_long_module();
    let mut random = Random(20_260_801);
    let runs = Effort::of("RUNS", 8).cases.max(3);
    for (signal, number) in Effort::part_of("SIGNALS", &[("TERM", 15), ("INT", 2), ("HUP", 1), ("QUIT", 3)]) {
        let mut ended = 0;
        for _ in 0..runs {
            let _ = std::fs::remove_dir_all(sandbox.path("new"));
            outputs()
                .iter()
                .filter(|output| !output.starts_with("new/"))
                .for_each(|output| sandbox.write(output, "old"));
            let mut child = start(&sandbox);
            until_it_writes(&sandbox, &mut child);
            std::thread::sleep(Duration::from_micros(random.below(10_000) as u64));
            send(signal, &child);
            let status = child.wait().expect("it ends");
            let is_written = check(&sandbox, &whole, &format!("SIG{signal}"));
            match status.signal() {
                Some(by) => {
                    assert_eq!(by, *number, "the exit status names the signal");
                    ended += 1;
                }
                None => assert!(status.success() && is_written, "SIG{signal}: {status}"),
            }
        }
        assert!(ended * 8 >= runs * 3, "SIG{signal} came too late in all runs but {ended}");
    }
}

#[test]
fn an_ignored_signal_stays_ignored() {
    let (sandbox, whole) = with_long_module();
    let outputs = outputs().join(" -o ");
    let line = format!("trap '' HUP INT; exec {} compile whole.sdlbc -o {outputs}", env!("CARGO_BIN_EXE_agalc"));
    let mut shell = Command::new("sh");
    shell.args(["-c", &line]).current_dir(sandbox.folder.path()).stderr(Stdio::null());
    let mut child = shell.spawn().expect("a shell");
    until_it_writes(&sandbox, &mut child);
    send("HUP", &child);
    send("INT", &child);
    let status = child.wait().expect("it ends");
    assert!(status.success(), "{status}");
    assert!(check(&sandbox, &whole, "an ignored signal"));
}

#[test]
fn a_file_size_limit_ends_a_run_with_an_error_and_leaves_no_output() {
    let (sandbox, whole) = with_long_module();
    let outputs = outputs().join(" -o ");
    let line = format!("ulimit -f 2000; exec {} compile whole.sdlbc -o {outputs}", env!("CARGO_BIN_EXE_agalc"));
    let ran = Command::new("sh").args(["-c", &line]).current_dir(sandbox.folder.path()).output().expect("a shell");
    assert_eq!(ran.status.code(), Some(1), "{ran:?}");
    let said = String::from_utf8_lossy(&ran.stderr).into_owned();
    assert!(said.contains("cannot write `new/0.sdlbc`: File too large"), "{said}");
    assert!(!check(&sandbox, &whole, "SIGXFSZ"));
}
