//! The type, scope and definition of each value of a function, indexed by id.

use crate::{Id, IdMap, Type};

/// A value of a function. Instruction indices and scopes have 32 bits, like the words of a file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Value {
    pub(super) ty: Option<Type>,
    pub(super) scope: u32,
    /// The index of the first instruction that may use the value: one more than the index of the value's definition, or 0 for an
    /// input.
    pub(super) visible_from: u32,
}

/// The types of a function's values, as returned by [`types`](super::types).
#[derive(Clone, Debug, Default)]
pub struct Types {
    values: IdMap<Value>,
}

impl Types {
    pub(super) fn for_values(count: usize) -> Types {
        Types { values: IdMap::with_room_for(count) }
    }

    /// Creates the table of a function whose values have the ids 1, 2 and so on, in reading order.
    pub fn in_order(types: &[Option<Type>]) -> Types {
        let mut table = Types::for_values(types.len());
        for (&ty, id) in types.iter().zip(1..) {
            table.define(Id(id), Value { ty, scope: 0, visible_from: 0 });
        }
        table
    }

    /// Returns the type of a value, or `None` if the function does not define the value or its type is unknown.
    #[inline]
    pub fn get(&self, id: Id) -> Option<Type> {
        self.value(id)?.ty
    }

    /// Reports whether the function defines a value with this id.
    pub fn defines(&self, id: Id) -> bool {
        self.values.contains(id)
    }

    /// Creates an empty table that can store a `T` for each value of the function.
    pub fn table<T>(&self) -> IdMap<T> {
        self.values.with_the_ids()
    }

    #[inline]
    pub(super) fn value(&self, id: Id) -> Option<&Value> {
        self.values.get(id)
    }

    /// Adds a value unless its id is already defined, and reports whether the value was added.
    #[inline]
    pub(super) fn define(&mut self, id: Id, value: Value) -> bool {
        self.values.insert_new(id, value)
    }
}

/// Reports whether the scope of a value is open. `open` contains a flag for each scope.
#[inline]
pub(super) fn is_visible(open: &[bool], value: &Value) -> bool {
    open.get(value.scope as usize) == Some(&true)
}
