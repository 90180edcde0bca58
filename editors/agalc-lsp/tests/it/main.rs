//! Tests of the language server by its protocol.

mod changes;
mod client;
mod grammar;
mod pairs;
mod requests;
mod settings;
