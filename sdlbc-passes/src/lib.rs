//! Optimisation passes over modules in SSA form. Each pass makes the code of a function smaller or cheaper without changing
//! its results.
//!
//! Rule: this crate depends only on the module format, not on a source language or a target. Passes preserve every bit of
//! the results, as IEEE 754 defines them, unless [`Assume`] allows more. The function [`passes`] defines the order of the
//! passes.
//!
//! ```
//! use sdlbc_passes::{Options, optimise};
//!
//! let module = sdlbc::parse(
//!     r#"
//! fragment function "main" {
//!   input %1 v0: float4 = varying 0
//!   output 0 oc: float4 = colour 0
//!   %2 = literalfloat 2.0
//!   %3 = literalfloat 3.0
//!   %4 = multiply %2, %3
//!   %5 = literalfloat 1.0
//!   %6 = multiply %1, %5
//!   %7 = multiply %6, %4
//!   poke %7, 0
//! }
//! "#,
//! )
//! .expect("a module");
//! let module = optimise(sdlbc::Verified::new(module).expect("it verifies"), &Options::default(), &mut |_, _| {});
//! let text = sdlbc::print(&module);
//! assert!(text.contains("%2 = literalfloat 6.0") && text.contains("%3 = multiply %1, %2"), "{text}");
//! ```

#![cfg_attr(not(test), warn(clippy::indexing_slicing, clippy::cast_possible_truncation))]
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::unreachable))]

mod algebra;
mod analyses;
mod body;
mod changed;
mod copy;
mod dce;
mod fold;
mod gvn;
mod hoist;
mod known;
mod lanes;
mod manager;
mod phi;
mod properties;
mod select;
pub mod table;

use analyses::Analyses;
pub use body::Body;
pub use changed::Changed;
pub use manager::{Level, Options, Pass, Ran, optimise, passes};
pub use table::Assume;

/// Runs the README's examples as documentation tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
