//! AGAL, the shader bytecode of Flash's and AIR's Stage3D: its bytes, its text, its rules, and its way into
//! SDLSHADERBC.
//!
//! Data flows one way: bytes ([`Program::decode`]) or text ([`assemble`](assemble::assemble)) become a [`Program`];
//! the validator collects findings; the lifter turns what is legal into an [`sdlbc::Module`]. Beside that way,
//! [`player_error`] says which error the player throws for a pair. This crate knows nothing of targets.

// Nothing from a file panics: see ARCHITECTURE.md. clippy.toml lets tests do what they like.
#![warn(
    clippy::indexing_slicing,
    clippy::cast_possible_truncation,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic
)]

pub mod assemble;
pub mod check;
pub mod disassemble;
pub mod finding;
mod flow;
mod kept;
pub mod lift;
pub mod link;
mod lint;
mod live;
mod native;
pub mod opcode;
pub mod player;
pub mod program;
pub mod register;
pub mod rules;
pub mod token;
mod validate;

pub use finding::{Finding, Kind, Part, Place, Severity, SourceMap, Span};
pub use player::{PlayerError, player_error};
pub use program::Program;
pub use register::Stage;
pub use rules::{Compat, Profile, Rules};
