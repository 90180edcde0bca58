//! The types of a function's values, and their definitions' scopes and numbers, by id.

use crate::{Id, IdMap, Type};

/// A value of the function. Numbers of instructions and scopes have 32 bits, like the words of a file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Value {
    pub(super) ty: Option<Type>,
    /// The scope of the definition.
    pub(super) scope: u32,
    /// The number of the first instruction that may use the value: the number of its definition plus one; 0 for an input.
    pub(super) visible_from: u32,
}

/// The types of a function's values (see [`types`](super::types)).
#[derive(Clone, Debug, Default)]
pub struct Types {
    values: IdMap<Value>,
}

impl Types {
    /// An empty table with memory for this many values.
    pub(super) fn for_values(count: usize) -> Types {
        Types { values: IdMap::with_room_for(count) }
    }

    /// The types of the values 1, 2 and so on of a function whose ids are in reading order.
    pub fn in_order(types: &[Option<Type>]) -> Types {
        let mut table = Types::for_values(types.len());
        for (&ty, id) in types.iter().zip(1..) {
            table.define(Id(id), Value { ty, scope: 0, visible_from: 0 });
        }
        table
    }

    /// The type of a value; `None` if the function does not define the value or its type is unknown.
    #[inline]
    pub fn get(&self, id: Id) -> Option<Type> {
        self.value(id)?.ty
    }

    /// Whether the function defines the value.
    pub fn defines(&self, id: Id) -> bool {
        self.values.contains(id)
    }

    /// An empty table for the function's values.
    pub fn table<T>(&self) -> IdMap<T> {
        self.values.with_the_ids()
    }

    #[inline]
    pub(super) fn value(&self, id: Id) -> Option<&Value> {
        self.values.get(id)
    }

    /// Adds a value, unless its id is already defined. Returns whether it was added.
    #[inline]
    pub(super) fn define(&mut self, id: Id, value: Value) -> bool {
        self.values.insert_new(id, value)
    }
}

/// Whether the scope of a value is open. `open` has an entry for each scope.
#[inline]
pub(super) fn is_visible(open: &[bool], value: &Value) -> bool {
    open.get(value.scope as usize) == Some(&true)
}
