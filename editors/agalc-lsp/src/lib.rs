//! A language server for AGAL source text.
//!
//! [`serve`] answers the requests of one client. At the first request after a change, the library `agalc` reads and checks the
//! document, as `agalc validate` does, and all answers use that analysis. The server opens no files, because the client sends their
//! contents.
//!
//! | request | answer |
//! |---|---|
//! | diagnostics | all findings with their codes, help and macro calls; findings about a pair if both of its files are open |
//! | hover | the operation of an opcode; a register's file, limit, names, writes and reads, and the components that have an effect |
//! | completion | opcodes of the stage, registers, aliases and macros, sampler options |
//! | formatting | operands aligned in columns and conditionals indented, without a change to the program |
//! | definition, references, rename | aliases, macros and defined names |
//! | folding | conditionals, macros, parts, directives, comments |
//! | semantic tokens | opcodes, registers by file, components, numbers, options, names, comments |
//! | inlay hints | the number of live temporaries, and the program's length and limit |
//! | code actions | edits that the help of a finding suggests |
//!
//! ```
//! use lsp_server::{Connection, Message, Notification};
//!
//! let (server, client) = Connection::memory();
//! let thread = std::thread::spawn(move || agalc_lsp::serve(&server));
//! let request = |id: i32, method: &str| lsp_server::Request::new(id.into(), method.into(), serde_json::json!({"capabilities": {}}));
//! client.sender.send(request(1, "initialize").into())?;
//! assert!(matches!(client.receiver.recv()?, Message::Response(_)));
//! client.sender.send(Notification::new("initialized".into(), serde_json::json!({})).into())?;
//! client.sender.send(request(2, "shutdown").into())?;
//! assert!(matches!(client.receiver.recv()?, Message::Response(_)));
//! client.sender.send(Notification::new("exit".into(), serde_json::json!({})).into())?;
//! thread.join().unwrap()?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

// No message from a client may cause a panic.
#![cfg_attr(not(test), warn(clippy::indexing_slicing, clippy::cast_possible_truncation))]
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod actions;
mod analysis;
mod completion;
mod diagnostics;
mod document;
mod folding;
mod format;
mod hints;
mod hover;
mod lexer;
mod names;
mod opcodes;
mod pairs;
mod reading;
mod server;
mod tokens;

pub use format::formatted;
pub use server::{Server, serve, serve_stdio};

/// Runs the examples in the README as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
