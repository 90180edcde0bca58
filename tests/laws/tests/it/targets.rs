//! Checks generated modules in every target with external validators: spirv-val, naga's WGSL front end, glslangValidator, and
//! Tint if it is on the PATH. Each module is tested with its own names and with names that need escaping. A target may reject a
//! module by naming a feature that the target lacks. Rejections are counted and printed.
//!
//! A full run tests 200 modules and the modules of `testdata/fuzz/backends`, and `MODULES=2000` tests more. A failure prints its
//! seed. `SEED=...` runs a single module, and leaves the module and its outputs in target/laws/.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use backends::{Error, Glsl, Layout, Target};
use laws::{Mood, TARGETS, from_seed, hostile_from_seed, naga_accepts, outputs};
use sdlbc::{FunctionKind, Module};
use testing::{Effort, GLSLANG, SPIRV_AS, SPIRV_VAL, TINT, Tool, caught, on_two_threads, repository, say, testdata};

/// The maximum number of files that one run of glslangValidator checks.
const BATCH: usize = 64;

struct Work {
    name: String,
    module: Module,
}

/// Returns the modules that fuzzing has found, and the modules of the initial fuzzing corpus.
fn kept_modules() -> Vec<Work> {
    let folder = testdata("fuzz");
    let mut paths: Vec<PathBuf> = Vec::new();
    for folder in ["backends", "hostile"].map(|law| folder.join(law)) {
        let entries = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        paths.extend(
            entries
                .map(|entry| entry.expect("an entry").path())
                .filter(|path| path.extension().is_none_or(|e| e != "choices") || folder.ends_with("backends")),
        );
    }
    paths.sort();
    let work = |path: &PathBuf| {
        let module = laws::module_of(&std::fs::read(path).expect("the file"))?;
        let name = path.file_name()?.to_string_lossy().into_owned();
        sdlbc::verify(&module).is_ok().then_some(Work { name, module })
    };
    paths.iter().filter_map(work).collect()
}

#[derive(Clone, Debug)]
struct File {
    name: String,
    target: Target,
    path: PathBuf,
    /// Whether the file has an entry point, without which Vulkan does not accept SPIR-V.
    entry: bool,
}

#[derive(Debug, Default)]
struct Found {
    files: Vec<File>,
    /// The target of each rejection, and the feature that the target lacks.
    refused: Vec<(Target, String)>,
    failures: Vec<Failure>,
}

#[derive(Clone, Debug)]
struct Failure {
    name: String,
    what: String,
}

#[test]
fn generated_modules_validate_or_are_rejected_for_what_a_target_lacks() {
    all_validate(200, 8, |seed| {
        let module = from_seed(seed);
        let renamed = laws::renamed(&module, seed, true);
        vec![(seed.to_string(), module), (format!("{seed}-renamed"), renamed)]
    });
}

/// Targets reject hostile modules more often than other modules, because hostile modules use every feature that some target
/// lacks.
#[test]
fn hostile_modules_validate_or_are_rejected_for_what_a_target_lacks() {
    all_validate(60, 5, |seed| {
        let module = hostile_from_seed(seed, if seed % 2 == 0 { Mood::Wild } else { Mood::Calm }).module;
        let verifies = sdlbc::verify(&module).is_ok();
        if verifies { vec![(format!("hostile-{seed}"), module)] } else { Vec::new() }
    });
}

/// Translates and validates the modules of each seed. At least `tenths` tenths of the modules must be translated to SPIR-V.
#[track_caller]
fn all_validate(full: u64, tenths: usize, make: impl Fn(u64) -> Vec<(String, Module)>) {
    let effort = Effort::of("MODULES", full);
    let alone = effort.only;
    let works = effort.seeds().flat_map(make);
    let mut works: Vec<Work> = works.map(|(name, module)| Work { name, module }).collect();
    if alone.is_none() {
        works.extend(kept_modules());
    }
    let kept = repository().join("target/laws");
    let temporary = tempfile::tempdir().expect("a folder");
    let folder = if alone.is_some() { kept.as_path() } else { temporary.path() };
    std::fs::create_dir_all(folder).expect("the folder");
    let found = on_two_threads(&works, |work| write_all(work, folder, alone.is_some()));

    let mut all = Found::default();
    for one in found {
        all.files.extend(one.files);
        all.refused.extend(one.refused);
        all.failures.extend(one.failures);
    }
    let mut table = format!("\n{} modules\n", works.len());
    for target in TARGETS {
        let of_target: Vec<&File> = all.files.iter().filter(|file| file.target == target).collect();
        let _ = writeln!(table, "  {:<12} {:>5} files", target.to_string(), of_target.len());
        for tool in tools_of(target).into_iter().filter(|tool| tool.is_there()) {
            let failures = validate(tool, &of_target);
            let passed = of_target.len() - failures.len();
            let _ = writeln!(table, "    {:<20} {passed:>5} passed", tool.name);
            all.failures.extend(failures);
        }
        for (what, times) in counted(all.refused.iter().filter(|(of, _)| *of == target).map(|(_, what)| what)) {
            let _ = writeln!(table, "    rejected {times:>4}: {what}");
        }
    }
    say(&table);
    if alone.is_some() {
        say(&format!("the module and its outputs are in {}", folder.display()));
    }
    let spirv: Vec<&File> = all.files.iter().filter(|file| file.target == Target::Spirv).collect();
    if SPIRV_AS.is_there() {
        let failures = on_two_threads(&spirv, |file| assembled(file).err()).into_iter().flatten();
        all.failures.extend(failures);
    }
    assert!(all.failures.is_empty(), "{}", described(&all.failures));
    let modules_written = all.files.iter().filter(|file| file.target == Target::Spirv).count();
    assert!(
        alone.is_some() || modules_written * 10 >= works.len() * tenths,
        "only {modules_written} modules became SPIR-V"
    );
}

/// Translates a module to every target, and runs the checks that need no external tool.
fn write_all(work: &Work, folder: &Path, keep: bool) -> Found {
    let Work { name, module } = work;
    let entry = module.functions.iter().any(|function| function.kind != FunctionKind::Generic);
    let mut found = Found::default();
    if keep {
        std::fs::write(folder.join(format!("{name}.sdlasm")), sdlbc::print(module)).expect("the file");
        std::fs::write(folder.join(format!("{name}.sdlbc")), sdlbc::encode(module)).expect("the file");
    }
    for (number, target) in TARGETS.into_iter().enumerate() {
        let mut failed =
            |what: String| found.failures.push(Failure { name: name.clone(), what: format!("{target}: {what}") });
        let written = caught(|| outputs(module, target, &Layout::default()));
        let files = match written {
            Ok(Ok(files)) => files,
            Ok(Err(Error::Unsupported { what, .. })) => {
                found.refused.push((target, what));
                continue;
            }
            Ok(Err(error)) => {
                failed(error.to_string());
                continue;
            }
            Err(panic) => {
                failed(panic);
                continue;
            }
        };
        for (stage, bytes) in files {
            if target == Target::Wgsl {
                let text = String::from_utf8_lossy(&bytes);
                if let Err(error) = naga_accepts(&text) {
                    failed(format!("naga's front end: {error}"));
                }
            }
            let extension = match (target, stage) {
                (Target::Spirv, _) => "spv",
                (Target::Wgsl, _) => "wgsl",
                (Target::Glsl(_), Some(FunctionKind::Vertex)) => "vert",
                (Target::Glsl(_), _) => "frag",
                (Target::Hlsl(_), _) => "hlsl",
                (Target::Msl(_), _) => "metal",
            };
            let path = folder.join(format!("{name}.{number}.{extension}"));
            // glslangValidator does not support `GL_EXT_clip_cull_distance`, but the drivers in the conformance suite support it.
            let is_unknown = target == Target::Glsl(Glsl::Es300)
                && String::from_utf8_lossy(&bytes).contains("GL_EXT_clip_cull_distance");
            if is_unknown {
                continue;
            }
            std::fs::write(&path, bytes).expect("the file");
            found.files.push(File { name: name.clone(), target, path, entry });
        }
    }
    found
}

fn tools_of(target: Target) -> Vec<Tool> {
    match target {
        Target::Spirv => vec![SPIRV_VAL],
        Target::Wgsl => vec![TINT],
        Target::Glsl(_) => vec![GLSLANG],
        // The tests of the `agalc` command run the compilers for HLSL and MSL.
        Target::Hlsl(_) | Target::Msl(_) => Vec::new(),
    }
}

/// Runs a validator on files, and returns an error for each file that fails.
fn validate(tool: Tool, files: &[&File]) -> Vec<Failure> {
    let at_once = if tool.name == GLSLANG.name { BATCH } else { 1 };
    let batches: Vec<&[&File]> = files.chunks(at_once).collect();
    let failures = on_two_threads(&batches, |batch| {
        if batch.len() > 1 && run(tool, batch).is_ok() {
            return Vec::new();
        }
        // Each file is checked on its own. Either a file of the batch is invalid, or the batch has only one file.
        let one = |file: &&File| {
            let said = run(tool, &[file]).err()?;
            Some(Failure { name: file.name.clone(), what: format!("{}: {said}", file.target) })
        };
        batch.iter().filter_map(one).collect()
    });
    failures.concat()
}

/// Checks that `spirv-as` assembles our text of a SPIR-V module to the module's words, except for the header.
fn assembled(file: &File) -> Result<(), Failure> {
    let failure = |what: String| Failure { name: file.name.clone(), what };
    let words = |path: &Path| -> Vec<u32> {
        let bytes = std::fs::read(path).expect("the file");
        bytes.chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().expect("four bytes"))).collect()
    };
    let written = words(&file.path);
    let text = backends::spirv_assembly(&written).map_err(|error| failure(error.to_string()))?;
    let [from, to] = ["spvasm", "again"].map(|extension| file.path.with_extension(extension));
    std::fs::write(&from, &text).expect("the file");
    let arguments = ["--preserve-numeric-ids", "--target-env", "spv1.3", "-o"].map(OsStr::new);
    let files = [to.as_os_str(), from.as_os_str()];
    SPIRV_AS.run(&arguments.into_iter().chain(files).collect::<Vec<_>>()).map_err(&failure)?;
    match words(&to)[5..] == written[5..] {
        true => Ok(()),
        false => Err(failure(format!("the text assembles to another module\n{text}"))),
    }
}

fn run(tool: Tool, files: &[&File]) -> Result<(), String> {
    let options: &[&str] = match tool.name {
        name if name == SPIRV_VAL.name && files.iter().all(|file| file.entry) => &["--target-env", "vulkan1.1"],
        name if name == SPIRV_VAL.name => &["--target-env", "spv1.3"],
        name if name == TINT.name => &["--format", "wgsl"],
        _ => &[],
    };
    let paths = files.iter().map(|file| file.path.as_os_str());
    tool.run(&options.iter().map(OsStr::new).chain(paths).collect::<Vec<_>>())
}

/// Groups the failures by kind, and shows the shortest failure of each kind.
fn described(failures: &[Failure]) -> String {
    let mut kinds = BTreeMap::<String, Vec<&Failure>>::new();
    for failure in failures {
        kinds.entry(kind(&failure.what)).or_default().push(failure);
    }
    let mut kinds: Vec<Vec<&Failure>> = kinds.into_values().collect();
    kinds.sort_by_key(|alike| std::cmp::Reverse(alike.len()));
    let mut text = format!("{} failures of {} kinds\n", failures.len(), kinds.len());
    for alike in kinds {
        let Some(shortest) = alike.iter().min_by_key(|failure| failure.what.len()) else { continue };
        let _ = writeln!(text, "{} times, once with {}: {}", alike.len(), shortest.name, shortest.what);
    }
    text
}

/// Counts the occurrences of each text, with the most frequent first. Texts that differ only in numbers count as the same text.
fn counted<'a>(texts: impl Iterator<Item = &'a String>) -> Vec<(String, usize)> {
    let mut counts = BTreeMap::<String, usize>::new();
    texts.for_each(|text| *counts.entry(without_numbers(text)).or_default() += 1);
    let mut counts: Vec<(String, usize)> = counts.into_iter().collect();
    counts.sort_by_key(|&(_, times)| std::cmp::Reverse(times));
    counts
}

/// Returns the first line of a message that contains "error", without numbers and quoted parts.
fn kind(what: &str) -> String {
    let mut lines = what.lines().filter(|line| line.to_lowercase().contains("error"));
    without_numbers(lines.next().or(what.lines().next()).unwrap_or_default())
}

/// Replaces each number in a text with `#`, and removes quoted parts.
fn without_numbers(text: &str) -> String {
    let mut short = String::new();
    let mut quoted = false;
    for c in text.chars() {
        match c {
            '\'' | '"' | '`' => quoted = !quoted,
            _ if quoted => {}
            '0'..='9' if short.ends_with('#') => {}
            '0'..='9' => short.push('#'),
            c => short.push(c),
        }
    }
    short
}
