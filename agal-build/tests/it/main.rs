//! The tests of the generated code and of the errors.

mod errors;
mod generated;
