//! The state for recording the values that a function's lines compute (`trace.rs`).

use sdlbc::verify::Types;
use sdlbc::{Function, IdMap, Inst};

use crate::plan::definitions;

/// The definitions of a function's values, for texts.
pub(super) struct Tracer<'m> {
    pub(super) definitions: IdMap<&'m Inst>,
    /// The names to which the text writes the outputs.
    pub(super) outputs: Vec<String>,
}

impl<'m> Tracer<'m> {
    pub(super) fn new(function: &'m Function, types: &Types, outputs: &[String]) -> Tracer<'m> {
        Tracer { definitions: definitions(&function.body, types.table()), outputs: outputs.to_vec() }
    }
}
