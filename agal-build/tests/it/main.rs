//! Tests of the generated code and of the reported errors.

mod errors;
mod generated;
