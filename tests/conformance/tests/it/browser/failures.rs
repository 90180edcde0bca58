//! The browser witness reports errors, still draws after an error, and leaves no processes running.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use conformance::witness::Browser;
use conformance::{Failure, Witness};
use sdlbc::Dimension;
use sdlbc_interp::Image;

use super::{FRAGMENT, VERTEX, WHOLE, add, browser, empty, level, lock, reds, texture, textured};

fn broken(result: Result<Image, Failure>) -> String {
    match result {
        Err(Failure::Broken(why)) => why,
        other => panic!("{other:?}"),
    }
}

#[test]
fn errors_that_dawn_reports_for_a_text_are_reported() {
    let browser = browser();
    let mut browser = lock(&browser);
    let mut draw = empty(&format!("{VERTEX}{FRAGMENT}"), 2, 2);
    add(&mut draw, &WHOLE, [[1.0; 4]; 4]);
    let good = backends::wgsl(&draw.module, &backends::Layout::default()).expect("WGSL");

    let wrong = good.replacen("return", "return nowhere + ", 1);
    let why = broken(browser.draw_text(&draw, &wrong));
    assert!(why.contains("unresolved value 'nowhere'"), "the compiler's message: {why}");

    let wrong = format!("{good}\n@group(0) @binding(9) var<uniform> unknown: vec4<f32>;\n").replacen(
        "return v0",
        "return unknown + v0",
        1,
    );
    let why = broken(browser.draw_text(&draw, &wrong));
    assert!(why.contains("The entry-point uses bindings in group 0"), "the pipeline's: {why}");

    assert_eq!(browser.draw_text(&draw, &good).expect("a picture").targets[0], [[1.0; 4]; 4], "it still draws");
}

#[test]
fn levels_that_are_not_halved_are_rejected() {
    let mut draw = empty(&textured("texture2d", "xy", "filter 0, mip 1, wrap 0 0"), 1, 1);
    texture(&mut draw, Dimension::D2, vec![level(4, 4, 1, &[1; 16]), level(3, 3, 1, &[1; 9])]);
    let why = broken(lock(&browser()).draw(&draw));
    assert!(why.contains("level 1 of a texture is not half"), "{why}");
}

#[test]
fn what_the_device_lacks_is_unsupported() {
    let text = format!("{VERTEX}{FRAGMENT}").replace("attribute 1", "attribute 60");
    match lock(&browser()).draw(&empty(&text, 2, 2)) {
        Err(Failure::Unsupported(why)) => assert!(why.contains("location"), "{why}"),
        other => panic!("{other:?}"),
    }
    let text = r#"
vertex function "vs_main" {
  input %1 va0: float4 = attribute 0
  output 0 op: float4 = position
  output 1 size: float = pointsize
  poke %1, 0
  %2 = swizzle %1, x
  poke %2, 1
}
fragment function "fs_main" {
  input %1 at: float4 = builtin fragmentcoordinate
  output 0 oc: float4 = colour 0
  poke %1, 0
}"#;
    match lock(&browser()).draw(&empty(text, 2, 2)) {
        Err(Failure::Unsupported(why)) => assert!(why.contains("point size"), "{why}"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_picture_that_takes_too_long_is_given_up_and_the_next_one_is_drawn() {
    let fragment = r#"
fragment function "fs_main" {
  input %1 v0: float4 = varying 0
  input %10 last: float4[1] = local
  output 0 oc: float4 = colour 0
  %2 = literalint 0
  %3 = literalint 1
  %4 = literalint 2147483647
  loop {
    %5 = phi %2, %8
    %6 = phi %1, %9
    %7 = greaterthanorequal %5, %4
    if %7 {
      poke %6, %10, 0
      break
    }
    %9 = cos %6
    %8 = add %5, %3
  }
  %11 = peek %10, 0
  poke %11, 0
}"#;
    let mut draw = empty(&format!("{VERTEX}{fragment}"), 256, 256);
    add(&mut draw, &WHOLE, [[1.0; 4]; 4]);
    let mut browser = Browser::start().expect("Chromium");
    browser.set_limit(Duration::from_secs(2));
    let begun = Instant::now();
    let why = broken(browser.draw(&draw));
    assert!(why.contains("no response within 2 seconds"), "{why}");
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
    browser.set_limit(Duration::from_secs(60));
    let mut draw = empty(&format!("{VERTEX}{FRAGMENT}"), 1, 1);
    add(&mut draw, &WHOLE, [[4.0; 4]; 4]);
    assert_eq!(reds(&browser.draw(&draw).expect("a picture")), [[4.0]]);
}

#[test]
fn a_browser_that_is_not_installed_or_exits_is_reported() {
    let missing = Browser::start_program("chromium-that-is-not-there").err().expect("none");
    assert!(missing.contains("install the package chromium"), "{missing}");
    let gone = Browser::start_program("false").err().expect("none");
    assert!(gone.contains("it has exited (exit status: 1)"), "{gone}");
    let said = Browser::start_program("ls").err().expect("none");
    assert!(said.contains("its output ends with:") && said.contains("unrecognized option"), "{said}");
}

/// Returns the temporary folder of each browser that runs on this machine.
fn folders() -> Vec<PathBuf> {
    let processes = std::fs::read_dir("/proc").expect("processes").flatten();
    let lines = processes.filter_map(|process| std::fs::read(process.path().join("cmdline")).ok());
    let arguments = lines
        .flat_map(|line| String::from_utf8_lossy(&line).split(['\0', ' ']).map(str::to_string).collect::<Vec<_>>());
    let folders = arguments.filter_map(|argument| Some(PathBuf::from(argument.strip_prefix("--user-data-dir=")?)));
    folders.filter_map(|profile| profile.parent().map(Path::to_path_buf)).collect()
}

#[test]
fn nothing_is_left_of_a_browser() {
    let browser = Browser::start().expect("Chromium");
    let folder = browser.folder().expect("a folder").to_path_buf();
    assert!(folder.is_dir() && folders().contains(&folder), "{:?}", folders());
    drop(browser);
    assert!(!folder.exists());
    assert!(!folders().contains(&folder), "{:?}", folders());
}

/// Returns the process id and the process group of each process whose command line contains `argument`.
fn processes(argument: &str) -> Vec<(u32, u32)> {
    let all = std::fs::read_dir("/proc").expect("processes").flatten();
    let found = all.filter_map(|process| {
        let line = std::fs::read(process.path().join("cmdline")).ok()?;
        let stat = std::fs::read_to_string(process.path().join("stat")).ok()?;
        // In `/proc/PID/stat`, the state, the parent and the process group follow the name in parentheses.
        let group = stat.rsplit_once(')')?.1.split_whitespace().nth(2)?.parse().ok()?;
        let number = process.file_name().to_str()?.parse().ok()?;
        String::from_utf8_lossy(&line).contains(argument).then_some((number, group))
    });
    found.collect()
}

#[test]
fn a_device_that_is_lost_is_opened_again() {
    let mut browser = Browser::start().expect("Chromium");
    let mut draw = empty(&format!("{VERTEX}{FRAGMENT}"), 1, 1);
    add(&mut draw, &WHOLE, [[4.0; 4]; 4]);
    assert_eq!(reds(&browser.draw(&draw).expect("a picture")), [[4.0]]);
    let folder = browser.folder().expect("a folder").display().to_string();
    let groups: Vec<u32> =
        processes(&format!("--user-data-dir={folder}")).into_iter().map(|(_, group)| group).collect();
    let device = processes("--type=gpu-process").into_iter().find(|(_, group)| groups.contains(group)).expect("one").0;
    let killed = std::process::Command::new("kill").args(["-KILL", &device.to_string()]).status();
    assert!(killed.expect("kill").success());
    // If the witness has not noticed the lost device yet, the first attempt fails and the second succeeds.
    let second = browser.draw(&draw).or_else(|_| browser.draw(&draw));
    assert_eq!(reds(&second.expect("a picture")), [[4.0]]);
}
