//! Tests of the compiler of sources: its output is well formed for any source. `SOURCE_EDITS=`, `SOURCE_BYTES=` and `SEED=` control
//! the tests with damaged sources, and `SOURCES=` names a folder of sources that must compile without warnings.

mod check;
mod damage;
mod listing;
mod texts;

use testing::{files, testdata};

use super::{Compiled, Source, compile};

/// Compiles one source and checks that the output is well formed.
fn compiled(name: &str, text: &str) -> Compiled {
    let compiled = compile(&[Source { name, text }]);
    check::all(&compiled, text);
    compiled
}

/// Names and texts of the sources in testdata.
fn sources() -> Vec<(String, String)> {
    let paths = [".as", ".hx", ".mxml"].iter().flat_map(|ending| files(&testdata("extract/sources"), ending));
    let name = |path: &std::path::Path| path.file_name().expect("a name").to_string_lossy().into_owned();
    paths.map(|path| (name(&path), std::fs::read_to_string(&path).expect("the source"))).collect()
}
