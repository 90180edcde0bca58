//! Extracts and compiles the programs in published games and libraries, within limits on time and memory. If there are no such
//! files, the test is skipped. The environment variable `FILES` sets the number of files to test.

use std::path::{Path, PathBuf};

use agal_extract::{MOST_OF_FOLDER, MOST_OF_MANIFEST};
use testing::{Effort, MEMORY_ALWAYS, MEMORY_TIMES, on_two_threads, repository, say};

use crate::support::sandbox::Sandbox;
use crate::support::took::watched;

/// The limit on the user time of one extraction, in seconds. A test build may take four times as long as a release build.
const SECONDS: f64 = 5.0 * 4.0;
const ALL_SECONDS: f64 = 60.0 * 4.0;
/// The memory that the command uses before it reads input, in bytes.
const OWN: usize = 20 << 20;

/// Returns the total size in bytes of the files in a folder and its subfolders.
fn size(folder: &Path) -> u64 {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .map(|entry| match entry.metadata() {
            Ok(data) if data.is_dir() => size(&entry.path()),
            Ok(data) => data.len(),
            Err(_) => 0,
        })
        .sum()
}

/// Reports whether two conditions contradict each other by requiring different values of the same expression.
fn exclude(one: &serde_json::Value, other: &serde_json::Value) -> bool {
    one["expression"] == other["expression"] && one["is"] != other["is"]
}

/// The known facts about a file: how many constant program texts another tool has found, and whether any tool has found a
/// program.
struct Known {
    texts: u64,
    has_programs: bool,
}

fn known(file: &Path) -> Known {
    let index = std::fs::read_to_string(file.with_file_name("index.tsv")).expect("the index of the files");
    let mut rows = index.lines().map(|line| line.split('\t').collect::<Vec<_>>());
    let head = rows.next().expect("the names of columns");
    let name = file.file_name().expect("a name").to_string_lossy();
    let row = rows.find(|row| row[0] == name).unwrap_or_else(|| panic!("{name} is not in the index"));
    let at = |column: &str| head.iter().position(|one| *one == column).and_then(|at| row.get(at)).copied();
    let texts = at("constant_texts_of_an_independent_folder").and_then(|texts| texts.parse().ok()).unwrap_or(0);
    Known { texts, has_programs: at("programs") != Some("0") }
}

/// Extracts and compiles the programs of a file. Returns the errors and the extraction time in seconds.
fn tried(file: &Path) -> (Vec<String>, f64) {
    let name = file.file_name().expect("a name").to_string_lossy().into_owned();
    let known = known(file);
    let sandbox = Sandbox::new();
    let err = sandbox.path("err");
    let out = sandbox.path("shaders");
    let took = watched(sandbox.command(&["extract", &file.to_string_lossy(), "-o", "shaders"]), &err);
    let mut wrong = Vec::new();
    let mut check = |holds: bool, what: String| {
        if !holds {
            wrong.push(format!("{name}: {what}"));
        }
    };
    // The limit is computed from the packed length, which is never greater than the unpacked length.
    let length = usize::try_from(std::fs::metadata(file).expect("a file").len()).expect("a file that fits memory");
    let most = MEMORY_TIMES * length + MEMORY_ALWAYS + OWN;
    check(took.seconds <= SECONDS, format!("extraction took {} s", took.seconds));
    check(took.memory <= most, format!("extraction took {} bytes of memory, of {most}", took.memory));
    if took.code != 0 {
        check(!known.has_programs && took.err.contains("no AGAL was found"), took.err);
        check(!out.exists(), "a folder was left".to_string());
        return (wrong, took.seconds);
    }
    let manifest = out.join("manifest.json");
    check(size(&out) <= MOST_OF_FOLDER as u64, format!("the folder has {} bytes", size(&out)));
    let text = std::fs::read_to_string(&manifest).expect("a manifest");
    check(text.len() <= MOST_OF_MANIFEST, format!("the manifest has {} bytes", text.len()));
    let manifest: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    for program in manifest["programs"].as_array().expect("programs") {
        let list = |name: &str| program[name].as_array().into_iter().flatten();
        for made in list("places").chain(list("variants")) {
            let conditions = made["when"].as_array().map_or(&[][..], Vec::as_slice);
            let is_possible =
                (0..conditions.len()).all(|at| conditions[..at].iter().all(|other| !exclude(&conditions[at], other)));
            check(is_possible, format!("{}: conditions exclude one another: {made}", program["file"]));
        }
    }
    let counts = &manifest["counts"];
    let count = |name: &str| counts[name].as_u64().expect("a count");
    // A program with holes does not count as constant program text.
    let found = count("variants") - count("with_holes");
    check(found >= known.texts, format!("{found} programs, of {} constant texts", known.texts));
    // Only an application must contain a pair: libraries upload nothing, and engines may build all programs at run time.
    let is_paired = count("pairs") > 0 || count("complete") == 0 || !name.ends_with(".swf");
    check(is_paired && count("complete") + count("with_holes") > 0, format!("no pairs: {counts}"));
    let is_legal = counts["with_errors"] == 0 && counts["pairs_with_errors"] == 0;
    let ran = watched(sandbox.command(&["compile", "shaders", "-o", "compiled", "--to", "spirv,wgsl"]), &err);
    check(ran.code == i32::from(!is_legal), format!("compile ended with {}: {}", ran.code, ran.err));
    println!(
        "{name:60} {:5.2} s, {:5.1} MiB, {} programs, {} complete, {} pairs, compile {}",
        took.seconds,
        took.memory as f64 / f64::from(1 << 20),
        counts["programs"],
        counts["complete"],
        counts["pairs"],
        ran.code
    );
    (wrong, took.seconds)
}

#[test]
fn what_is_found_in_real_files_compiles_within_the_bounds() {
    let folder = repository().join("../shared/swf");
    let mut files: Vec<PathBuf> = [".abc", ".air", ".swc", ".swf"]
        .iter()
        .filter(|_| folder.is_dir())
        .flat_map(|ending| testing::files(&folder, ending))
        .collect();
    if files.is_empty() {
        return say("SKIPPED: there is no ../shared/swf");
    }
    // Quick runs test only the smallest files.
    files.sort_by_key(|file| std::fs::metadata(file).map_or(0, |data| data.len()));
    let files = Effort::part_of("FILES", &files);
    let found = on_two_threads(&files, |file| tried(file));
    let wrong: Vec<String> = found.iter().flat_map(|(wrong, _)| wrong.clone()).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let seconds: f64 = found.iter().map(|(_, seconds)| seconds).sum();
    assert!(seconds <= ALL_SECONDS, "{seconds} s in all");
}
