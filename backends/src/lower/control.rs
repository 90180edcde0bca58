//! Control flow: IFs, and PHIs as choices or as variables.
//!
//! A PHI whose IF only chooses becomes a `select`. The others become variables that the arms store to, shared as
//! `share.rs` says; what a variable holds already is not stored again.

use naga::{BinaryOperator, Block, Expression, Handle, Literal, LocalVariable, Span, Statement, UnaryOperator};
use sdlbc::{Inst, Op, Type};

use super::function::{Lower, Value};
use crate::Error;
use crate::plan::phis_behind;

impl Lower<'_> {
    pub(super) fn variable(&mut self, ty: Type, name: &str) -> Result<Handle<LocalVariable>, Error> {
        let ty = self.lowering.ty(ty)?;
        let name = Some(self.scope.unique(name));
        Ok(self.code.local_variables.append(LocalVariable { name, ty, init: None }, Span::UNDEFINED))
    }

    pub(super) fn store(&mut self, variable: Handle<LocalVariable>, value: Value, block: &mut Block) {
        let pointer = self.fixed(Expression::LocalVariable(variable), block);
        self.flush(block);
        block.push(Statement::Store { pointer, value }, Span::UNDEFINED);
    }

    pub(super) fn block(&mut self, code: &sdlbc::Block, block: &mut Block) -> Result<(), Error> {
        let mut at = 0;
        while let Some(inst) = code.get(at) {
            if inst.op == Op::If {
                let phis = phis_behind(code, at);
                self.branch(inst, phis, block)?;
                at += phis.len();
            } else {
                self.inst(inst, block)?;
            }
            at += 1;
        }
        Ok(())
    }

    fn branch(&mut self, inst: &Inst, phis: &[Inst], block: &mut Block) -> Result<(), Error> {
        let [accept, reject] = &inst.blocks[..] else { return self.lowering.unsupported("an IF without two blocks") };
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
        let variables = self.phi_variables(phis)?;
        self.flush(block);
        // Where the second block does nothing, its values are stored in front, and there is no `else`.
        let early = reject.is_empty();
        if early {
            self.store_phis(phis, &variables, 1, block)?;
        }
        let held = self.holds.clone();
        let mut after = held.clone();
        let mut arms = [accept, reject].map(|_| Block::new());
        for (which, (code, arm)) in [accept, reject].into_iter().zip(&mut arms).enumerate() {
            if early && which == 1 {
                continue;
            }
            let values = self.values.clone();
            self.block(code, arm)?;
            self.store_phis(phis, &variables, which, arm)?;
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
        for (phi, &variable) in phis.iter().zip(&variables) {
            let pointer = self.fixed(Expression::LocalVariable(variable), block);
            let value = self.compute(Expression::Load { pointer });
            self.values.insert(phi.output, value);
            self.holds.insert(variable, phi.output);
        }
        self.flush(block);
        Ok(())
    }

    /// A variable for each PHI, which several may share.
    fn phi_variables(&mut self, phis: &[Inst]) -> Result<Vec<Handle<LocalVariable>>, Error> {
        let mut variables = Vec::with_capacity(phis.len());
        for phi in phis {
            let shared = self.shared.get(&phi.output).copied().unwrap_or(phi.output);
            let variable = match self.variables.get(&shared) {
                Some(&variable) => variable,
                None => self.variable(self.ty(phi.output), self.name_of(phi.output))?,
            };
            self.variables.insert(shared, variable);
            variables.push(variable);
        }
        Ok(variables)
    }

    /// Stores the PHIs' operands of an arm, but for what their variables hold already.
    fn store_phis(
        &mut self,
        phis: &[Inst],
        variables: &[Handle<LocalVariable>],
        which: usize,
        block: &mut Block,
    ) -> Result<(), Error> {
        for (phi, &variable) in phis.iter().zip(variables) {
            let input = phi.inputs.get(which).copied().unwrap_or_default();
            if self.holds.insert(variable, input) != Some(input) {
                let value = self.value(input, block)?;
                self.store(variable, value, block);
            }
        }
        Ok(())
    }
}
