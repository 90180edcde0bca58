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

/// What the values of a function are computed from.
pub(super) struct Tracer<'m> {
    function: usize,
    definitions: IdMap<&'m Inst>,
    /// What the text writes the outputs to.
    outputs: Vec<String>,
}

impl<'m> Tracer<'m> {
    pub(super) fn new(index: usize, function: &'m Function, types: &Types, outputs: &[String]) -> Tracer<'m> {
        let mut definitions: IdMap<&Inst> = types.table();
        for inst in function.body.insts().iter().filter(|inst| inst.output.is_some()) {
            definitions.insert(inst.output, inst);
        }
        Tracer { function: index, definitions, outputs: outputs.to_vec() }
    }
}

impl Lower<'_, '_> {
    /// Says of which value the expressions are that follow, in SPIR-V.
    #[cold]
    pub(super) fn trace_place(&mut self, value: Id, block: &mut Block) {
        if self.is_text() {
            return;
        }
        self.flush(block);
        let function = self.tracer.as_ref().map_or(0, |tracer| tracer.function);
        self.place = match &mut self.lowering.names.origins {
            Some(origins) if value.is_some() => origins.place(Origin { function, value }),
            _ => Span::UNDEFINED,
        };
    }

    /// Notes the definition of a value.
    #[cold]
    pub(super) fn trace_definition(&mut self, id: Id, value: Value) {
        let Some(tracer) = &self.tracer else { return };
        if let (Some(label), true) = (self.code.named_expressions.get(&value).cloned(), self.plan.is_named(id)) {
            let operands = tracer.definitions.get(id).map(|inst| &inst.inputs[..]).unwrap_or_default();
            let values = self.computed_in(operands);
            self.note(Written::Name(label), values, &[id]);
        }
    }

    /// Notes a store of values to a variable, or to an element of it.
    pub(super) fn trace_store(&mut self, variable: Handle<LocalVariable>, values: &[Id]) {
        if self.tracer.is_some()
            && let Some(label) = self.code.local_variables[variable].name.clone()
        {
            self.note(Written::Name(label), self.computed_in(values), values);
        }
    }

    /// Notes what an output is.
    pub(super) fn trace_output(&mut self, index: usize, value: Id) {
        if let Some(tracer) = &self.tracer
            && let Some(name) = tracer.outputs.get(index).cloned()
        {
            self.note(Written::Name(name), self.computed_in(&[value]), &[value]);
        }
    }

    /// Notes the condition of an IF; none for one that the module does not have.
    pub(super) fn trace_condition(&mut self, value: Id) {
        if self.tracer.is_some()
            && let Some(function) = index_of(self.label)
        {
            self.note(Written::Condition(function), self.computed_in(&[value]), &[value]);
        }
    }

    /// Notes the results of the function.
    pub(super) fn trace_result(&mut self, results: &[Id]) {
        if self.tracer.is_some()
            && let Some(function) = index_of(self.label)
        {
            self.note(Written::Result(function), self.computed_in(results), results);
        }
    }

    /// Notes that values are written, with those that are written as part of them.
    fn note(&mut self, written: Written, parts: Vec<Id>, values: &[Id]) {
        let Some(tracer) = &self.tracer else { return };
        let ids: BTreeSet<Id> = parts.into_iter().chain(values.iter().copied()).collect();
        let ids = ids.into_iter().filter(|&id| tracer.definitions.contains(id));
        let values = ids.map(|value| Origin { function: tracer.function, value }).collect();
        if let Some(origins) = &mut self.lowering.names.origins {
            origins.note(written, values);
        }
    }

    /// Returns the values that are written as part of a line that has these operands.
    fn computed_in(&self, operands: &[Id]) -> Vec<Id> {
        let mut found = Vec::new();
        let mut open = operands.to_vec();
        while let (Some(id), Some(tracer)) = (open.pop(), &self.tracer) {
            let Some(inst) = tracer.definitions.get(id) else { continue };
            let has_own_line = self.plan.is_named(id) || matches!(inst.op, Op::Phi | Op::Call);
            if !has_own_line && !found.contains(&id) {
                found.push(id);
                open.extend(inst.inputs.iter().copied());
            }
        }
        found
    }
}
