//! Tests of the examples, of the documents that contain programs, and of build scripts.

mod bindings;
mod pictures;
mod programs;
