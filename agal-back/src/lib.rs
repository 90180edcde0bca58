//! Translation of SDLSHADERBC modules to AGAL, and shortening of AGAL programs.
//!
//! [`translate`] writes a function of a module as an AGAL program, or reports which of the function's features
//! AGAL lacks. [`optimise`] shortens a program and preserves every bit of its results. Both functions use the
//! same intermediate code, whose operations work on components that have no registers yet (`code.rs`). The code
//! is shortened (`improve.rs`) and then assigned registers (`place.rs`). This crate depends on no other back end.
//!
//! ```
//! use agal_back::{Options, RefusalKind, translate};
//! use sdlbc::{Op, Verified};
//!
//! let text = "fragment function \"fs_main\" {
//!   input %1 point: float4 = varying 0
//!   output 0 color: float4 = colour 0
//!   %2 = acos %1
//!   poke %2, 0
//! }";
//! let module = Verified::new(sdlbc::parse(text).expect("a module")).expect("it verifies");
//! let refused = translate(&module, 0, &Options::default()).unwrap_err();
//! assert_eq!(refused[0].kind, RefusalKind::Operation(Op::Acos));
//! assert_eq!(refused[0].to_string(), "AGAL cannot compute `acos`");
//! ```
#![warn(
    clippy::indexing_slicing,
    clippy::cast_possible_truncation,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic
)]

mod code;
mod constants;
mod equal;
mod improve;
mod improver;
mod live;
mod merge;
mod optimise;
mod place;
mod read;
mod refusal;
mod rewrite;
mod schedule;
mod select;
mod translate;
mod write;

pub use constants::{ConstantRegister, ConstantSource, uploads};
pub use optimise::{LONGEST, Size, optimise};
pub use refusal::{Refusal, RefusalKind};
pub use translate::{Options, Translated, translate};
