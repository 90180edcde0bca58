//! Statements and control flow: conditionals, loops, switches, calls, jumps, and the PHIs that they need.
//!
//! Rules: a jump is the last instruction of its block. Every loop terminates: a counter starts at zero, the loop is left when the
//! counter reaches a small literal, and no CONTINUE skips the test of the counter. The generator tracks the maximum number of
//! times that the current block runs, so that functions with loops and calls have short run times.

use sdlbc::{Body, Id, Inst, Op, OutputKind, Scalar, Type};

use super::writer::{Around, Flow, Writer, meet};

/// The maximum number of times that a loop body may run, including the iterations of enclosing loops.
const TIMES: usize = 100;
/// The maximum number of instructions that one call instruction may execute, summed over all the times that it runs.
const COST: usize = 6000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Jump {
    Break,
    Continue,
    Return,
    Discard,
}

impl Writer<'_, '_, '_> {
    pub(super) fn body(&mut self) {
        if self.is_entry() && self.dice.one_in(3) {
            self.write_outputs();
        }
        while self.budget > 0 && self.flow.is_some() && !self.dice.done() {
            self.statement();
        }
        if self.flow.is_none() {
            return;
        }
        self.write_outputs();
        if self.function.returned().is_some() || self.dice.one_in(4) {
            self.leave();
        }
    }

    fn statements(&mut self, count: usize) {
        for _ in 0..count {
            if self.flow.is_none() || self.budget == 0 || self.dice.done() {
                return;
            }
            self.statement();
        }
    }

    fn statement(&mut self) {
        let room = self.budget > 5 && self.scopes.len() <= self.features.depth;
        // Operations make up a smaller share of a plain module's statements than of other modules' statements.
        let first = if self.features.plain { 24 } else { 0 };
        match first + self.dice.below(48 - first) {
            32..=35 if room => self.branch(),
            36..=38 if room => self.repeat(),
            39 | 40 if room && !self.features.plain => self.switch(),
            41 | 42 => self.poke_output(),
            43 | 44 => self.poke_slot(),
            45 | 46 => self.call(),
            47 => self.nop(),
            _ => {
                if let Some(id) = self.expression()
                    && self.dice.one_in(24)
                {
                    self.forget(id);
                }
            }
        }
    }

    /// Removes the last instruction's result from the instruction and from the visible values, if the result is `id`.
    fn forget(&mut self, id: Id) {
        let scope = self.scope();
        if let Some(inst) = scope.block.insts_mut().last_mut().filter(|inst| inst.output == id) {
            inst.output = Id::NONE;
            scope.values.retain(|&(other, _)| other != id);
        }
    }

    fn nop(&mut self) {
        let words: Vec<u32> = (0..self.dice.below(4)).map(|_| self.dice.word()).collect();
        self.push(Inst::new(Op::Nop, Id::NONE, &[], &words));
    }

    fn call(&mut self) {
        let (fragment, times) = (self.fragment, self.times);
        let fits = |cost: usize| cost.saturating_mul(times) <= COST;
        let callees: Vec<_> = self.callees.iter().filter(|to| (fragment || !to.fragment) && fits(to.cost)).collect();
        if callees.is_empty() {
            return;
        }
        let callee = self.dice.pick(&callees);
        let arguments: Vec<Id> = callee.parameters.iter().map(|&ty| self.value(ty)).collect();
        let mut inst = Inst::new(Op::Call, Id::NONE, &arguments, &[callee.index]);
        if let Some(ty) = callee.returned
            && !self.dice.one_in(8)
        {
            inst.output = self.fresh();
            self.define(inst.output, ty);
        }
        self.push(inst);
        self.cost = self.cost.saturating_add(callee.cost.saturating_mul(times));
    }

    fn poke_output(&mut self) {
        if self.is_entry() && !self.function.outputs.is_empty() {
            let at = self.dice.below(self.function.outputs.len());
            self.write_output(at);
        }
    }

    fn write_output(&mut self, at: usize) {
        let ty = self.function.outputs[at].ty;
        let value = self.value(ty);
        let at = u32::try_from(at).unwrap_or(0);
        self.emit(Op::Poke, &[value], &[at]);
        self.flow = self.flow.map(|written| written | 1 << at);
    }

    /// Writes the outputs that at least one path to this point may have left unwritten.
    fn write_outputs(&mut self) {
        for at in 0..self.function.outputs.len() {
            let returned = self.function.outputs[at].kind == OutputKind::Returned;
            if !returned && self.flow.is_some_and(|written| written & 1 << at == 0) {
                self.write_output(at);
            }
        }
    }

    fn poke_slot(&mut self) {
        if self.slots.is_empty() {
            return;
        }
        let (slot, scalar, width, length) = self.dice.pick(&self.slots);
        let value = self.value(Type::Vector(scalar, width));
        let (index, offset) = self.index(length);
        self.emit(Op::Poke, &[value, slot, index], &[offset]);
    }

    fn open(&mut self) {
        self.scopes.push(Default::default());
    }

    fn close(&mut self) -> Body {
        self.scopes.pop().map(|scope| scope.block).unwrap_or_default()
    }

    /// Writes every output that is still missing, followed by a RETURN.
    fn leave(&mut self) {
        self.write_outputs();
        let value = match self.function.returned().map(|output| output.ty) {
            Some(ty) => self.value(ty),
            None => Id::NONE,
        };
        self.write_jump(Jump::Return, value);
    }

    fn write_jump(&mut self, jump: Jump, value: Id) {
        let (op, inputs): (_, &[Id]) = match jump {
            Jump::Break => (Op::Break, &[]),
            Jump::Continue => (Op::Continue, &[]),
            Jump::Return => (Op::Return, &[value]),
            Jump::Discard => (Op::Discard, &[]),
        };
        self.push(Inst::new(op, Id::NONE, inputs, &[]));
        self.diverged |= matches!(jump, Jump::Return | Jump::Discard) && self.scopes.len() > 1;
        self.flow = None;
    }

    /// Ends the current block with one of the jumps in `choices`.
    fn jump(&mut self, choices: &[Jump]) {
        match self.dice.pick(choices) {
            Jump::Return => self.leave(),
            Jump::Discard => self.write_jump(Jump::Discard, Id::NONE),
            Jump::Break => {
                if self.dice.one_in(2) {
                    self.poke_slot();
                }
                let flow = self.flow;
                if let Some(around) = self.around.last_mut() {
                    around.left = meet(around.left, flow);
                }
                self.write_jump(Jump::Break, Id::NONE);
            }
            Jump::Continue => {
                let scopes = &self.scopes;
                let around = self.around.iter_mut().rev().find(|around| around.body.is_some());
                if let Some(around) = around {
                    let defined = around.body.and_then(|body| scopes.get(body)).map(|scope| scope.values.len());
                    around.continued = around.continued.or(defined);
                }
                self.write_jump(Jump::Continue, Id::NONE);
            }
        }
    }

    /// Ends the current block with a jump, with a probability of `percent`.
    fn maybe_jump(&mut self, percent: usize) {
        if self.flow.is_none() || !self.dice.percent(percent) {
            return;
        }
        let mut choices = vec![Jump::Return];
        if !self.around.is_empty() {
            choices.extend([Jump::Break; 4]);
        }
        let around = self.around.iter().rev().find(|around| around.body.is_some());
        if around.is_some_and(|around| around.may_continue) {
            choices.extend([Jump::Continue; 3]);
        }
        if self.fragment {
            choices.push(Jump::Discard);
        }
        self.jump(&choices);
    }

    /// Sometimes adds unreachable code after an instruction that never completes.
    fn maybe_unreachable(&mut self) {
        if self.flow.is_none() && self.dice.one_in(6) {
            self.expression();
        }
    }

    /// Writes an IF and the PHIs after it.
    fn branch(&mut self) {
        let condition = self.value(Type::BOOL);
        let types: Vec<Type> = (0..self.dice.below(4)).map(|_| self.some_type()).collect();
        let before = self.flow;
        let (accept, first, left) = self.arm(&types);
        self.flow = before;
        let (reject, second, right) = if self.dice.one_in(4) { self.empty_arm(&types) } else { self.arm(&types) };
        self.flow = meet(left, right);
        self.nest(Inst::new(Op::If, Id::NONE, &[condition], &[]), [accept, reject]);
        self.maybe_unreachable();
        if self.flow.is_none() {
            return;
        }
        for ((ty, a), b) in types.into_iter().zip(first).zip(second) {
            let id = self.fresh();
            self.define(id, ty);
            self.push(Inst::new(Op::Phi, id, &[a, b], &[]));
            if self.dice.one_in(24) {
                self.forget(id);
            }
        }
    }

    /// Writes an arm of an IF. Returns the block, a value of each type for the PHIs, and the outputs that are written at the
    /// block's end.
    fn arm(&mut self, types: &[Type]) -> (Body, Vec<Id>, Flow) {
        self.open();
        let count = self.dice.below(5);
        self.statements(count);
        self.maybe_jump(30);
        let values = match self.flow {
            Some(_) => types.iter().map(|&ty| self.value(ty)).collect(),
            // If the end of a block is not reached, a PHI ignores its operand for that block.
            None => types.iter().map(|&ty| self.absent(ty)).collect(),
        };
        (self.close(), values, self.flow)
    }

    /// Returns a PHI's operand for a block whose end is not reached: no operand, or any visible value of the type.
    fn absent(&mut self, ty: Type) -> Id {
        if !self.dice.one_in(3) {
            return Id::NONE;
        }
        self.find(|other| other == ty).map_or(Id::NONE, |(id, _)| id)
    }

    /// Returns an empty arm of an IF if values of all these types are visible, or an arm with code otherwise.
    fn empty_arm(&mut self, types: &[Type]) -> (Body, Vec<Id>, Flow) {
        let found: Option<Vec<Id>> = types.iter().map(|&ty| self.find(|other| other == ty).map(|(id, _)| id)).collect();
        match found {
            Some(values) => (Body::default(), values, self.flow),
            None => self.arm(types),
        }
    }

    fn switch(&mut self) {
        let selector = self.dice.pick(&[Type::INT, Type::UINT]);
        let selector = self.value(selector);
        let mut cases: Vec<u32> = Vec::new();
        for _ in 0..self.dice.below(5) {
            let value = if self.dice.one_in(8) { self.dice.word() } else { self.dice.small(6).into() };
            if !cases.contains(&value) {
                cases.push(value);
            }
        }
        self.around.push(Around { body: None, may_continue: false, continued: None, left: None });
        let before = self.flow;
        let mut ends = None;
        let mut blocks = Vec::new();
        for _ in 0..=cases.len() {
            self.flow = before;
            self.open();
            let count = self.dice.below(4);
            self.statements(count);
            self.maybe_jump(35);
            blocks.push(self.close());
            ends = meet(ends, self.flow);
        }
        let left = self.around.pop().and_then(|around| around.left);
        self.flow = meet(ends, left);
        self.nest(Inst::new(Op::Switch, Id::NONE, &[selector], &cases), blocks);
        self.maybe_unreachable();
    }

    /// Writes a LOOP that counts to a small number, with PHIs for the values carried from one iteration to the next.
    fn repeat(&mut self) {
        let plain = self.features.plain;
        if plain && self.times > 1 {
            return;
        }
        let most = (TIMES / self.times).min(5);
        if most < 2 {
            return;
        }
        let bound = u32::try_from(self.dice.below(most)).unwrap_or(0);
        let scalar = if plain { Scalar::Int } else { self.dice.pick(&[Scalar::Int, Scalar::Uint]) };
        let zero = self.number(scalar, 0);
        let mut carried: Vec<(Type, Id)> = Vec::new();
        for _ in 0..self.dice.below(4) {
            let ty = self.some_type();
            carried.push((ty, self.value(ty)));
        }
        let place = self.dice.below(carried.len() + 1);
        carried.insert(place, (Type::Vector(scalar, 1), zero));

        let (times, before) = (self.times, self.flow);
        self.times *= bound as usize + 1;
        self.open();
        let body = self.scopes.len() - 1;
        let phis: Vec<Id> = carried.iter().map(|_| self.fresh()).collect();
        phis.iter().zip(&carried).for_each(|(&id, &(ty, _))| self.define(id, ty));
        self.around.push(Around { body: Some(body), may_continue: false, continued: None, left: None });
        let next = self.iteration(phis[place], scalar, bound);

        let around = self.around.pop();
        let continued = around.as_ref().and_then(|around| around.continued);
        let goes_back = self.flow.is_some() || continued.is_some();
        let mut seconds = Vec::new();
        for (at, &(ty, _)) in carried.iter().enumerate() {
            seconds.push(match (at == place, goes_back) {
                (true, true) => next.unwrap_or(Id::NONE),
                (_, false) => self.absent(ty),
                (false, true) => self.carried(ty, body, continued),
            });
        }
        let heads = phis.iter().zip(&carried).zip(seconds);
        let heads = heads.map(|((&id, &(_, first)), second)| Inst::new(Op::Phi, id, &[first, second], &[]));
        let mut block: Body = heads.collect();
        self.cost = self.cost.saturating_add(self.times.saturating_mul(block.insts().len()));
        block.append(self.close());

        self.times = times;
        self.flow = around.and_then(|around| around.left);
        debug_assert!(self.flow.is_none() || before.is_some());
        self.nest(Inst::new(Op::Loop, Id::NONE, &[], &[]), [block]);
        self.maybe_unreachable();
        if self.flow.is_some() && self.dice.one_in(2) && !self.slots.is_empty() {
            let (slot, _, _, length) = self.dice.pick(&self.slots);
            self.peek(slot, length);
        }
    }

    /// Writes a loop's body after the PHIs. Returns the counter's next value, or `None` if every path has left the loop before
    /// the counter changes.
    fn iteration(&mut self, counter: Id, scalar: Scalar, bound: u32) -> Option<Id> {
        let test = self.dice.below(3);
        if test == 1 {
            let count = 1 + self.dice.below(2);
            self.statements(count);
        } else if test == 2 {
            let count = 1 + self.dice.below(5);
            self.statements(count);
        }
        // If this point is unreachable, all paths have left the loop, because CONTINUE is not allowed yet.
        self.flow?;
        let one = self.number(scalar, 1);
        let next = self.emit(Op::Add, &[counter, one], &[]);
        self.test(counter, scalar, bound);
        if self.flow.is_some() && test < 2 {
            self.set_may_continue(true);
            let count = 1 + self.dice.below(5);
            self.statements(count);
        }
        self.maybe_jump(10);
        Some(next)
    }

    fn set_may_continue(&mut self, may: bool) {
        if let Some(around) = self.around.last_mut() {
            around.may_continue = may;
        }
    }

    /// Writes an IF that leaves the loop if the counter has reached its bound.
    fn test(&mut self, counter: Id, scalar: Scalar, bound: u32) {
        let bound = self.number(scalar, bound);
        let reversed = self.dice.one_in(4);
        let op = if reversed { Op::LessThan } else { Op::GreaterThanOrEqual };
        let condition = self.emit(op, &[counter, bound], &[]);
        let before = self.flow;
        self.open();
        let count = self.dice.below(2);
        self.statements(count);
        if self.flow.is_some() {
            let mut choices = vec![Jump::Break; 8];
            choices.extend(self.fragment.then_some(Jump::Discard));
            choices.push(Jump::Return);
            self.jump(&choices);
        }
        let leaving = self.close();
        self.flow = before;
        let staying = if self.dice.one_in(6) {
            self.open();
            self.statements(1);
            self.close()
        } else {
            Body::default()
        };
        let blocks = if reversed { [staying, leaving] } else { [leaving, staying] };
        self.nest(Inst::new(Op::If, Id::NONE, &[condition], &[]), blocks);
    }

    /// Returns the operand that a loop's PHI takes from the end of the body. In a body with a CONTINUE, the operand must be
    /// defined before the first CONTINUE.
    fn carried(&mut self, ty: Type, body: usize, continued: Option<usize>) -> Id {
        if continued.is_none() && self.dice.percent(60) {
            return self.value(ty);
        }
        let visible = self.scopes.iter().enumerate().flat_map(|(at, scope)| {
            let count = continued.filter(|_| at == body).unwrap_or(scope.values.len());
            scope.values.iter().take(count)
        });
        let found: Vec<Id> = visible.filter(|&&(_, other)| other == ty).map(|&(id, _)| id).collect();
        let at = self.dice.below(found.len()).max(self.dice.below(found.len()));
        found.get(at).copied().unwrap_or(Id::NONE)
    }
}
