//! The tests of the crate.

mod output;
mod traces;
