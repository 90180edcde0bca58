//! Tests of the language server over its protocol.

mod changes;
mod client;
mod grammar;
mod pairs;
mod requests;
mod settings;
