//! What a run leaves that is ended from outside while it writes: every output whole or as it was, and nothing beside them.
#![cfg(unix)]

use crate::support;

use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use support::Random;
use support::place::Place;
use testing::Effort;

/// As many outputs, each of a few MiB: writing them takes longer than making them.
const OUTPUTS: usize = 12;

/// A program whose module holds its text, which is long.
fn place() -> (Place, Vec<u8>) {
    let place = Place::new();
    let comment = format!("// {}\n", "x".repeat(1000)).repeat(3000);
    place.write("a.agal", format!("{comment}mov oc, v0\n"));
    place.run(&["compile", "a.agal", "--debug", "full", "-o", "whole.sdlbc"]).well();
    let whole = place.read("whole.sdlbc");
    assert!(whole.len() > 3_000_000);
    (place, whole)
}

fn outputs() -> Vec<String> {
    (0..OUTPUTS).map(|at| if at % 3 == 0 { format!("new/{at}.sdlbc") } else { format!("{at}.sdlbc") }).collect()
}

fn start(place: &Place) -> Child {
    let mut arguments = vec!["compile".to_string(), "whole.sdlbc".into()];
    outputs().into_iter().for_each(|output| arguments.extend(["-o".to_string(), output]));
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let mut command = place.command(&arguments);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).process_group(0);
    command.spawn().expect("agalc runs")
}

fn send(signal: &str, child: &Child) {
    let sent = Command::new("sh").args(["-c", &format!("kill -{signal} {}", child.id())]).status();
    // The run may have ended by itself.
    assert!(sent.is_ok(), "a shell");
}

/// Whether something is being written.
fn writes(folder: &Path) -> bool {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries.into_iter().any(|entry| entry.file_name().to_string_lossy().starts_with(".agalc-"))
}

/// Waits until the run writes its files, or has ended.
fn until_it_writes(place: &Place, child: &mut Child) {
    let begun = Instant::now();
    while !writes(place.folder.path()) && child.try_wait().expect("a child").is_none() {
        assert!(begun.elapsed() < Duration::from_secs(60), "nothing is written");
        std::thread::sleep(Duration::from_micros(200));
    }
}

/// Looks at what is there after a run: all outputs are `whole`, or all are as they were.
fn look(place: &Place, whole: &[u8], said: &str) -> bool {
    let mut names = place.files();
    names.retain(|name| name != "a.agal" && name != "whole.sdlbc");
    assert!(!names.iter().any(|name| name.starts_with(".agalc-")), "{said} leaves {names:?}");
    let outputs = outputs();
    let written = |output: &String| match std::fs::read(place.path(output)) {
        Ok(found) if found == b"old" => false,
        Ok(found) => {
            assert!(found == whole, "{said}: {output} is not whole");
            true
        }
        Err(_) => false,
    };
    let written: Vec<bool> = outputs.iter().map(written).collect();
    assert!(written.iter().all(|one| *one == written[0]), "{said} leaves a part of the outputs: {written:?}");
    assert_eq!(place.path("new").exists(), written[0], "{said}: the folder that was made");
    written[0]
}

#[test]
fn a_run_that_is_ended_while_it_writes_leaves_every_output_whole_or_untouched() {
    let (place, whole) = place();
    let mut random = Random(20_260_801);
    let runs = Effort::of("RUNS", 8).cases.max(3);
    for (signal, number) in [("INT", 2), ("TERM", 15), ("HUP", 1), ("QUIT", 3)] {
        let mut ended = 0;
        for _ in 0..runs {
            let _ = std::fs::remove_dir_all(place.path("new"));
            outputs().iter().filter(|output| !output.starts_with("new/")).for_each(|output| place.write(output, "old"));
            let mut child = start(&place);
            until_it_writes(&place, &mut child);
            std::thread::sleep(Duration::from_micros(random.below(10_000) as u64));
            send(signal, &child);
            let status = child.wait().expect("it ends");
            let is_written = look(&place, &whole, &format!("SIG{signal}"));
            match status.signal() {
                Some(by) => {
                    assert_eq!(by, number, "whoever waits learns what ended the run");
                    ended += 1;
                }
                None => assert!(status.success() && is_written, "SIG{signal}: {status}"),
            }
        }
        assert!(ended * 8 >= runs * 3, "SIG{signal} came too late in all runs but {ended}");
    }
}

#[test]
fn a_signal_that_was_ignored_before_stays_ignored() {
    let (place, whole) = place();
    let outputs = outputs().join(" -o ");
    let line = format!("trap '' HUP INT; exec {} compile whole.sdlbc -o {outputs}", env!("CARGO_BIN_EXE_agalc"));
    let mut shell = Command::new("sh");
    shell.args(["-c", &line]).current_dir(place.folder.path()).stderr(Stdio::null());
    let mut child = shell.spawn().expect("a shell");
    until_it_writes(&place, &mut child);
    send("HUP", &child);
    send("INT", &child);
    let status = child.wait().expect("it ends");
    assert!(status.success(), "{status}");
    assert!(look(&place, &whole, "an ignored signal"));
}

#[test]
fn a_limit_on_the_size_of_files_ends_a_run_with_an_error_and_nothing_beside() {
    let (place, whole) = place();
    let outputs = outputs().join(" -o ");
    let line = format!("ulimit -f 2000; exec {} compile whole.sdlbc -o {outputs}", env!("CARGO_BIN_EXE_agalc"));
    let ran = Command::new("sh").args(["-c", &line]).current_dir(place.folder.path()).output().expect("a shell");
    assert_eq!(ran.status.code(), Some(1), "{ran:?}");
    let said = String::from_utf8_lossy(&ran.stderr).into_owned();
    assert!(said.contains("cannot write `new/0.sdlbc`: File too large"), "{said}");
    assert!(!look(&place, &whole, "SIGXFSZ"));
}
