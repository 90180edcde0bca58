//! Helpers that the tests of several crates share: random numbers, the number of random cases, expected files, external tools,
//! damage to files, panics as errors, and functions of any length.
//!
//! Rule: this crate depends on no other crate of the workspace, so that the tests of every crate can use it. Helpers that need
//! modules or programs are in `laws`.

pub mod damage;
mod effort;
mod golden;
mod page;
mod panics;
mod parallel;
mod random;
pub mod shapes;
mod tools;

pub use effort::{Effort, number};
pub use golden::{corpus, corpus_folder, difference, expect, files, files_below, repository, testdata, updates};
pub use page::{PAPER_SCENES, with_table};
pub use panics::caught;
pub use parallel::on_two_threads;
pub use random::Random;
pub use tools::{
    CMAKE, DXC, GLSLANG, MAKE, NINJA, SARIF, SPIRV_AS, SPIRV_CROSS, SPIRV_VAL, TINT, Tool, Z3, say, under_ci,
};
