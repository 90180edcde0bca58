//! The integration tests of `agal-front`, in one binary. The command `cargo test -p agal-front --test it NAME` runs the tests of
//! one file.

mod common;
mod coverage;
mod disassemble;
mod findings;
mod lift;
mod macros;
mod many_findings;
mod names;
mod text;
mod validate;
mod verdicts;
