//! What front ends share: parts of instructions that work on registers of four components, places in source text, and how many
//! findings of one program are kept.
//!
//! Rule: nothing here knows a language, and nothing here knows the IR.

#![warn(
    clippy::indexing_slicing,
    clippy::cast_possible_truncation,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic
)]

pub mod components;
pub mod kept;
mod kinds;
pub mod place;
mod stage;

pub use components::{Components, Mask, Swizzle, letter};
pub use kept::{Cause, Dropped, Findings, KEPT, Level, Limit, Reported, Severity};
pub use kinds::KindRow;
pub use place::{Call, FindingPlace, InstructionSpans, Part, SourceMap, Span};
pub use stage::Stage;
