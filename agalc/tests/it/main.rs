//! The integration tests of `agalc`, in one binary. The command `cargo test -p agalc --test it NAME` runs the tests of one file.

mod compiled;
mod detect;
mod lines;
mod names;
mod names_keep_meaning;
mod pasted;
mod places;
mod public;
mod reflect;
