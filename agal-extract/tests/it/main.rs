//! The tests of the crate.

mod output;
mod sources;
mod traces;
