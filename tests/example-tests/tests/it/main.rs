//! Tests of the examples, of the documents that have programs, and of build scripts.

mod bindings;
mod pictures;
mod programs;
