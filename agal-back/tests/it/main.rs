//! Tests of the crate, in one binary.

#[path = "../../../laws/src/back.rs"]
#[allow(dead_code, unreachable_pub)]
mod law;
#[path = "../../../laws/src/programs.rs"]
#[allow(dead_code, unreachable_pub)]
mod programs;

mod sums;
