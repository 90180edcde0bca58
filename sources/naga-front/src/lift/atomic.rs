//! Atomic operations on storage buffers and workgroup variables.
//!
//! `atomicSub` becomes an addition of the negated value. The flag of `atomicCompareExchangeWeak` is computed from the value before
//! the operation, because the format's compare-exchange fails only if that value differs from the comparator.

use naga::{AtomicFunction, Expression, Handle};
use sdlbc::front::RefusalKind;
use sdlbc::lifting::Value;
use sdlbc::{Few, Id, Op};

use super::Lifter;

impl Lifter<'_, '_> {
    pub(super) fn atomic(
        &mut self,
        pointer: Handle<Expression>,
        fun: AtomicFunction,
        value: Handle<Expression>,
        result: Option<Handle<Expression>>,
    ) {
        self.set_line(self.span(value));
        let operand = self.one(value);
        let (op, values) = self.operation_of(fun, operand);
        let place = self.place(pointer);
        let before = self.element_at(&place).and_then(|at| self.lifting.atomic(op, at, &values));
        let Some(before) = before else {
            let name = "atomic operations on this type".to_string();
            self.shared.refuse(RefusalKind::Operation { name }, self.span(value));
            result.into_iter().for_each(|result| self.set_value(result, Value::One(operand)));
            return;
        };
        let Some(result) = result else { return };
        let value = match (op, values.first()) {
            (Op::AtomicCompareExchange, Some(&comparator)) => {
                let exchanged = self.lifting.builder.equal(before, comparator);
                Value::Many(vec![Value::One(before), Value::One(exchanged)])
            }
            _ => Value::One(before),
        };
        self.set_value(result, value);
    }

    /// Returns the format's operation and its values.
    fn operation_of(&mut self, fun: AtomicFunction, value: Id) -> (Op, Few<Id>) {
        let op = match fun {
            AtomicFunction::Add => Op::AtomicAdd,
            AtomicFunction::Subtract => {
                let zero = self.lifting.zero(self.lifting.ty(value));
                let negated = self.lifting.builder.subtract(zero, value);
                return (Op::AtomicAdd, [negated].into_iter().collect());
            }
            AtomicFunction::And => Op::AtomicAnd,
            AtomicFunction::ExclusiveOr => Op::AtomicXor,
            AtomicFunction::InclusiveOr => Op::AtomicOr,
            AtomicFunction::Min => Op::AtomicMin,
            AtomicFunction::Max => Op::AtomicMax,
            AtomicFunction::Exchange { compare: None } => Op::AtomicExchange,
            AtomicFunction::Exchange { compare: Some(comparator) } => {
                let comparator = self.one(comparator);
                return (Op::AtomicCompareExchange, [comparator, value].into_iter().collect());
            }
        };
        (op, [value].into_iter().collect())
    }
}
