//! A function's values by id: their types, and where they are defined.
//!
//! Rule: memory is proportional to the function, whatever its ids are. Ids up to about twice the number of values are in a
//! list; higher ones, which a hostile file could choose to collide, are in a hash map with a random seed.

use std::collections::HashMap;

use crate::{Id, Type};

/// A value of the function. Numbers of instructions and scopes have 32 bits, like the words of a file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Value {
    pub(super) ty: Option<Type>,
    /// The scope that it is defined in.
    pub(super) scope: u32,
    /// The number of the first instruction that may use it: one more than the instruction that defines it; 0 for an input.
    pub(super) visible_from: u32,
}

/// The types of a function's values (see [`types`](super::types)).
#[derive(Clone, Debug, Default)]
pub struct Types {
    low: Vec<Option<Value>>,
    high: HashMap<Id, Value>,
    /// Ids below this are in the list.
    bound: usize,
}

impl Types {
    /// Creates a table for this many values.
    pub(super) fn for_values(count: usize) -> Types {
        Types { bound: count.saturating_mul(2).saturating_add(16), ..Types::default() }
    }

    /// The type of a value; `None` if the function does not define the value or its type is unknown.
    pub fn get(&self, id: Id) -> Option<Type> {
        self.value(id)?.ty
    }

    /// Whether the function defines the value.
    pub fn defines(&self, id: Id) -> bool {
        self.value(id).is_some()
    }

    pub(super) fn value(&self, id: Id) -> Option<Value> {
        match usize::try_from(id.0) {
            Ok(index) if index < self.bound => self.low.get(index).copied().flatten(),
            _ => self.high.get(&id).copied(),
        }
    }

    /// Adds a value, unless its id is already defined. Returns whether it was added.
    pub(super) fn define(&mut self, id: Id, value: Value) -> bool {
        if self.defines(id) {
            return false;
        }
        match usize::try_from(id.0) {
            Ok(index) if index < self.bound => {
                if index >= self.low.len() {
                    self.low.resize(index + 1, None);
                }
                if let Some(place) = self.low.get_mut(index) {
                    *place = Some(value);
                }
            }
            _ => drop(self.high.insert(id, value)),
        }
        true
    }
}
