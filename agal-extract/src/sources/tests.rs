//! Tests that the source compiler's output is well formed for any source. The environment variables `SOURCE_EDITS=`,
//! `SOURCE_BYTES=` and `SEED=` control the tests with damaged sources. The environment variable `SOURCES=` names a folder of
//! sources that must compile without warnings.

mod check;
mod damage;
mod listing;
mod texts;

use testing::{files, testdata};

use super::{Compiled, Source, compile};

fn compiled(name: &str, text: &str) -> Compiled {
    let compiled = compile(&[Source { name, text }]);
    check::all(&compiled, text);
    compiled
}

fn sources() -> Vec<(String, String)> {
    let paths = [".as", ".hx", ".mxml"].iter().flat_map(|ending| files(&testdata("extract/sources"), ending));
    let name = |path: &std::path::Path| path.file_name().expect("a name").to_string_lossy().into_owned();
    paths.map(|path| (name(&path), std::fs::read_to_string(&path).expect("the source"))).collect()
}
