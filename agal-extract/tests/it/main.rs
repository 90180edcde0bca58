//! Integration tests of the extraction of AGAL from Flash files, sources and traces.

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
