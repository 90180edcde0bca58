//! A language server for AGAL text: what an editor asks about a program while it is written.
//!
//! [`serve`] answers the requests of one client. A document is read and checked by the library `agalc`, as `agalc validate` does it, at
//! the first request after a change; everything else is made of that. Nothing here opens files: the client sends what is in them.
//!
//! | request | answer |
//! |---|---|
//! | diagnostics | all findings, of a pair if both of its files are open, with their numbers, help, and the macro call that a place is in |
//! | hover | what an opcode computes; a register's file, limit, names, where it is written and read, and which components have an effect |
//! | completion | opcodes of the stage, registers, aliases and macros, sampler options |
//! | formatting | operands in columns, conditionals indented; the program stays the same |
//! | definition, references, rename | aliases, macros and defined names |
//! | folding | conditionals, macros, parts, directives, comments |
//! | semantic tokens | opcodes, registers by file, components, numbers, options, names, comments |
//! | inlay hints | the temporaries that are live, and the length of the program against its limit |
//! | code actions | the help of findings that say what to write |
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

// No message may cause a panic.
#![cfg_attr(
    not(test),
    warn(
        clippy::indexing_slicing,
        clippy::cast_possible_truncation,
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic
    )
)]

mod actions;
mod analysis;
mod completion;
mod diagnostics;
mod document;
mod folding;
mod format;
mod hints;
mod hover;
mod names;
mod opcodes;
mod pairs;
mod reading;
mod server;
mod tokens;
mod words;

pub use format::formatted;
pub use server::{Server, serve, serve_stdio};

/// The examples of the README are tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
