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
    /// Returns `None` if the memory cannot be changed atomically: its elements are not single ints or uints, or a minimum or
    /// maximum compares them as numbers of the other type.
    pub fn atomic(&mut self, op: Op, at: MemoryElement, values: &[Id]) -> Option<Id> {
        let own = self.scalar_of(*values.first()?);
        let (Type::Array(scalar, 1, _) | Type::Buffer(scalar, 1)) = self.ty(at.memory) else { return None };
        let compares = matches!(op, Op::AtomicMin | Op::AtomicMax);
        if !matches!(scalar, Scalar::Int | Scalar::Uint) || compares && scalar != own {
            return None;
        }
        let mut inputs = vec![at.memory, at.index.unwrap_or(Id::NONE)];
        for &value in values {
            inputs.push(self.bits_as(value, scalar));
        }
        let before = self.builder.emit(op, &inputs, &[at.offset]);
        Some(self.bits_as(before, own))
    }
}
