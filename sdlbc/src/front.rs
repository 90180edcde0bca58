//! Definitions that the front ends share: sets and swizzles of register components, positions of findings, and the limit on the
//! findings kept for one program.
//!
//! Rule: no definition depends on a source language or on the IR.

use std::fmt;

pub mod components;
pub mod glsl_version;
pub mod kept;
mod kinds;
pub mod place;
pub mod refusal;
pub mod source;

pub use components::{Components, Mask, Swizzle, letter};
pub use glsl_version::{GlslVersion, ParseGlslVersionError};
pub use kept::{Cause, Dropped, Findings, KEPT, Level, Limit, Reported, Severity};
pub use kinds::KindRow;
pub use place::{Call, FindingPlace, InstructionSpans, Part, SourceMap, Span};
pub use refusal::{BinaryPlace, Refusal, RefusalKind};
pub use source::{Assumption, Convention, Guarantee, Lifted, Lost, SourceOptions};

/// The shader stage of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Stage {
    /// The program runs once for each vertex.
    Vertex,
    /// The program runs once for each fragment.
    Fragment,
}

impl Stage {
    /// Returns `vertex` or `fragment`.
    pub const fn name(self) -> &'static str {
        match self {
            Stage::Vertex => "vertex",
            Stage::Fragment => "fragment",
        }
    }
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
