//! What the tests of several crates share: random numbers, how many cases a run tries, expected files, tools of others, damage.
//!
//! Rule: nothing of the workspace is used here, so that the tests of any crate can use it. What needs modules or programs is
//! in `laws`.

pub mod damage;
mod effort;
mod golden;
mod panics;
mod parallel;
mod random;
mod tools;

pub use effort::{Effort, number};
pub use golden::{difference, expect, files, repository, testdata, updates};
pub use panics::caught;
pub use parallel::on_two_threads;
pub use random::Random;
pub use tools::{GLSLANG, SPIRV_AS, SPIRV_VAL, TINT, Tool, say, under_ci};
