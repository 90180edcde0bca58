//! Runs the WGSL and GLSL shaders of `testdata/sources`, lifted to modules, on every witness.

use std::path::{Path, PathBuf};

use conformance::parallel::tabulate;
use conformance::suite;
use laws::Source;
use sdlbc::front::SourceOptions;
use testing::{files, testdata};

use crate::random_modules::{Entry, ask, entries};

/// Lifts a shader file, and returns its entry functions. The seed of a file's inputs depends on its name alone, so that a new file
/// changes no other file's inputs.
fn lifted(path: &Path) -> Vec<Entry> {
    let text = std::fs::read_to_string(path).expect("a text");
    let label = path.file_name().expect("a name").to_string_lossy();
    let source = Source::of(path, &text).expect("a source");
    let lifted = source.read(&SourceOptions::default());
    let module = lifted.unwrap_or_else(|refusals| panic!("{label}: {}", refusals[0])).module;
    let seed = label.bytes().fold(0u64, |seed, byte| seed.wrapping_mul(31).wrapping_add(byte.into()));
    let entries = entries(&module, seed, &label, false).into_iter();
    entries.map(Entry::with_small_counts).collect()
}

#[test]
fn shaders_in_wgsl_and_glsl_are_the_same_on_every_witness() {
    let folder = testdata("sources");
    let endings = [("wgsl", ".wgsl"), ("filters", ".wgsl"), ("glsl", ".vert"), ("glsl", ".frag")];
    let paths: Vec<PathBuf> = endings.iter().flat_map(|(below, ending)| files(&folder.join(below), ending)).collect();
    let all: Vec<Entry> = paths.iter().flat_map(|path| lifted(path)).collect();
    assert!(paths.len() >= 100, "{} shaders", paths.len());
    println!("{}", tabulate(&all, suite::MACHINE, ask).summary());
}
