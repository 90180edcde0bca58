//! Tests of the crate, in one binary. Programs are compared in the tests of `laws` (`laws/tests/it/back.rs`).

mod golden;
mod shorter;
