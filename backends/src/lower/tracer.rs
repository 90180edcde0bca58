//! What is known of a function while the values that its lines compute are noted (`trace.rs`).

use sdlbc::verify::Types;
use sdlbc::{Function, IdMap, Inst};

/// What the values of a function are computed from, for texts.
pub(super) struct Tracer<'m> {
    pub(super) definitions: IdMap<&'m Inst>,
    /// What the text writes the outputs to.
    pub(super) outputs: Vec<String>,
}

impl<'m> Tracer<'m> {
    pub(super) fn new(function: &'m Function, types: &Types, outputs: &[String]) -> Tracer<'m> {
        let mut definitions: IdMap<&Inst> = types.table();
        for inst in function.body.insts().iter().filter(|inst| inst.output.is_some()) {
            definitions.insert(inst.output, inst);
        }
        Tracer { definitions, outputs: outputs.to_vec() }
    }
}
