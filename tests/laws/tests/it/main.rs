//! The integration tests of `laws`, in one binary. `cargo test -p laws --test it NAME` runs the tests whose names
//! contain `NAME`.

mod agal;
mod back;
mod both_ways;
mod built;
mod compute;
mod damaged_programs;
mod damaged_sources;
mod endings;
#[cfg(feature = "es2")]
mod es2;
mod float24;
mod generator;
mod hostile;
mod laws;
mod layouts;
mod lean;
mod lines;
mod meaning;
mod members;
mod mutations;
mod names;
mod operations;
mod overloads;
mod programs;
mod published;
mod seeds;
mod sources;
mod targets;
mod wide;
