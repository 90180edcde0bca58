//! Decodes, assembles and validates programs in a unified-shader instruction set from the OpenGL ES 2.0 era,
//! and translates them to SDLSHADERBC. docs/isa.md in the repository defines the instruction set.
//!
//! [`Program::decode`] reads code words, and [`assemble`](assemble::assemble) reads assembly text. The validator
//! checks a [`Program`], and the lifter turns a valid program into a function of an [`sdlbc::Module`].
//!
//! ```
//! use es2_front::assemble::assemble;
//! use es2_front::{Program, lift::translate};
//!
//! let text = "!!ES2fp1.0\nTEX r0, v0, t0, 2D;\nMUL fragcolor, r0, u3.x;\nEND\n";
//! let program = assemble(text, None).expect("a program").program;
//! let bytes = program.encode();
//! assert_eq!(Program::decode(&bytes).expect("the same program"), program);
//! let lifted = translate(&[&program]).expect("no errors");
//! assert_eq!(lifted.module.functions[0].inputs.len(), 3);
//! ```

// These lints warn about code that may panic, because no input may cause a panic (see ARCHITECTURE.md). clippy.toml exempts tests
// from the lints.
#![warn(
    clippy::indexing_slicing,
    clippy::cast_possible_truncation,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic
)]

pub mod assemble;
pub mod disassemble;
pub mod finding;
pub mod lift;
pub mod link;
mod live;
pub mod opcode;
pub mod program;
pub mod register;
pub mod validate;
pub mod word;

pub use finding::{Finding, Kind};
pub use opcode::Opcode;
pub use program::{Dimension, Program};
pub use sdlbc::front::Stage;
pub use validate::validate;
pub use word::{Destination, Extended, Instruction, Source};

/// Runs the README's examples as documentation tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
