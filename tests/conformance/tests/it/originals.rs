//! Compares what compilers make of the sources in `testdata/sources/suite` with what agalc makes of that, on Mesa's software
//! driver.
//!
//! `ORIGINALS=FOLDER` compares the SPIR-V modules (`.spv`) of a folder too, and prints what became of each.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use backends::{Layout, Numbering};
use conformance::originals::device::Device;
use conformance::originals::{Outcome, compare};
use glsl_front::{Language, Source};
use rspirv::dr::Operand;
use rspirv::spirv::{GlslStd450Op, Op};
use sdlbc::FunctionKind;
use sdlbc::front::{Convention, SourceOptions};
use testing::{Effort, expect, files, testdata};

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

/// Returns the modules that compilers make of the suite.
fn suite() -> Vec<Original> {
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

/// Originals that Mesa 22.3 runs wrongly, with the fault. The translations of both are right by calculation.
const FAULTS: [(&str, &str); 3] = [
    ("spirv/remainders_of_each_kind.frag.spvasm", "OpSMod has the sign of the dividend, as OpSRem has"),
    ("hlsl/integers.frag.hlsl", "as above, if glslc compiles it, which writes OpSMod"),
    ("glsl/loop_do_while.frag", "a fragment whose do-while loop has ended goes on for another round"),
];

/// Originals that are not compared, with the reason.
const NOT_COMPARED: [(&str, &str); 10] = [
    ("spirv/decorations_in_groups.frag.spvasm", "the comparison does not read decoration groups"),
    ("spirv/entry_points_of_two_stages.frag.spvasm", "the comparison runs one entry point"),
    ("spirv/images_in_an_array.frag.spvasm", "as in GLSL"),
    ("spirv/specialised_composites.frag.spvasm", "rspirv does not read OpSpecConstantOp with several operands"),
    ("spirv/workgroup_size_by_ids.comp.spvasm", "rspirv does not read OpExecutionModeId"),
    ("glsl/varyings_in_a_structure.vert", "Mesa's transform feedback captures the members of blocks only"),
    (
        "glsl/textures_in_an_array.frag",
        "elements of an array have no binding of their own, which the layout `source` needs",
    ),
    ("hlsl/textures_in_an_array.frag.hlsl", "as in GLSL"),
    ("spirv/assumed_and_expected.frag.spvasm", "Mesa 22.3 does not read OpExpectKHR"),
    ("spirv/copied_logically.comp.spvasm", "Mesa 22.3 does not read OpCopyLogical"),
];

#[test]
fn a_translation_writes_what_its_original_writes_and_the_suite_covers_its_list() {
    let device = Device::new().expect("a device of Mesa's software driver (Debian package mesa-vulkan-drivers)");
    let only = std::env::var("ONLY").unwrap_or_default();
    let mut originals = suite();
    assert!(originals.len() >= 300, "{} originals", originals.len());
    let mut names = BTreeSet::new();
    // What compilers of HLSL write differs.
    let listed = originals.iter().filter(|(name, _)| !name.starts_with("hlsl/"));
    listed.filter_map(|(_, bytes)| bytes.as_ref().ok()).for_each(|bytes| add_names(bytes, &mut names));
    let list = names.into_iter().collect::<Vec<_>>().join("\n") + "\n";
    expect("testdata/sources/suite/covered.txt", &list).unwrap_or_else(|difference| panic!("{difference}"));
    if let Some(folder) = std::env::var_os("ORIGINALS") {
        let read =
            |path: PathBuf| (path.display().to_string(), std::fs::read(&path).map_err(|error| error.to_string()));
        originals.extend(files(Path::new(&folder), ".spv").into_iter().map(read));
    }
    originals.retain(|original| original.0.contains(&only));
    let seeds = u32::try_from(Effort::of("SEEDS", 2).cases).unwrap_or(1);
    let mut options = SourceOptions::default();
    options.convention = Some(Convention::Vulkan);
    let (mut same, mut numbers, mut faults) = (0, 0, 0);
    let (mut skipped, mut wrong) = (Vec::new(), Vec::new());
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
            Outcome::Different(_) if FAULTS.iter().any(|fault| fault.0 == name) => faults += 1,
            Outcome::Different(difference) => wrong.push(format!("{name}: {difference}")),
            Outcome::Skipped(reason) => skipped.push((name, reason)),
        }
    }
    println!("{same} of {} write the same, {numbers} numbers; the driver is wrong for {faults}", originals.len());
    skipped.iter().for_each(|(name, reason)| println!("not compared: {name}: {reason}"));
    let is_of_suite = |name: &str| !name.ends_with(".spv");
    let unlisted = skipped.iter().filter(|(name, _)| is_of_suite(name) && NOT_COMPARED.iter().all(|of| of.0 != *name));
    wrong.extend(unlisted.map(|(name, reason)| format!("{name} is not compared: {reason}")));
    assert!(wrong.is_empty(), "{} differ\n{}", wrong.len(), wrong.join("\n"));
}

/// Adds the names of what a module uses: instructions, extended instructions, storage classes, decorations and built-in values.
fn add_names(bytes: &[u8], names: &mut BTreeSet<String>) {
    let mut loader = rspirv::dr::Loader::new();
    if rspirv::binary::parse_words(words(bytes), &mut loader).is_err() {
        return;
    }
    for inst in loader.module().all_inst_iter() {
        names.insert(format!("Op{:?}", inst.class.opcode));
        if let (Op::ExtInst, Some(&Operand::LiteralExtInstInteger(number))) = (inst.class.opcode, inst.operands.get(1))
        {
            names.extend(GlslStd450Op::from_u32(number).map(|op| format!("GLSL.std.450 {op:?}")));
        }
        for operand in &inst.operands {
            match operand {
                Operand::StorageClass(class) => drop(names.insert(format!("storage class {class:?}"))),
                Operand::Decoration(decoration) => drop(names.insert(format!("decoration {decoration:?}"))),
                Operand::BuiltIn(builtin) => drop(names.insert(format!("built-in value {builtin:?}"))),
                _ => {}
            }
        }
    }
}
