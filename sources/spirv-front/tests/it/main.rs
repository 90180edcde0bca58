//! The tests of `spirv-front`, in one binary.

mod bytes;
mod lifted;
