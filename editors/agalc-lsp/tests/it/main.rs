//! Tests the language server through its protocol.

mod changes;
mod client;
mod grammar;
mod pairs;
mod requests;
mod settings;
