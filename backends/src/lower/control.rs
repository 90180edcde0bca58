//! Control flow: where blocks go, and PHIs as choices or as variables.
//!
//! A PHI whose IF only chooses becomes a `select`. The others become variables: behind an IF the arms store to them, at the
//! head of a LOOP what stands in front of it, its end and its CONTINUEs. They are shared as `share.rs` says; what a
//! variable holds already is not stored again. The stores of a LOOP's head stand in the order that the plan gives, in
//! which none overwrites what a later one reads.

use naga::{BinaryOperator, Block, Expression, Handle, Literal, LocalVariable, Span, Statement, SwitchCase};
use naga::{SwitchValue, UnaryOperator};
use sdlbc::{FunctionKind, Id, Inst, Op, Scalar, flow};

use super::function::{Lower, Value};
use crate::gone::has;
use crate::plan::{continues, head_phis, phis_behind};
use crate::{Error, Target};

/// So often the PHIs of one loop's head are stored by its CONTINUEs at most: what is more would be text out of proportion
/// to the module.
const MOST_STORES: usize = 1 << 16;

/// A PHI's variable, and the value that is stored to it on the way that is meant.
#[derive(Clone, Copy, Debug)]
pub(super) struct Store {
    phi: Id,
    variable: Handle<LocalVariable>,
    value: Id,
}

/// What is stored when a loop begins again.
pub(super) type Head = Vec<Store>;

impl Lower<'_, '_> {
    pub(super) fn block(&mut self, code: &[Inst], block: &mut Block) -> Result<(), Error> {
        let mut at = 0;
        while let Some(inst) = code.get(at) {
            match inst.op {
                Op::If => {
                    let phis = phis_behind(code, at);
                    self.branch(inst, phis, block)?;
                    at += phis.len();
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
                Op::Return => self.leave(inst, block)?,
                Op::Call => self.call(inst, block)?,
                _ => self.inst(inst, block).map_err(|error| error.within(inst.op))?,
            }
            at += 1;
        }
        Ok(())
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
        Ok(())
    }

    /// Returns if a call has discarded the fragment, where a LOOP might wait for it.
    fn look_whether_gone(&mut self, callee: usize, block: &mut Block) {
        let Some(flag) = self.lowering.discarded else { return };
        if !self.lowering.watched.contains(&callee) || !has(&self.function.body, Op::Loop) {
            return;
        }
        let pointer = self.fixed(Expression::GlobalVariable(flag), block);
        let condition = self.compute(Expression::Load { pointer });
        let ty = self.code.result.as_ref().map(|result| result.ty);
        let value = ty.map(|ty| self.fixed(Expression::ZeroValue(ty), block));
        self.flush(block);
        let mut accept = Block::new();
        accept.push(Statement::Return { value }, Span::UNDEFINED);
        block.push(Statement::If { condition, accept, reject: Block::new() }, Span::UNDEFINED);
    }

    fn leave(&mut self, inst: &Inst, block: &mut Block) -> Result<(), Error> {
        if self.function.kind != FunctionKind::Generic {
            return self.give(block);
        }
        let value = match inst.inputs.first() {
            Some(&id) if id.is_some() => Some(self.value(id, block)?),
            _ => None,
        };
        self.jump(Statement::Return { value }, block);
        Ok(())
    }

    pub(super) fn call(&mut self, inst: &Inst, block: &mut Block) -> Result<(), Error> {
        let index = inst.immediates.first().and_then(|&index| usize::try_from(index).ok());
        let Some((callee, &function)) = index.and_then(|index| Some((index, self.calls.get(&index)?))) else {
            return Err(Error::Internal("a call of what is no function".into()));
        };
        let mut arguments = Vec::with_capacity(inst.inputs.len());
        for &id in &inst.inputs {
            arguments.push(self.value(id, block)?);
        }
        let returns = self.lowering.module.functions[function].result.is_some();
        let result = returns.then(|| self.fixed(Expression::CallResult(function), block));
        self.flush(block);
        block.push(Statement::Call { function, arguments, result }, Span::UNDEFINED);
        if let Some(result) = result {
            // A call is a statement of its own, so its result has a name, whatever the plan.
            let name = self.lowering.names.label(self.scope, self.name_of(inst.output));
            self.lowering.names.call_result(self.label, result.index(), &name);
            self.code.named_expressions.insert(result, name);
            self.values.insert(inst.output, result);
        }
        self.look_whether_gone(callee, block);
        Ok(())
    }

    fn branch(&mut self, inst: &Inst, phis: &[Inst], block: &mut Block) -> Result<(), Error> {
        let [accept, reject] = &inst.blocks[..] else { return Err(Error::Internal("an IF without two blocks".into())) };
        let condition = inst.inputs.first().copied().unwrap_or_default();
        let condition = self.value(condition, block)?;
        if phis.first().is_some_and(|phi| self.plan.is_select(phi.output)) {
            for arm in [accept, reject] {
                self.block(arm, block)?;
            }
            for phi in phis {
                let [yes, no] = self.inputs(phi, block)?;
                // A bool that is false without the condition is both.
                let is_false = matches!(self.code.expressions[no], Expression::Literal(Literal::Bool(false)));
                let value = self.compute(match is_false {
                    true => Expression::Binary { op: BinaryOperator::LogicalAnd, left: condition, right: yes },
                    false => Expression::Select { condition, accept: yes, reject: no },
                });
                self.define(phi.output, value, block);
            }
            return Ok(());
        }
        let mut stores = [Vec::new(), Vec::new()];
        for phi in phis {
            let variable = self.phi_variable(phi)?;
            for (arm, stores) in stores.iter_mut().enumerate() {
                let value = phi.inputs.get(arm).copied().unwrap_or_default();
                stores.push(Store { phi: phi.output, variable, value });
            }
        }
        self.flush(block);
        // Where the second block does nothing, its values are stored in front, and there is no `else`.
        let early = reject.is_empty();
        if early {
            self.store_all(&stores[1], block)?;
        }
        let held = self.holds.clone();
        let mut after = held.clone();
        let mut arms = [Block::new(), Block::new()];
        for (which, (code, arm)) in [accept, reject].into_iter().zip(&mut arms).enumerate() {
            if early && which == 1 {
                continue;
            }
            let values = self.values.clone();
            self.block(code, arm)?;
            if flow::falls_through(code) {
                self.store_all(&stores[which], arm)?;
            }
            self.flush(arm);
            self.values = values;
            // Behind the conditional a variable holds what it held, unless an arm has changed it.
            let left = std::mem::replace(&mut self.holds, held.clone());
            after.retain(|variable, id| left.get(variable) == Some(id));
        }
        let [accept, reject] = arms;
        let statement = match (accept.is_empty(), reject.is_empty()) {
            (true, true) => None,
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
        self.holds = after;
        self.read_phis(&stores[0], block);
        Ok(())
    }

    /// A LOOP: its head's PHIs are stored in front of it, and again where it begins again.
    fn repeat(&mut self, inst: &Inst, block: &mut Block) -> Result<(), Error> {
        let Some(code) = inst.blocks.first() else { return Err(Error::Internal("a LOOP without block".into())) };
        let phis = head_phis(code);
        let stores = phis.len().saturating_mul(continues(code));
        if stores > MOST_STORES {
            let (values, continues) = (phis.len(), continues(code));
            let what = format!("a loop of {values} values and {continues} continues, each of which would store all");
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
        // What variables hold when the body has run once is not known here.
        self.holds.clear();
        let values = self.values.clone();
        let mut body = Block::new();
        self.read_phis(&entry, &mut body);
        self.heads.push(again);
        self.block(code.get(phis.len()..).unwrap_or_default(), &mut body)?;
        let again = self.heads.pop().unwrap_or_default();
        if flow::falls_through(code) {
            self.store_all(&again, &mut body)?;
        }
        self.flush(&mut body);
        self.values = values;
        self.holds.clear();
        block.push(Statement::Loop { body, continuing: Block::new(), break_if: None }, Span::UNDEFINED);
        Ok(())
    }

    fn switch(&mut self, inst: &Inst, block: &mut Block) -> Result<(), Error> {
        let selector = inst.inputs.first().copied().unwrap_or_default();
        let scalar = self.scalar(selector);
        let selector = self.value(selector, block)?;
        self.flush(block);
        // naga's GLSL makes a loop of a switch of one block, out of which not every CONTINUE finds its way.
        let alone = inst.immediates.is_empty() && matches!(self.lowering.target, Target::Glsl(_));
        let selector = if alone { self.literal(scalar, 0, block)? } else { selector };
        let values = inst.immediates.iter().map(|&value| match scalar {
            Scalar::Uint => SwitchValue::U32(value),
            _ => SwitchValue::I32(value.cast_signed()),
        });
        let held = self.holds.clone();
        let mut cases = Vec::with_capacity(inst.blocks.len() + 1);
        if alone {
            let value = if scalar == Scalar::Uint { SwitchValue::U32(1) } else { SwitchValue::I32(1) };
            cases.push(SwitchCase { value, body: Block::new(), fall_through: false });
        }
        for (value, code) in values.chain([SwitchValue::Default]).zip(&inst.blocks) {
            let known = self.values.clone();
            self.holds = held.clone();
            let mut body = Block::new();
            self.block(code, &mut body)?;
            self.flush(&mut body);
            self.values = known;
            cases.push(SwitchCase { value, body, fall_through: false });
        }
        self.holds.clear();
        block.push(Statement::Switch { selector, cases }, Span::UNDEFINED);
        Ok(())
    }

    /// The PHIs as they are read from here on.
    fn read_phis(&mut self, stores: &[Store], block: &mut Block) {
        for store in stores {
            let value = self.load(store.variable, block);
            self.define(store.phi, value, block);
            self.holds.insert(store.variable, store.phi);
        }
        self.flush(block);
    }

    /// The variable of a PHI, which several may share.
    fn phi_variable(&mut self, phi: &Inst) -> Result<Handle<LocalVariable>, Error> {
        let shared = self.class_of(phi.output);
        let variable = match self.variables.get(&shared) {
            Some(&variable) => variable,
            None => self.variable(self.ty(phi.output), self.name_of(phi.output))?,
        };
        self.variables.insert(shared, variable);
        Ok(variable)
    }

    /// The PHI that stands for those that share a variable with this one.
    fn class_of(&self, id: Id) -> Id {
        self.shared.get(&id).copied().unwrap_or(id)
    }

    /// Stores values to PHIs' variables, but for what the variables hold already: as they are known to, or because the
    /// value is a PHI that shares the variable.
    fn store_all(&mut self, stores: &[Store], block: &mut Block) -> Result<(), Error> {
        for &Store { phi, variable, value } in stores.iter().filter(|store| store.value.is_some()) {
            let shares = self.shared.contains_key(&value) && self.class_of(value) == self.class_of(phi);
            if self.holds.insert(variable, value) != Some(value) && !shares {
                let value: Value = self.value(value, block)?;
                self.store(variable, value, block);
            }
        }
        Ok(())
    }
}
