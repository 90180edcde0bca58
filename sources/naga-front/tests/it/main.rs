//! The tests of `naga-front`, in one binary: golden files of lifted modules, and refused sources.

mod lifted;
mod limits;
mod readers;
mod refused;
mod upstream;
