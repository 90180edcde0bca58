//! Tests of the crate, in one binary. Programs are compared in the tests of `laws` (`tests/laws/tests/it/back.rs`).

mod golden;
mod shorter;
