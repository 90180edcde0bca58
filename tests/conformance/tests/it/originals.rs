//! Compares what compilers make of the sources in `testdata/sources/suite` with what agalc makes of that, on Mesa's software
//! driver.
//!
//! `ORIGINALS=FOLDER` compares the SPIR-V modules (`.spv`) of a folder too, and prints what became of each.

use std::path::{Path, PathBuf};
use std::process::Command;

use backends::{Layout, Numbering};
use conformance::originals::device::Device;
use conformance::originals::{Outcome, compare};
use glsl_front::{Language, Source};
use sdlbc::FunctionKind;
use sdlbc::front::{Convention, SourceOptions};
use testing::{Effort, files, testdata};

/// An original: its name, and its bytes or the reason why no compiler makes them.
type Original = (String, Result<Vec<u8>, String>);

fn stage(name: &str) -> FunctionKind {
    match name {
        name if name.contains(".vert") => FunctionKind::Vertex,
        name if name.contains(".comp") => FunctionKind::Compute,
        _ => FunctionKind::Fragment,
    }
}

fn compiled(path: &Path, language: Language<'_>) -> Result<Vec<u8>, String> {
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let compiled = glsl_front::compile(&Source { text: &text, stage: stage(&name), language });
    compiled.map(|compiled| compiled.bytes).map_err(|refusals| refusals[0].to_string())
}

fn assembled(path: &Path) -> Result<Vec<u8>, String> {
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    // The first line states the version.
    let version = text.lines().next().and_then(|line| line.strip_prefix("; SPIR-V ")).unwrap_or("1.0");
    let output =
        Command::new("spirv-as").args(["--target-env", &format!("spv{version}"), "-o", "-"]).arg(path).output();
    let output = output.map_err(|error| error.to_string())?;
    if output.status.success() { Ok(output.stdout) } else { Err(String::from_utf8_lossy(&output.stderr).into_owned()) }
}

fn originals() -> Vec<Original> {
    let suite = testdata("sources/suite");
    let mut all = Vec::new();
    let mut add = |below: &str, endings: &[&str], compile: &dyn Fn(&Path) -> Result<Vec<u8>, String>| {
        for path in endings.iter().flat_map(|ending| files(&suite.join(below), ending)) {
            let name = format!("{below}/{}", path.file_name().unwrap_or_default().to_string_lossy());
            all.push((name, compile(&path)));
        }
    };
    add("glsl", &[".vert", ".frag", ".comp"], &|path| compiled(path, Language::Glsl { version: None }));
    add("hlsl", &[".hlsl"], &|path| compiled(path, Language::Hlsl { entry: "main" }));
    add("spirv", &[".spvasm"], &assembled);
    if let Some(folder) = std::env::var_os("ORIGINALS") {
        let read =
            |path: PathBuf| (path.display().to_string(), std::fs::read(&path).map_err(|error| error.to_string()));
        all.extend(files(Path::new(&folder), ".spv").into_iter().map(read));
    }
    all
}

fn words(bytes: &[u8]) -> Vec<u32> {
    bytes.chunks_exact(4).filter_map(|word| Some(u32::from_le_bytes(word.try_into().ok()?))).collect()
}

/// Returns what agalc makes of a module, with the groups and bindings of the source.
fn translated(bytes: &[u8], options: &SourceOptions) -> Result<Vec<u32>, String> {
    let lifted = spirv_front::read(bytes, options).map_err(|refusals| refusals[0].to_string())?;
    let module = conformance::passes::optimised(&lifted.module)?;
    let layout = Layout { numbering: Numbering::Source, spirv: (1, 5), ..Layout::default() };
    backends::spirv(&module, &layout).map_err(|error| error.to_string())
}

#[test]
fn a_translation_writes_what_its_original_writes() {
    let device = Device::new().expect("a device of Mesa's software driver (Debian package mesa-vulkan-drivers)");
    let originals = originals();
    let seeds = u32::try_from(Effort::of("SEEDS", 2).cases).unwrap_or(1);
    let mut options = SourceOptions::default();
    options.convention = Some(Convention::Vulkan);
    let (mut same, mut numbers, mut skipped, mut wrong) = (0, 0, Vec::new(), Vec::new());
    for (name, bytes) in &originals {
        let outcome = match bytes {
            Err(reason) => Outcome::Skipped(reason.clone()),
            Ok(bytes) => match translated(bytes, &options) {
                Err(reason) => Outcome::Skipped(reason),
                Ok(ours) => compare(&device, &words(bytes), &ours, seeds),
            },
        };
        match outcome {
            Outcome::Same(count) => (same, numbers) = (same + 1, numbers + count),
            Outcome::Different(difference) => wrong.push(format!("{name}: {difference}")),
            Outcome::Skipped(reason) => skipped.push(format!("{name}: {reason}")),
        }
    }
    println!("{same} of {} write the same, {numbers} numbers", originals.len());
    skipped.iter().for_each(|reason| println!("not compared: {reason}"));
    assert!(wrong.is_empty(), "{} differ\n{}", wrong.len(), wrong.join("\n"));
}
