//! The integration tests of `agal-back`, in one binary. The tests of `laws` compare the results of programs
//! (`tests/laws/tests/it/back.rs`).

mod golden;
mod shorter;
