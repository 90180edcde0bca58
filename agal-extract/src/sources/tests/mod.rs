//! Tests of the compiler of sources: what it writes is well formed, whatever it is given.

mod check;
mod damage;
mod listing;
mod texts;

use super::{Compiled, Source, compile};

/// Compiles one source and checks that what was written is well formed.
fn compiled(name: &str, text: &str) -> Compiled {
    let compiled = compile(&[Source { name, text }]);
    check::all(&compiled, text);
    compiled
}
