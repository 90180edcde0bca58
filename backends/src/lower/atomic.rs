//! Lowers atomic operations on storage buffers and shared arrays.
//!
//! Every PEEK of the same memory becomes an atomic load, and every POKE an atomic store, because the elements have an atomic type
//! (`atomics.rs`). WGSL's compare-exchange may fail although the element equals the comparator, so the operation is repeated until
//! it succeeds or the element differs.

use naga::{AtomicFunction, BinaryOperator, Block, Expression, Handle, PredeclaredType, Span, Statement, TypeInner};
use sdlbc::{Few, Inst};

use super::function::{Lower, mismatch};
use super::lowering::LoweredInput;
use super::state::Value;
use crate::error::Error;

/// The operands of an atomic operation.
struct Operands {
    pointer: Value,
    /// The value, or the comparator and the new value.
    values: Few<Value>,
}

impl Lower<'_, '_> {
    /// Lowers an atomic operation that always writes the element.
    #[cold]
    pub(super) fn atomic(&mut self, inst: &Inst, fun: AtomicFunction, block: &mut Block) -> Result<(), Error> {
        let Operands { pointer, values } = self.atomic_operands(inst, block)?;
        let &[value] = &values[..] else { return Err(mismatch(inst)) };
        let is_used = self.is_used(inst);
        if !is_used && matches!(fun, AtomicFunction::Exchange { .. }) {
            block.push(Statement::Store { pointer, value }, Span::UNDEFINED);
            return Ok(());
        }
        let ty = self.lowering.ty(self.ty(inst.output))?;
        let result = is_used.then(|| self.fixed(Expression::AtomicResult { ty, comparison: false }, block));
        block.push(Statement::Atomic { pointer, fun, value, result }, self.location);
        if let Some(result) = result {
            self.name_result(inst, result);
            self.trace_definition(inst.output, result);
            self.values.define(inst.output, result);
        }
        Ok(())
    }

    #[cold]
    pub(super) fn compare_exchange(&mut self, inst: &Inst, block: &mut Block) -> Result<(), Error> {
        let Operands { pointer, values } = self.atomic_operands(inst, block)?;
        let &[comparator, value] = &values[..] else { return Err(mismatch(inst)) };
        let scalar = self.lowering.ty(self.ty(inst.output))?;
        let TypeInner::Scalar(scalar) = self.lowering.module.types[scalar].inner else {
            return Err(mismatch(inst));
        };
        let result = PredeclaredType::AtomicCompareExchangeWeakResult(scalar);
        let ty = self.lowering.module.generate_predeclared_type(result);
        let fun = AtomicFunction::Exchange { compare: Some(comparator) };
        let statement = |result| Statement::Atomic { pointer, fun, value, result: Some(result) };
        let result = self.fixed(Expression::AtomicResult { ty, comparison: true }, block);
        self.name_result(inst, result);
        let before = match self.lowering.features.weak_exchanges {
            false => {
                block.push(statement(result), self.location);
                let before = self.compute(Expression::AccessIndex { base: result, index: 0 });
                self.flush(block);
                before
            }
            true => self.repeated(inst, (statement(result), result, comparator), block)?,
        };
        self.trace_definition(inst.output, before);
        self.values.define(inst.output, before);
        Ok(())
    }

    /// Repeats a compare-exchange that may fail although the element equals the comparator, and returns the element's value
    /// before the last attempt.
    fn repeated(
        &mut self,
        inst: &Inst,
        (statement, result, comparator): (Statement, Value, Value),
        block: &mut Block,
    ) -> Result<Value, Error> {
        let variable = self.variable(self.ty(inst.output), self.name_of(inst.output))?;
        let pointer = self.pointer(variable, block);
        let mut body = Block::new();
        body.push(statement, self.location);
        let before = self.compute(Expression::AccessIndex { base: result, index: 0 });
        self.store(variable, before, &mut body);
        let exchanged = self.compute(Expression::AccessIndex { base: result, index: 1 });
        let differs = self.binary(BinaryOperator::NotEqual, before, comparator);
        let condition = self.binary(BinaryOperator::LogicalOr, exchanged, differs);
        self.flush(&mut body);
        let mut accept = Block::new();
        accept.push(Statement::Break, Span::UNDEFINED);
        body.push(Statement::If { condition, accept, reject: Block::new() }, Span::UNDEFINED);
        let continuing = Block::new();
        block.push(Statement::Loop { body, continuing, break_if: None }, Span::UNDEFINED);
        let before = self.compute(Expression::Load { pointer });
        self.flush(block);
        Ok(before)
    }

    /// Lowers the operands of an atomic operation, and emits them.
    fn atomic_operands(&mut self, inst: &Inst, block: &mut Block) -> Result<Operands, Error> {
        let &[of, index, ref rest @ ..] = &inst.inputs[..] else { return Err(mismatch(inst)) };
        let Some(&LoweredInput::Memory(variable)) = self.lowered_inputs.get(of) else { return Err(mismatch(inst)) };
        let offset = inst.immediates.first().copied().unwrap_or(0).cast_signed();
        self.trace_memory(variable, inst.inputs.get(1..).unwrap_or_default(), rest);
        let mut values = Few::new();
        for &id in rest {
            values.push(self.value(id, block)?);
        }
        let pointer = self.memory(variable, of, index, offset, block)?;
        self.flush(block);
        Ok(Operands { pointer, values })
    }

    /// Names the result of an atomic operation, which always has a name in text because naga represents the operation as a
    /// statement.
    fn name_result(&mut self, inst: &Inst, result: Handle<Expression>) {
        if self.is_text() {
            let name = self.lowering.names.label(self.scope, self.name_of(inst.output));
            self.lowering.names.call_result(self.label, result.index(), &name);
            self.code.named_expressions.insert(result, name);
        }
    }

    /// Reports whether the output needs the result of an instruction. SPIR-V numbers every result.
    fn is_used(&self, inst: &Inst) -> bool {
        inst.output.is_some() && (!self.is_text() || self.plan.is_used(inst.output))
    }
}
