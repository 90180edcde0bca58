//! The tests of `conformance` from outside, one program: `cargo test -p conformance --test it NAME`.

mod browser;
mod opcodes;
mod operations;
mod probes;
mod random_modules;
mod random_programs;
mod scenes;
mod witnesses;
