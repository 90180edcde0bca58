//! The integration tests of `agalc`, in one binary: `cargo test -p agalc --test it NAME`.

mod detect;
mod lines;
mod names;
mod names_keep_meaning;
mod pasted;
mod places;
mod public;
mod reflect;
