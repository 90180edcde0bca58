//! Measures the translator: instruction counts with callgrind, allocations, output sizes and run times. The page
//! docs/internals/performance.md explains the measures and contains the tables. The script `./bench` runs the measurements.
//!
//! The programs `stages` and `allocations` run the stages and do nothing else: `stages` runs under callgrind, and `allocations`
//! runs with a counting allocator. The program `bench` writes the inputs of `stages` and `allocations`, runs both programs, and
//! compares their output with the files of `testdata/bench`.
//!
//! Rule: the measurements use the translator only through its public functions.

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
