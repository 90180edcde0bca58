//! Helpers that the tests of several crates share: random numbers, the number of random cases, expected files, external tools,
//! damage to files, the conversion of panics to errors, and functions of any length.
//!
//! Rule: this crate depends on no other crate of the workspace, so that the tests of every crate can use it. Helpers that need
//! modules or programs are in `laws`.

pub mod damage;
mod effort;
mod golden;
mod msl;
mod page;
mod panics;
mod process;
mod random;
pub mod shapes;
mod tools;

pub use effort::{Effort, number};
pub use golden::{corpus, corpus_folder, difference, expect, files, files_below, repository, testdata, updates};
pub use msl::{msl_failures, msl_tokens};
pub use page::{PAPER_SCENES, with_table};
pub use panics::caught;
pub use process::{MEMORY_ALWAYS, MEMORY_TIMES, memory_of, on_two_threads};
pub use random::Random;
pub use tools::{
    CLANG, CMAKE, DXC, GLSLANG, GLSLC, MAKE, NINJA, PYTHON, SARIF, SPIRV_AS, SPIRV_CROSS, SPIRV_VAL, TINT, Tool, Z3,
    say, under_ci,
};

/// Encodes bytes in base64, with the alphabet of RFC 4648 and padding.
pub fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let letters = |chunk: &[u8]| {
        let word = chunk.iter().fold(0_u32, |word, &byte| word << 8 | u32::from(byte)) << (8 * (3 - chunk.len()));
        let letter = move |at: usize| char::from(LETTERS[(word >> (18 - 6 * at)) as usize & 63]);
        (0..4).map(|at| if at <= chunk.len() { letter(at) } else { '=' }).collect::<String>()
    };
    bytes.chunks(3).map(letters).collect()
}
