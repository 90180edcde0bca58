//! Records, for `origins.rs`, the IR values that each line of the output text will compute.
//!
//! A line computes the value that it writes and, recursively, all operands that are inlined in the line.

use std::collections::BTreeSet;

use naga::{Block, GlobalVariable, Handle, LocalVariable, Span};
use sdlbc::{Id, Op};

use super::function::Lower;
use super::state::Value;
use crate::mend::label::index_of;
use crate::origins::{Origin, Written};
use crate::plan::is_cheap;

impl Lower<'_, '_> {
    /// Sets the source location of the expressions that follow. In the SPIR-V output, the location identifies the IR value.
    #[cold]
    #[inline(never)]
    pub(super) fn trace_location(&mut self, value: Id, block: &mut Block) {
        self.flush(block);
        let origin = Origin { function: self.index, value };
        self.location = match &mut self.lowering.names.origins {
            Some(origins) if value.is_some() => origins.location(origin),
            _ => Span::UNDEFINED,
        };
    }

    /// Records the definition of a named value. Values that share an expression share its name.
    #[inline]
    pub(super) fn trace_definition(&mut self, id: Id, value: Value) {
        if let (Some(tracer), Some(origins)) = (&self.tracer, &self.lowering.names.origins)
            && let Some(label) = self.code.named_expressions.get(&value).cloned()
            && !origins.has(&Written::Name(label.clone()))
        {
            let operands = tracer.definitions.get(id).map(|inst| &inst.inputs[..]).unwrap_or_default();
            self.note(Written::Name(label), operands, &[id]);
        }
    }

    /// Records a store to a variable or to an array element, with all operands of the statement.
    #[inline]
    pub(super) fn trace_store(&mut self, variable: Handle<LocalVariable>, operands: &[Id], values: &[Id]) {
        if self.tracer.is_some() {
            self.note_store(variable, operands, values);
        }
    }

    #[cold]
    #[inline(never)]
    fn note_store(&mut self, variable: Handle<LocalVariable>, operands: &[Id], values: &[Id]) {
        if let Some(label) = self.code.local_variables[variable].name.clone() {
            self.note(Written::Name(label), operands, values);
        }
    }

    /// Records a store to memory that other invocations can read.
    #[cold]
    pub(super) fn trace_memory(&mut self, variable: Handle<GlobalVariable>, operands: &[Id], values: &[Id]) {
        if self.tracer.is_some()
            && let Some(label) = self.lowering.module.global_variables[variable].name.clone()
        {
            self.note(Written::Name(label), operands, values);
        }
    }

    #[inline]
    pub(super) fn trace_output(&mut self, index: usize, value: Id) {
        if let Some(name) = self.tracer.as_ref().and_then(|tracer| tracer.outputs.get(index)) {
            self.note(Written::Name(name.clone()), &[value], &[value]);
        }
    }

    /// Returns the index of the function's label, or `None` if values are not traced in text output.
    #[inline]
    fn traced_function(&self) -> Option<usize> {
        self.tracer.as_ref().and_then(|_| index_of(self.label))
    }

    /// Records the values of a statement that writes no name: the condition of an IF, the selector of a SWITCH, or the results of
    /// the function. `values` is empty if the output's statement has no counterpart in the IR module.
    #[inline]
    pub(super) fn trace_statement(&mut self, of: fn(usize) -> Written, values: &[Id]) {
        if let Some(function) = self.traced_function() {
            self.note(of(function), values, values);
        }
    }

    /// Removes the record for the condition of an IF that the output omits because the IF is empty.
    pub(super) fn untrace_condition(&mut self) {
        if let (Some(function), Some(origins)) = (self.traced_function(), &mut self.lowering.names.origins) {
            origins.take_back(&Written::Condition(function));
        }
    }

    /// Records the values that a line writes, together with the operands that are inlined in the line.
    #[cold]
    #[inline(never)]
    pub(super) fn note(&mut self, written: Written, operands: &[Id], values: &[Id]) {
        let (Some(tracer), Some(origins)) = (&self.tracer, &mut self.lowering.names.origins) else { return };
        let mut parts = BTreeSet::new();
        let mut open = operands.to_vec();
        while let Some(id) = open.pop() {
            let Some(inst) = tracer.definitions.get(id) else { continue };
            let has_own_line = self.plan.is_named(id) || inst.op == Op::Phi || inst.op.has_result_and_effect();
            if !has_own_line && parts.insert(id) {
                open.extend(inst.inputs.iter().copied());
            }
        }
        parts.extend(values.iter().copied().filter(|&id| tracer.definitions.contains(id)));
        // A cheap value can be inlined in many lines, so a line counts it only if the line computes no other value.
        let computes = |id: &Id| tracer.definitions.get(*id).is_some_and(|inst| !is_cheap(inst));
        if parts.iter().any(computes) {
            parts.retain(computes);
        }
        let function = self.index;
        origins.note(written, parts.into_iter().map(|value| Origin { function, value }).collect());
    }
}
