//! Tests of the compiler of sources: what it writes is well formed, whatever it is given. `SOURCE_EDITS=`, `SOURCE_BYTES=` and
//! `SEED=` are for damaged ones; `SOURCES=` names a folder of sources that must be understood.

mod check;
mod damage;
mod listing;
mod texts;

use testing::{files, testdata};

use super::{Compiled, Source, compile};

/// Compiles one source and checks that what was written is well formed.
fn compiled(name: &str, text: &str) -> Compiled {
    let compiled = compile(&[Source { name, text }]);
    check::all(&compiled, text);
    compiled
}

/// The sources of testdata: their names and texts.
fn sources() -> Vec<(String, String)> {
    let paths = [".as", ".hx", ".mxml"].iter().flat_map(|ending| files(&testdata("extract/sources"), ending));
    let name = |path: &std::path::Path| path.file_name().expect("a name").to_string_lossy().into_owned();
    paths.map(|path| (name(&path), std::fs::read_to_string(&path).expect("the source"))).collect()
}
