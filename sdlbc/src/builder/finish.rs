//! Finishes a function: removes unused instructions and inputs, sorts the inputs, renumbers the ids, and writes out the names of
//! values.

use std::collections::BTreeMap;

use super::{Builder, Scope};
use crate::infer::TypeError;
use crate::name::Texts;
use crate::values::Values;
use crate::{Body, Function, Id, Input, InputKind, Member, SourceBinding, Type, ValueNames, dce};

/// A finished function and the content of its entry in the debug table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Finished {
    /// The finished function, without its debug information.
    pub function: Function,
    /// The debug names of the function's values.
    pub names: ValueNames,
    /// The members of the function's uniform arrays, keyed by the id of the array. Members past the end of an array are
    /// dropped.
    pub members: BTreeMap<Id, Vec<Member>>,
    /// The places that the source states for the function's resources, keyed by the id of the input.
    pub bindings: BTreeMap<Id, SourceBinding>,
    /// The source line of each instruction, in reading order (see [`Builder::at_line`]).
    pub lines: Vec<u32>,
}

impl Builder {
    /// Returns the finished function and its debug names. Unused instructions are removed, as are unused inputs other than
    /// parameters. Inputs are sorted by kind and number, and ids are renumbered in reading order.
    ///
    /// # Errors
    /// Returns an error for the first operation whose operands do not fit it.
    pub fn finish(self) -> Result<(Function, ValueNames), TypeError> {
        self.finish_with_lines().map(|finished| (finished.function, finished.names))
    }

    /// Returns the finished function with its debug names and with the source line or token of each instruction.
    ///
    /// # Errors
    /// Returns an error for the first operation whose operands do not fit it.
    pub fn finish_with_lines(mut self) -> Result<Finished, TypeError> {
        if let Some(error) = self.error {
            return Err(error);
        }
        let Scope { mut body, mut lines, .. } = self.scopes.drain(..1).next().unwrap_or_default();
        if !self.needs_all(&body) {
            let mut used = vec![false; self.values.len() + 1];
            let needed = dce::needed(&body, &self.inputs, &mut used);
            body.keep(&needed);
            let mut needed = needed.into_iter();
            lines.retain(|_| needed.next() == Some(true));
            self.values.set_used(&used);
        }
        // An unused parameter stays, because it is part of the signature.
        let used = |id| self.values.get(id).is_some_and(|value| value.used);
        self.inputs.retain(|input| input.kind == InputKind::Parameter || used(input.id));
        self.inputs.sort_by_key(|input| rank(&input.kind));
        // All ids are numbered before any use is renamed, because a PHI at the head of a LOOP may use an id that is defined
        // later.
        let mut last = 0;
        for input in &mut self.inputs {
            last += 1;
            let old = std::mem::replace(&mut input.id, Id(last));
            self.values.get_mut(old).into_iter().for_each(|value| value.number = Id(last));
        }
        let (mut names, mut texts) = (ValueNames::with_capacity(body.insts().len()), Texts::default());
        for inst in body.insts_mut().iter_mut().filter(|inst| inst.output.is_some()) {
            last += 1;
            let old = std::mem::replace(&mut inst.output, Id(last));
            let Some(value) = self.values.get_mut(old) else { continue };
            value.number = Id(last);
            if let Some(name) = value.name {
                names.push(Id(last), texts.text(name, &self.texts));
            }
        }
        for inst in body.insts_mut() {
            inst.inputs.iter_mut().for_each(|id| *id = self.values.number(*id));
        }
        let (inputs, outputs) = (self.inputs, self.outputs);
        let members = members(self.members, &inputs, &self.values);
        let bindings = self.bindings.into_iter();
        let bindings = bindings.map(|(id, binding)| (self.values.number(id), binding)).filter(|(id, _)| id.is_some());
        let bindings = bindings.collect();
        let function = Function { kind: self.kind, name: self.name, inputs, outputs, workgroup: self.workgroup, body };
        Ok(Finished { function, names, members, bindings, lines })
    }

    /// Reports whether every instruction is known to be needed, as in most functions. If no emitted instruction was removed and
    /// each result is used as an operand, every instruction is needed, by induction from the last instruction. The result is
    /// false for a function with LOOPs, because the operands of a LOOP's PHI may have been replaced.
    fn needs_all(&self, body: &Body) -> bool {
        !self.has_loops && !self.has_idle && body.insts().len() == self.emitted && self.values.are_used()
    }
}

fn members(members: BTreeMap<Id, Vec<Member>>, inputs: &[Input], values: &Values) -> BTreeMap<Id, Vec<Member>> {
    let mut kept = BTreeMap::new();
    for (array, all) in members {
        let id = values.number(array);
        let input = inputs.iter().find(|input| id.is_some() && input.id == id);
        let Some(&Input { id, ty: Type::Array(_, _, length), .. }) = input else { continue };
        let within: Vec<Member> = all.into_iter().filter_map(|member| member.within(length)).collect();
        if !within.is_empty() {
            kept.insert(id, within);
        }
    }
    kept
}

/// Returns the sort key of an input: first the rank of the input's kind, then its location or slot.
fn rank(kind: &InputKind) -> (u8, u32) {
    match *kind {
        InputKind::Attribute { location } => (0, location),
        InputKind::Varying { location, .. } => (1, location),
        InputKind::Builtin(builtin) => (2, builtin as u32),
        // Uniforms with a slot and an offset follow the other uniforms. Within each group, uniforms keep the order in which they
        // were added.
        InputKind::Uniform => (3, 0),
        InputKind::Placed { .. } => (3, 1),
        InputKind::Texture { slot, .. } => (4, slot),
        InputKind::Parameter => (5, 0),
        InputKind::Local => (6, 0),
        InputKind::Buffer { slot, .. } => (7, slot),
        InputKind::Shared => (8, 0),
        InputKind::Image { slot, .. } => (9, slot),
    }
}
