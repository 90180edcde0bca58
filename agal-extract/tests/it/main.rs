//! The tests of the crate.

mod abc;
mod boxes;
mod data;
mod files;
mod listing;
mod memory;
mod mutations;
mod output;
mod rows;
mod sources;
mod swfs;
mod traces;
