//! The integration tests of `conformance`, in one binary. `cargo test -p conformance --test it NAME` runs the tests
//! whose names contain `NAME`.

mod browser;
mod dispatches;
mod es2;
mod mutated;
mod opcodes;
mod operations;
mod originals;
mod probes;
mod random_modules;
mod random_programs;
mod scenes;
mod source_suite;
mod sources;
mod witnesses;
