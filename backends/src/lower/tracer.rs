//! Defines the state for recording the values that each line of a function computes (`trace.rs`).

use sdlbc::verify::Types;
use sdlbc::{Function, IdMap, Inst};

use crate::plan::definitions;

pub(super) struct Tracer<'m> {
    pub(super) definitions: IdMap<&'m Inst>,
    /// The name of each output in the output text.
    pub(super) outputs: Vec<String>,
}

impl<'m> Tracer<'m> {
    pub(super) fn new(function: &'m Function, types: &Types, outputs: &[String]) -> Tracer<'m> {
        Tracer { definitions: definitions(&function.body, types.table()), outputs: outputs.to_vec() }
    }
}
