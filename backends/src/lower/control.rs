//! Lowers control flow to naga's statements, and PHIs to variables.
//!
//! The PHIs after an IF are variables to which each arm stores its values. The PHIs at the head of a LOOP are variables to which
//! the code before the LOOP, the end of the body and each CONTINUE store their values. `share.rs` decides which PHIs share a
//! variable, and a value that a variable already contains is not stored again. The stores for a LOOP's head follow the plan's
//! order, in which no store overwrites a value that a later store reads.

use naga::{Block, Expression, Handle, LocalVariable, Span, Statement, SwitchCase};
use naga::{SwitchValue, UnaryOperator};
use sdlbc::{FunctionKind, Id, Inst, InstRef, Op, Scalar, flow};

use super::function::Lower;
use super::state::{Head, Store, Value};
use crate::error::Error;
use crate::origins::Written;
use crate::plan::{continues, head_phis, phis_after};

/// The maximum number of stores that the CONTINUEs of a loop make to the PHIs at the loop's head. More stores would make the
/// output far larger than the module.
const MAX_STORES: usize = 1 << 16;

impl Lower<'_, '_> {
    pub(super) fn block(&mut self, code: sdlbc::Block<'_>, block: &mut Block) -> Result<(), Error> {
        let indices = self.indices.checkpoint();
        match self.traces_locations {
            true => self.statements::<true>(code, block)?,
            false => self.statements::<false>(code, block)?,
        }
        self.indices.restore(indices);
        Ok(())
    }

    /// Lowers the code of a block. If `LOCATIONS` is true, values are passed to naga's writer as source locations.
    fn statements<const LOCATIONS: bool>(&mut self, code: sdlbc::Block<'_>, block: &mut Block) -> Result<(), Error> {
        let mut rest = code.iter();
        while let Some(inst) = rest.next() {
            if LOCATIONS {
                self.trace_location(inst.output, block);
            }
            match inst.op {
                Op::If => {
                    let phis = phis_after(inst);
                    self.branch(inst, phis, block)?;
                    rest = rest.rest().after(phis.len()).iter();
                }
                Op::Loop => self.repeat(inst, block)?,
                Op::Switch => self.switch(inst, block)?,
                Op::Discard => self.discard(block)?,
                Op::Break => self.jump(Statement::Break, block),
                Op::Continue => {
                    let head = self.heads.last().cloned().unwrap_or_default();
                    self.store_all(&head, block)?;
                    self.jump(Statement::Continue, block);
                }
                Op::Return => self.leave(&inst, block)?,
                Op::Call => self.call(&inst, block)?,
                _ => self.inst(&inst, block).map_err(|error| error.within(inst.op))?,
            }
        }
        if LOCATIONS {
            self.trace_location(Id::NONE, block);
        }
        Ok(())
    }

    fn begin(&mut self) -> Block {
        self.spare.pop().unwrap_or_default()
    }

    /// Finishes a block by copying it to an allocation of its exact size. Statements are large, and most blocks have few of them,
    /// so the original buffer is reused.
    fn end(&mut self, mut begun: Block) -> Block {
        self.flush(&mut begun);
        let mut block = Block::with_capacity(begun.len());
        block.append(&mut begun);
        self.spare.push(begun);
        block
    }

    fn jump(&mut self, statement: Statement, block: &mut Block) {
        self.flush(block);
        block.push(statement, Span::UNDEFINED);
    }

    fn discard(&mut self, block: &mut Block) -> Result<(), Error> {
        if let Some(flag) = self.lowering.discarded.filter(|_| self.function.kind == FunctionKind::Generic) {
            let value = self.literal(Scalar::Bool, 1, block)?;
            let pointer = self.fixed(Expression::GlobalVariable(flag), block);
            block.push(Statement::Store { pointer, value }, Span::UNDEFINED);
        }
        self.jump(Statement::Kill, block);
        if self.returns_after_discard {
            self.trace_statement(Written::Result, &[]);
        }
        Ok(())
    }

    /// Makes the caller return if the called function discarded the fragment. A caller without a LOOP continues instead, because
    /// no helper invocation can get stuck in it.
    fn return_if_discarded(&mut self, callee: usize, block: &mut Block) {
        let Some(flag) = self.lowering.discarded else { return };
        if !self.lowering.discarding.contains(&callee) || !self.ops.has(Op::Loop) {
            return;
        }
        let pointer = self.fixed(Expression::GlobalVariable(flag), block);
        let condition = self.compute(Expression::Load { pointer });
        let ty = self.code.result.as_ref().map(|result| result.ty);
        let value = ty.map(|ty| self.fixed(Expression::ZeroValue(ty), block));
        self.flush(block);
        self.trace_statement(Written::Condition, &[]);
        self.trace_statement(Written::Result, &[]);
        let mut accept = Block::new();
        accept.push(Statement::Return { value }, Span::UNDEFINED);
        block.push(Statement::If { condition, accept, reject: Block::new() }, Span::UNDEFINED);
    }

    fn leave(&mut self, inst: &Inst, block: &mut Block) -> Result<(), Error> {
        if self.function.kind != FunctionKind::Generic {
            return self.return_outputs(block);
        }
        let value = match inst.inputs.first() {
            Some(&id) if id.is_some() => Some(self.value(id, block)?),
            _ => None,
        };
        self.trace_statement(Written::Result, &inst.inputs);
        self.jump(Statement::Return { value }, block);
        Ok(())
    }

    pub(super) fn call(&mut self, inst: &Inst, block: &mut Block) -> Result<(), Error> {
        let index = inst.immediates.first().and_then(|&index| usize::try_from(index).ok());
        let Some((callee, &function)) = index.and_then(|index| Some((index, self.calls.get(&index)?))) else {
            return Err(Error::Internal("a call of something that is not a function".into()));
        };
        let mut arguments = Vec::with_capacity(inst.inputs.len());
        for &id in &inst.inputs {
            arguments.push(self.value(id, block)?);
        }
        let returns = self.lowering.module.functions[function].result.is_some();
        let result = returns.then(|| self.fixed(Expression::CallResult(function), block));
        self.flush(block);
        block.push(Statement::Call { function, arguments, result }, self.location);
        if let Some(result) = result {
            if self.is_text() {
                // A call's result always has a name, because naga represents a call as a statement.
                let name = self.lowering.names.label(self.scope, self.name_of(inst.output));
                self.lowering.names.call_result(self.label, result.index(), &name);
                self.code.named_expressions.insert(result, name);
            }
            self.trace_definition(inst.output, result);
            self.values.define(inst.output, result);
        } else if self.tracer.is_some()
            && let Some(name) = self.lowering.module.functions[function].name.clone()
        {
            self.note(Written::Name(name), &inst.inputs, &inst.inputs);
        }
        self.return_if_discarded(callee, block);
        Ok(())
    }

    fn branch(&mut self, inst: InstRef<'_>, phis: &[Inst], block: &mut Block) -> Result<(), Error> {
        let (Some(accept), Some(reject)) = (inst.blocks().get(0), inst.blocks().get(1)) else {
            return Err(Error::Internal("an IF without two blocks".into()));
        };
        let condition = inst.inputs.first().copied().unwrap_or_default();
        self.trace_statement(Written::Condition, &[condition]);
        let condition = self.value(condition, block)?;
        let mut stores = [Vec::new(), Vec::new()];
        for phi in phis {
            let variable = self.phi_variable(phi)?;
            for (arm, stores) in stores.iter_mut().enumerate() {
                let value = phi.inputs.get(arm).copied().unwrap_or_default();
                stores.push(Store { phi: phi.output, variable, value });
            }
        }
        self.flush(block);
        // If the second block is empty, its PHI values are stored before the conditional, which then has no `else`.
        let early = reject.is_empty();
        if early {
            self.store_all(&stores[1], block)?;
        }
        let (values, held) = (self.values.checkpoint(), self.holds.checkpoint());
        let mut left = Vec::with_capacity(2);
        let mut arms = [Block::new(), Block::new()];
        for (which, (code, arm)) in [accept, reject].into_iter().zip(&mut arms).enumerate() {
            if early && which == 1 {
                continue;
            }
            let mut begun = self.begin();
            self.block(code, &mut begun)?;
            if flow::falls_through(code) {
                self.store_all(&stores[which], &mut begun)?;
            }
            *arm = self.end(begun);
            self.values.restore(values);
            left.push(self.holds.restore(held));
        }
        let [accept, reject] = arms;
        let statement = match (accept.is_empty(), reject.is_empty()) {
            (true, true) => {
                self.untrace_condition();
                None
            }
            (true, false) => {
                let condition = self.compute(Expression::Unary { op: UnaryOperator::LogicalNot, expr: condition });
                self.flush(block);
                Some(Statement::If { condition, accept: reject, reject: accept })
            }
            _ => Some(Statement::If { condition, accept, reject }),
        };
        if let Some(statement) = statement {
            block.push(statement, Span::UNDEFINED);
        }
        self.holds.join(&left);
        self.read_phis(&stores[0], block);
        Ok(())
    }

    /// Lowers a LOOP. The values for the PHIs at the LOOP's head are stored before the LOOP, and again before each further
    /// iteration.
    fn repeat(&mut self, inst: InstRef<'_>, block: &mut Block) -> Result<(), Error> {
        let Some(code) = inst.blocks().first() else { return Err(Error::Internal("a LOOP without block".into())) };
        let phis = head_phis(code);
        let (values, continues) = (phis.len(), continues(code));
        if values.saturating_mul(continues) > MAX_STORES {
            let what = format!(
                "a loop with {values} values and {continues} continues, because each continue would store all values"
            );
            return Err(Error::Unsupported { what, target: self.lowering.target });
        }
        let order = self.plan.order_of(phis);
        let (mut entry, mut again) = (Head::new(), Head::new());
        for phi in order.iter().filter_map(|&at| phis.get(at)) {
            let variable = self.phi_variable(phi)?;
            let value = |at: usize| phi.inputs.get(at).copied().unwrap_or_default();
            entry.push(Store { phi: phi.output, variable, value: value(0) });
            again.push(Store { phi: phi.output, variable, value: value(1) });
        }
        self.flush(block);
        self.store_all(&entry, block)?;
        self.flush(block);
        // After the first iteration, the PHIs' variables may contain other values.
        self.holds.clear();
        let values = self.values.checkpoint();
        let mut body = self.begin();
        self.read_phis(&entry, &mut body);
        self.heads.push(again);
        self.block(code.after(phis.len()), &mut body)?;
        let again = self.heads.pop().unwrap_or_default();
        if flow::falls_through(code) {
            self.store_all(&again, &mut body)?;
        }
        let body = self.end(body);
        self.values.restore(values);
        self.holds.clear();
        block.push(Statement::Loop { body, continuing: Block::new(), break_if: None }, Span::UNDEFINED);
        Ok(())
    }

    fn switch(&mut self, inst: InstRef<'_>, block: &mut Block) -> Result<(), Error> {
        let selector = inst.inputs.first().copied().unwrap_or_default();
        let scalar = self.scalar(selector);
        self.trace_statement(Written::Selector, &[selector]);
        let selector = self.value(selector, block)?;
        self.flush(block);
        let alone = inst.immediates.is_empty() && !self.lowering.features.lone_switches;
        let selector = if alone { self.literal(scalar, 0, block)? } else { selector };
        let number = |value: u32| match scalar {
            Scalar::Uint => SwitchValue::U32(value),
            _ => SwitchValue::I32(value.cast_signed()),
        };
        let values = inst.immediates.iter().map(|&value| number(value));
        let (known, held) = (self.values.checkpoint(), self.holds.checkpoint());
        let mut cases = Vec::with_capacity(inst.blocks().len() + 1);
        if alone {
            cases.push(SwitchCase { value: number(1), body: Block::new(), fall_through: false });
        }
        for (value, code) in values.chain([SwitchValue::Default]).zip(inst.blocks()) {
            let mut body = self.begin();
            self.block(code, &mut body)?;
            let body = self.end(body);
            self.values.restore(known);
            self.holds.restore(held);
            cases.push(SwitchCase { value, body, fall_through: false });
        }
        self.holds.clear();
        block.push(Statement::Switch { selector, cases }, Span::UNDEFINED);
        Ok(())
    }

    fn read_phis(&mut self, stores: &[Store], block: &mut Block) {
        for store in stores {
            let value = self.load(store.variable, block);
            self.define(store.phi, value, block);
            self.holds.insert(store.variable, store.phi);
        }
        self.flush(block);
    }

    /// Returns a PHI's variable, which other PHIs may share.
    fn phi_variable(&mut self, phi: &Inst) -> Result<Handle<LocalVariable>, Error> {
        let shared = self.class_of(phi.output);
        let variable = match self.variables.get(shared) {
            Some(&variable) => variable,
            None => self.variable(self.ty(phi.output), self.name_of(phi.output))?,
        };
        self.variables.insert(shared, variable);
        Ok(variable)
    }

    /// Returns the PHI that represents all PHIs with the same variable as the PHI `id`.
    fn class_of(&self, id: Id) -> Id {
        self.shared.get(id).copied().unwrap_or(id)
    }

    /// Stores values to the variables of PHIs. A value is skipped if the variable already contains it, or if the value is a PHI
    /// with the same variable.
    fn store_all(&mut self, stores: &[Store], block: &mut Block) -> Result<(), Error> {
        for &Store { phi, variable, value } in stores.iter().filter(|store| store.value.is_some()) {
            let shares = self.shared.contains(value) && self.class_of(value) == self.class_of(phi);
            if self.holds.insert(variable, value) != Some(value) && !shares {
                self.trace_store(variable, &[value], &[value]);
                let value: Value = self.value(value, block)?;
                self.store(variable, value, block);
            }
        }
        Ok(())
    }
}
