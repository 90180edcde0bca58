//! A function on which passes work: its code and the types of its values.
//!
//! Rule: ids are dense, so data about values is stored in vectors indexed by id. A replaced value stays defined until `dce`
//! removes it, but its name passes to the replacement. Only this file changes the list of instructions and their source lines.

use sdlbc::module::swizvals;
use sdlbc::{Function, FunctionDebug, Id, Input, InputKind, Inst, Op, OpSet, Scalar, Type, Types, ValueNames};

/// A function on which passes work, with the types of its values.
#[derive(Clone, Debug)]
pub struct Body {
    function: Function,
    /// The number of inputs of the original function. The ids of inputs precede all others.
    original_inputs: usize,
    /// The types of values, indexed by id; `None` for an undefined id.
    types: Vec<Option<Type>>,
    /// The number of components of each value, indexed by id; 0 for a value that is neither a scalar nor a vector.
    widths: Vec<u8>,
    /// The source lines, indexed by instruction; empty if no instruction has a source line.
    lines: Vec<u32>,
    /// Pairs of a replaced value and its replacement.
    replaced: Vec<(Id, Id)>,
    /// The operations that occur in the body, or occurred before a pass removed them.
    ops: OpSet,
    /// Whether the ids of the original function were not in reading order.
    pub(crate) is_renumbered: bool,
}

pub(crate) fn index(id: Id) -> usize {
    usize::try_from(id.0).unwrap_or(usize::MAX)
}

/// Converts the index of an instruction or a block to 32 bits. The limits of a verified module ensure that the index fits.
pub(crate) fn narrow(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

pub(crate) fn wide(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

/// Returns the operation that defines a literal of a component type. There are no half literals, so a half is converted
/// from a float literal.
pub(crate) fn literal(scalar: Scalar) -> Op {
    match scalar {
        Scalar::Bool => Op::LiteralBool,
        Scalar::Int => Op::LiteralInt,
        Scalar::Uint => Op::LiteralUint,
        Scalar::Float | Scalar::Half => Op::LiteralFloat,
    }
}

/// Returns an instruction that copies a scalar to all `width` components of a vector.
pub(crate) fn splat(output: Id, scalar: Id, width: u8) -> Inst {
    let lanes = [0; 4];
    Inst::new(Op::Swizzle, output, &[scalar], &[swizvals(lanes.get(..usize::from(width)).unwrap_or(&lanes))])
}

impl Body {
    /// Creates a body from a verified function and the types of its values. If the ids are not dense, the function and its debug
    /// record are renumbered.
    pub(crate) fn new(mut function: Function, of: &Types, debug: Option<&mut FunctionDebug>) -> Body {
        let insts = function.body.insts();
        let mut types = Vec::with_capacity(1 + function.inputs.len() + insts.len());
        types.push(None);
        let mut widths = Vec::with_capacity(types.capacity());
        widths.push(0);
        let mut ops = OpSet::default();
        let mut is_dense = true;
        let mut take = |id: Id| {
            is_dense &= index(id) == types.len();
            let ty = of.get(id);
            types.push(ty);
            widths.push(ty.and_then(Type::width).unwrap_or(0));
        };
        function.inputs.iter().for_each(|input| take(input.id));
        for inst in insts {
            ops.insert(inst.op);
            if inst.output.is_some() {
                take(inst.output);
            }
        }
        let mut lines = Vec::new();
        if let Some(debug) = debug {
            if !is_dense {
                let numbers = sdlbc::renumber(&mut function);
                debug.ids.renumber(|id| numbers.get(id).copied());
                let members = std::mem::take(&mut debug.members).into_iter();
                debug.members = members.filter_map(|(id, of)| Some((*numbers.get(id)?, of))).collect();
                let bindings = std::mem::take(&mut debug.bindings).into_iter();
                debug.bindings = bindings.filter_map(|(id, of)| Some((*numbers.get(id)?, of))).collect();
            }
            if let Some(own) = &mut debug.lines {
                lines = std::mem::take(&mut own.numbers);
                lines.resize(function.body.insts().len(), 0);
            }
        } else if !is_dense {
            sdlbc::renumber(&mut function);
        }
        let original_inputs = function.inputs.len();
        Body { function, original_inputs, types, widths, lines, replaced: Vec::new(), ops, is_renumbered: !is_dense }
    }

    /// Returns the types of the finished function's values, in reading order.
    pub(crate) fn types_in_order(&self) -> Types {
        let inputs = self.inputs().iter().map(|input| Some(input.ty));
        let results = self.insts().iter().map(|inst| inst.output).filter(|id| id.is_some());
        let results = results.map(|id| self.types.get(index(id)).copied().flatten());
        Types::in_order(&inputs.chain(results).collect::<Vec<_>>())
    }

    /// Renumbers the values in reading order, updates the function's debug record, and returns the function.
    pub(crate) fn finish(mut self, debug: Option<&mut FunctionDebug>) -> Function {
        let before = self.original_inputs;
        let numbers = self.renumber();
        let Some(debug) = debug else { return self.function };
        if !self.replaced.is_empty() && !debug.ids.is_empty() {
            debug.ids = self.remaining_names(std::mem::take(&mut debug.ids));
        }
        if let Some(numbers) = numbers.as_ref().filter(|_| before > self.function.inputs.len()) {
            let new = |id| numbers.get(index(id)).copied().filter(|id| id.is_some());
            let members = std::mem::take(&mut debug.members).into_iter();
            debug.members = members.filter_map(|(id, members)| Some((new(id)?, members))).collect();
            let bindings = std::mem::take(&mut debug.bindings).into_iter();
            debug.bindings = bindings.filter_map(|(id, binding)| Some((new(id)?, binding))).collect();
        }
        // The ids of inputs come first, and the debug table does not contain their names.
        let results = self.function.body.insts().iter().filter(|inst| inst.output.is_some()).count();
        debug.ids.renumber(|id| match &numbers {
            _ if index(id) <= before => None,
            Some(numbers) => numbers.get(index(id)).copied().filter(|id| id.is_some()),
            None => Some(id).filter(|id| index(*id) <= before + results),
        });
        if let Some(lines) = &mut debug.lines {
            lines.numbers = self.lines;
        }
        self.function
    }

    /// Returns the names of the remaining values. A replacement without a name gets the name of the replaced value.
    fn remaining_names(&self, names: ValueNames) -> ValueNames {
        let mut by_id = vec![None; self.types.len()];
        for (id, name) in names {
            if let Some(place) = by_id.get_mut(index(id)) {
                *place = Some(name);
            }
        }
        for &(old, new) in &self.replaced {
            let name = by_id.get_mut(index(old)).and_then(Option::take);
            if let (Some(name), Some(place)) = (name, by_id.get_mut(index(new))) {
                place.get_or_insert(name);
            }
        }
        (0..).map(Id).zip(by_id).filter_map(|(id, name)| Some((id, name?))).collect()
    }

    /// Removes the local arrays that no instruction accesses. Reports whether there were any.
    pub(crate) fn remove_unused_locals(&mut self) -> bool {
        if !self.function.inputs.iter().any(|input| input.kind == InputKind::Local) {
            return false;
        }
        let mut used = vec![false; self.function.inputs.len() + 1];
        for id in self.function.body.insts().iter().flat_map(|inst| &inst.inputs) {
            if let Some(used) = used.get_mut(index(*id)) {
                *used = true;
            }
        }
        self.function
            .inputs
            .retain(|input| input.kind != InputKind::Local || used.get(index(input.id)) != Some(&false));
        self.function.inputs.len() < self.original_inputs
    }

    /// Numbers the inputs and the results in reading order. Returns the new ids indexed by the old ids, or `None` if all are already
    /// in reading order.
    fn renumber(&mut self) -> Option<Vec<Id>> {
        let first = self.function.inputs.len() + 1;
        let ids = (first..).filter_map(|id| u32::try_from(id).ok()).map(Id);
        let insts = self.function.body.insts_mut();
        let results = insts.iter().map(|inst| inst.output).filter(|id| id.is_some());
        if first == self.original_inputs + 1 && results.zip(ids.clone()).all(|(old, new)| old == new) {
            return None;
        }
        let mut numbers = vec![Id::NONE; self.types.len()];
        for (new, input) in (1..).map(Id).zip(&mut self.function.inputs) {
            if let Some(number) = numbers.get_mut(index(input.id)) {
                *number = new;
            }
            input.id = new;
        }
        let results = insts.iter_mut().map(|inst| &mut inst.output).filter(|id| id.is_some());
        for (id, new) in results.zip(ids) {
            if let Some(number) = numbers.get_mut(index(*id)) {
                *number = new;
            }
            *id = new;
        }
        for id in insts.iter_mut().flat_map(|inst| &mut inst.inputs) {
            *id = numbers.get(index(*id)).copied().unwrap_or_default();
        }
        Some(numbers)
    }

    /// Returns the function in its current state.
    pub fn function(&self) -> &Function {
        &self.function
    }

    /// Returns the inputs of the function.
    pub fn inputs(&self) -> &[Input] {
        &self.function.inputs
    }

    /// Returns the instructions of the function, in reading order.
    pub fn insts(&self) -> &[Inst] {
        self.function.body.insts()
    }

    /// Reports whether any operation in `ops` may occur in the body.
    pub(crate) fn has(&self, ops: OpSet) -> bool {
        self.ops.has_any(ops)
    }

    pub(crate) fn set(&mut self, at: usize, inst: Inst) {
        self.ops.insert(inst.op);
        if let Some(place) = self.function.body.insts_mut().get_mut(at) {
            *place = inst;
        }
    }

    /// Returns the length of a table indexed by id, including the unused id 0.
    pub fn ids(&self) -> usize {
        self.types.len()
    }

    /// Returns the type of a value, or `None` if the id is undefined.
    pub fn ty(&self, id: Id) -> Option<Type> {
        self.types.get(index(id)).copied().flatten()
    }

    /// Returns the number of components of a value, or 0 if the value is neither a scalar nor a vector.
    pub fn width(&self, id: Id) -> u8 {
        self.widths.get(index(id)).copied().unwrap_or(0)
    }

    pub(crate) fn fresh(&mut self, ty: Type) -> Id {
        self.types.push(Some(ty));
        self.widths.push(ty.width().unwrap_or(0));
        Id(u32::try_from(self.types.len() - 1).unwrap_or(u32::MAX))
    }

    /// Reports whether a value is a local slot or other memory whose elements may change.
    pub fn is_slot(&self, id: Id) -> bool {
        self.function.inputs.get(index(id).wrapping_sub(1)).is_some_and(|input| input.kind.is_variable())
    }

    /// Reports whether an id is a local array.
    pub(crate) fn is_local(&self, id: Id) -> bool {
        self.function.inputs.get(index(id).wrapping_sub(1)).is_some_and(|input| input.kind == InputKind::Local)
    }

    /// Reports whether an instruction reads a local slot or other memory whose elements may change.
    pub(crate) fn reads_slot(&self, inst: &Inst) -> bool {
        inst.op == Op::Peek && inst.inputs.first().is_some_and(|&of| self.is_slot(of))
    }

    pub(crate) fn keep(&mut self, flags: &[bool]) {
        self.function.body.keep(flags);
        if self.lines.is_empty() {
            return;
        }
        let mut flags = flags.iter();
        self.lines.retain(|_| flags.next() == Some(&true));
    }

    /// Inserts each instruction before the instruction at the paired index, in the same block and with the same source line.
    pub(crate) fn insert_all(&mut self, added: &mut Vec<(usize, Inst)>) {
        if added.is_empty() {
            return;
        }
        added.sort_by_key(|(at, _)| *at);
        added.iter().for_each(|(_, inst)| self.ops.insert(inst.op));
        if !self.lines.is_empty() {
            let mut lines = Vec::with_capacity(self.lines.len() + added.len());
            let mut rest = added.iter().peekable();
            for (at, &line) in self.lines.iter().enumerate() {
                while rest.next_if(|(place, _)| *place <= at).is_some() {
                    lines.push(line);
                }
                lines.push(line);
            }
            lines.extend(rest.map(|_| 0));
            self.lines = lines;
        }
        self.function.body.insert_all(added.drain(..));
    }

    /// Replaces the operands of one instruction with their substitutes.
    #[inline]
    pub(crate) fn substitute_at(&mut self, at: usize, by: &Substitution) {
        if by.is_empty() {
            return;
        }
        if let Some(inst) = self.function.body.insts_mut().get_mut(at) {
            inst.inputs.iter_mut().for_each(|id| *id = by.of(*id));
        }
    }

    /// Replaces values with their substitutes in the operands of all instructions.
    pub(crate) fn substitute(&mut self, by: &Substitution) {
        if by.is_empty() {
            return;
        }
        for id in self.function.body.insts_mut().iter_mut().flat_map(|inst| &mut inst.inputs) {
            *id = by.of(*id);
        }
        self.replaced.extend(by.pairs());
    }
}

pub(crate) enum New {
    /// A value that replaces the result of the instruction.
    Value(Id),
    /// An instruction that takes the place of the original instruction.
    Inst(Inst),
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Substitution {
    /// The replacement of each value, indexed by id; `Id::NONE` for a value that is not replaced.
    by: Vec<Id>,
}

impl Substitution {
    /// Returns the value to read instead of `id`, or `id` itself if the value is not replaced.
    pub(crate) fn of(&self, id: Id) -> Id {
        let mut id = id;
        while let Some(&by) = self.by.get(index(id)).filter(|by| by.is_some()) {
            id = by;
        }
        id
    }

    /// Replaces the value `id` with the value `by`, which must not itself be replaced with `id`.
    pub(crate) fn replace(&mut self, id: Id, by: Id) {
        let by = self.of(by);
        if self.by.len() <= index(id) {
            self.by.resize(index(id).saturating_add(1), Id::NONE);
        }
        if let Some(place) = self.by.get_mut(index(id)).filter(|_| by != id) {
            *place = by;
        }
    }

    pub(crate) fn clear(&mut self) {
        self.by.clear();
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.by.is_empty()
    }

    fn pairs(&self) -> impl Iterator<Item = (Id, Id)> {
        let ids = (0..).map(Id).zip(&self.by);
        ids.filter(|(_, by)| by.is_some()).map(|(id, _)| (id, self.of(id)))
    }
}
