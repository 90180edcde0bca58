//! Tests of the language server by its protocol.

mod changes;
mod client;
mod requests;
