//! Notes for each line that the text will have which values it computes (`origins.rs`).
//!
//! A line computes the value that it writes, and all that is written as part of it: the operands that have no name, with theirs.

use std::collections::BTreeSet;

use naga::{Block, Handle, LocalVariable, Span};
use sdlbc::verify::Types;
use sdlbc::{Function, Id, IdMap, Inst, Op};

use super::function::Lower;
use super::state::Value;
use crate::names::index_of;
use crate::origins::{Origin, Written};

/// What the values of a function are computed from, for texts.
pub(super) struct Tracer<'m> {
    definitions: IdMap<&'m Inst>,
    /// What the text writes the outputs to.
    outputs: Vec<String>,
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

impl Lower<'_, '_> {
    /// Tells naga's writer of SPIR-V of which value the expressions are that follow.
    #[cold]
    pub(super) fn trace_place(&mut self, value: Id, block: &mut Block) {
        self.flush(block);
        let origin = Origin { function: self.index, value };
        self.place = match &mut self.lowering.names.origins {
            Some(origins) if value.is_some() => origins.place(origin),
            _ => Span::UNDEFINED,
        };
    }

    /// Notes the definition of a value that has a name.
    #[cold]
    pub(super) fn trace_definition(&mut self, id: Id, value: Value) {
        if let (Some(tracer), Some(label)) = (&self.tracer, self.code.named_expressions.get(&value).cloned())
            && self.plan.is_named(id)
        {
            let operands = tracer.definitions.get(id).map(|inst| &inst.inputs[..]).unwrap_or_default();
            self.note(Written::Name(label), operands, &[id]);
        }
    }

    /// Notes a store of values to a variable, or to an element of it.
    pub(super) fn trace_store(&mut self, variable: Handle<LocalVariable>, values: &[Id]) {
        if self.tracer.is_some()
            && let Some(label) = self.code.local_variables[variable].name.clone()
        {
            self.note(Written::Name(label), values, values);
        }
    }

    /// Notes what an output is.
    pub(super) fn trace_output(&mut self, index: usize, value: Id) {
        if let Some(name) = self.tracer.as_ref().and_then(|tracer| tracer.outputs.get(index)) {
            self.note(Written::Name(name.clone()), &[value], &[value]);
        }
    }

    /// Notes the condition of an IF; none for one that the module does not have.
    pub(super) fn trace_condition(&mut self, value: Id) {
        if let Some(function) = self.tracer.as_ref().and(index_of(self.label)) {
            self.note(Written::Condition(function), &[value], &[value]);
        }
    }

    /// Notes the results of the function.
    pub(super) fn trace_result(&mut self, results: &[Id]) {
        if let Some(function) = self.tracer.as_ref().and(index_of(self.label)) {
            self.note(Written::Result(function), results, results);
        }
    }

    /// Notes that values are written, with those that are written as part of them: the operands that have no line of their own.
    fn note(&mut self, written: Written, operands: &[Id], values: &[Id]) {
        let (Some(tracer), Some(origins)) = (&self.tracer, &mut self.lowering.names.origins) else { return };
        let mut parts = BTreeSet::new();
        let mut open = operands.to_vec();
        while let Some(id) = open.pop() {
            let Some(inst) = tracer.definitions.get(id) else { continue };
            let has_own_line = self.plan.is_named(id) || matches!(inst.op, Op::Phi | Op::Call);
            if !has_own_line && parts.insert(id) {
                open.extend(inst.inputs.iter().copied());
            }
        }
        parts.extend(values.iter().copied().filter(|&id| tracer.definitions.contains(id)));
        let function = self.index;
        origins.note(written, parts.into_iter().map(|value| Origin { function, value }).collect());
    }
}
