//! The WGSL and GLSL shaders of `testdata/sources`, lifted to modules, on every witness.

use std::path::PathBuf;

use conformance::parallel::tabulate;
use conformance::suite::{self, Subject};
use conformance::{Witness, table::Table};
use naga_front::{Options, Source};
use sdlbc::{FunctionKind, Module};
use testing::{files, testdata};

/// Invocations of a vertex function.
const POINTS: usize = 32;
/// The side of the square that a fragment function is drawn in.
const SIDE: u32 = 8;

/// An entry function of a shader.
struct Entry {
    module: Module,
    label: String,
    kind: FunctionKind,
    seed: u64,
}

fn entries(path: &PathBuf, seed: u64) -> Vec<Entry> {
    let text = std::fs::read_to_string(path).expect("a text");
    let label = path.file_name().expect("a name").to_string_lossy().into_owned();
    let source = match path.extension().and_then(|extension| extension.to_str()) {
        Some("vert") => Source::Glsl { text: &text, stage: front::Stage::Vertex },
        Some("frag") => Source::Glsl { text: &text, stage: front::Stage::Fragment },
        _ => Source::Wgsl(&text),
    };
    let module = naga_front::read(&source, &Options::default())
        .unwrap_or_else(|refusals| panic!("{label}: {}", refusals[0]))
        .module;
    let kinds = module.functions.iter().map(|function| function.kind).filter(|&kind| kind != FunctionKind::Generic);
    kinds.map(|kind| Entry { module: module.clone(), label: label.clone(), kind, seed }).collect()
}

fn ask(entry: &Entry, devices: &mut [Box<dyn Witness>], table: &mut Table) -> Result<(), String> {
    let stage = if entry.kind == FunctionKind::Vertex { "vertex" } else { "fragment" };
    let subject = Subject {
        row: (usize::from(entry.kind != FunctionKind::Vertex), stage.to_string()),
        label: format!("{}, {stage} function", entry.label),
        module: &entry.module,
        program: None,
        probe: suite::probe(&entry.module, entry.kind, entry.seed, POINTS, SIDE),
        devices: true,
    };
    suite::compare(&subject, suite::some_of(devices, entry.seed), table)
}

#[test]
fn shaders_in_wgsl_and_glsl_are_the_same_on_every_witness() {
    let folder = testdata("sources");
    let endings = [("wgsl", ".wgsl"), ("filters", ".wgsl"), ("glsl", ".vert"), ("glsl", ".frag")];
    let paths: Vec<PathBuf> = endings.iter().flat_map(|(below, ending)| files(&folder.join(below), ending)).collect();
    let all: Vec<Entry> = paths.iter().zip(0..).flat_map(|(path, seed)| entries(path, seed)).collect();
    assert!(paths.len() >= 100, "{} shaders", paths.len());
    println!("{}", tabulate(&all, suite::MACHINE, ask).summary());
}
