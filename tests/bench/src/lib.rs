//! Measures the translator: instructions with callgrind, allocations, sizes of outputs, and times. docs/internals/performance.md
//! explains the measures and has the tables; the script `./bench` runs the measurements.
//!
//! Two programs run the stages, so that nothing else is measured: `stages` runs every stage, for callgrind, and `allocations` does
//! so with a counting allocator. The program `bench` writes their inputs, runs them, reads their output, and compares it with the
//! files of `testdata/bench`.
//!
//! Rule: only [`stages`], [`inputs`] and [`web`] use the translator, and only through its public functions.

pub mod agal;
pub mod batch;
pub mod callgrind;
pub mod case;
pub mod counts;
pub mod inputs;
pub mod measure;
pub mod records;
pub mod sizes;
pub mod spirv;
pub mod stages;
pub mod tables;
pub mod wall;
pub mod web;
