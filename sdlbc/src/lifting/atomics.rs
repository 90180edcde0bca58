//! Atomic operations on storage buffers, and on variables that are stored in shared arrays.

use super::variables::{Slots, Variable};
use super::{Lifting, Step};
use crate::{Id, Op, Scalar, Type};

/// The element of memory that an atomic operation changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryElement {
    /// The storage buffer or the shared array.
    pub memory: Id,
    /// The index that the code computes, if any.
    pub index: Option<Id>,
    /// The constant that is added to the index.
    pub offset: u32,
}

impl Lifting {
    /// Returns the scalar that `steps` selects in a variable that is stored in shared arrays, or `None` if the variable is stored
    /// elsewhere or the steps select no scalar.
    pub fn shared_element(&mut self, variable: usize, steps: &[Step]) -> Option<MemoryElement> {
        match self.variables.get(variable).cloned()? {
            Variable::Slots(slots) => self.slot_element(&slots, steps),
            _ => None,
        }
    }

    /// Returns the scalar that `steps` selects in slots, or `None` if the steps select no scalar.
    pub fn slot_element(&mut self, slots: &Slots, steps: &[Step]) -> Option<MemoryElement> {
        match self.walk(slots, steps) {
            (&Slots::Leaf { slot, columns: 1, matrix: false }, index, offset, []) => {
                Some(MemoryElement { memory: slot, index, offset })
            }
            _ => None,
        }
    }

    /// Emits an atomic operation, and returns the element's value before the operation, in the type of the operands `values`.
    /// Returns `None` if the memory cannot be changed atomically, because its elements are not single ints or uints.
    pub fn atomic(&mut self, op: Op, at: MemoryElement, values: &[Id]) -> Option<Id> {
        let own = self.scalar_of(*values.first()?);
        let (Type::Array(scalar, 1, _) | Type::Buffer(scalar, 1)) = self.ty(at.memory) else { return None };
        let compares = matches!(op, Op::AtomicMin | Op::AtomicMax);
        if !matches!(scalar, Scalar::Int | Scalar::Uint) {
            return None;
        }
        if compares && scalar != own {
            let op = if op == Op::AtomicMin { Op::Min } else { Op::Max };
            return Some(self.extreme(op, at, *values.first()?));
        }
        let mut inputs = vec![at.memory, at.index.unwrap_or(Id::NONE)];
        for &value in values {
            inputs.push(self.bits_as(value, scalar));
        }
        let before = self.builder.emit(op, &inputs, &[at.offset]);
        Some(self.bits_as(before, own))
    }

    /// Emits a minimum or maximum that compares the elements as numbers of the operand's type, in a loop that repeats a
    /// compare-exchange until no other invocation has changed the element. Returns the element's value before the operation.
    fn extreme(&mut self, op: Op, MemoryElement { memory, index, offset }: MemoryElement, value: Id) -> Id {
        let own = self.scalar_of(value);
        let index_id = index.unwrap_or(Id::NONE);
        let first = self.builder.peek(memory, index, offset);
        let scalar = self.scalar_of(first);
        let slot = self.slot("extreme", Type::Array(scalar, 1, 1));
        self.builder.open();
        let expected = self.builder.begin_phi(first);
        let number = self.convert(expected, own);
        let chosen = self.builder.emit(op, &[number, value], &[]);
        let chosen = self.convert(chosen, scalar);
        let exchanged = [memory, index_id, expected, chosen];
        let before = self.builder.emit(Op::AtomicCompareExchange, &exchanged, &[offset]);
        self.builder.poke_element(before, slot, None, 0);
        let is_done = self.builder.equal(before, expected);
        self.builder.open();
        self.builder.break_out();
        let accept = self.builder.close();
        self.builder.open();
        let reject = self.builder.close();
        self.builder.branch(is_done, accept, reject);
        self.builder.end_phi(expected, before);
        let body = self.builder.close();
        self.builder.repeat(body);
        let before = self.builder.peek(slot, None, 0);
        self.convert(before, own)
    }
}
