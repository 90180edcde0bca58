//! AGAL, the shader bytecode of Stage3D in Flash and AIR: its binary format, its source text, its rules, and its
//! translation to SDLSHADERBC.
//!
//! Bytes ([`Program::decode`]) or source text ([`assemble`](assemble::assemble)) become a [`Program`]. The validator
//! collects findings, and the lifter turns a valid program into an [`sdlbc::Module`]. [`player_error`] returns the
//! error that the player throws for a pair of programs. This crate is independent of the output languages.
//!
//! In this crate, *the player* is Flash Player or AIR, a *token* is one 24-byte instruction of a program, and a
//! *finding* is a numbered error or warning about a program or its source text.
//!
//! ```
//! use agal_front::assemble::assemble;
//! use agal_front::lift::translate;
//! use agal_front::{Program, check::check};
//!
//! let assembly = assemble("tex ft0, v0, fs0 <2d,linear>\nmul oc, ft0, fc0.x", &Default::default()).expect("a program");
//! let bytes = assembly.program.encode();
//! let program = Program::decode(&bytes).expect("the same program").0;
//! assert_eq!(program, assembly.program);
//!
//! let lifted = translate(&[&program], &Default::default()).expect("no errors");
//! assert_eq!(lifted.module.functions[0].inputs.len(), 3);
//!
//! // A finding has the number of the error with which the player would refuse the program.
//! let wrong = assemble("mov oc, ft0", &Default::default()).expect("a program").program;
//! assert_eq!(check(&[&wrong], &Default::default())[0][0].code(), 3647);
//! ```

// Input must never cause a panic, as ARCHITECTURE.md explains. `clippy.toml` exempts tests.
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
mod examine;
pub mod finding;
mod flow;
pub mod help;
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

pub use finding::{Finding, FindingPlace, Kind, Part, Severity, SourceMap, Span};
pub use flow::{Uses, uses};
pub use help::{Help, Remedy, Wording};
pub use native::estimate as native_estimate;
pub use player::{PlayerError, player_error};
pub use program::Program;
pub use register::Stage;
pub use rules::{Compat, Profile, Rules, first_swf_version};
#[doc(hidden)]
pub use sdlbc::options;

/// Runs the examples of the README as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
