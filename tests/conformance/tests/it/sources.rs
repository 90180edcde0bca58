//! Runs the WGSL and GLSL shaders of `testdata/sources`, lifted to modules, on every witness.

use std::path::{Path, PathBuf};

use conformance::parallel::tabulate;
use conformance::suite;
use laws::Source;
use sdlbc::front::SourceOptions;
use testing::{files, testdata};

use crate::random_modules::{Entry, ask, entries};

/// Lifts a shader file, and returns its entry functions.
fn lifted(path: &Path, seed: u64) -> Vec<Entry> {
    let text = std::fs::read_to_string(path).expect("a text");
    let label = path.file_name().expect("a name").to_string_lossy();
    let source = Source::of(path, &text).expect("a source");
    let lifted = source.read(&SourceOptions::default());
    let module = lifted.unwrap_or_else(|refusals| panic!("{label}: {}", refusals[0])).module;
    entries(&module, seed, &label, false)
}

#[test]
fn shaders_in_wgsl_and_glsl_are_the_same_on_every_witness() {
    let folder = testdata("sources");
    let endings = [("wgsl", ".wgsl"), ("filters", ".wgsl"), ("glsl", ".vert"), ("glsl", ".frag")];
    let paths: Vec<PathBuf> = endings.iter().flat_map(|(below, ending)| files(&folder.join(below), ending)).collect();
    let all: Vec<Entry> = paths.iter().zip(0..).flat_map(|(path, seed)| lifted(path, seed)).collect();
    assert!(paths.len() >= 100, "{} shaders", paths.len());
    println!("{}", tabulate(&all, suite::MACHINE, ask).summary());
}
