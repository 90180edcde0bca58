//! A function's values by id: their types, and where they are defined.
//!
//! Rule: memory is in proportion to the function, whatever its ids are. Ids that are not far above the number of
//! values there can be stand in a list; others, which a hostile file may choose to collide, in a hash map with a seed.

use std::collections::HashMap;

use crate::{Id, Type};

/// A value as the walk of the code knows it. Instructions and scopes are counted in 32 bits, as a file's words are.
#[derive(Clone, Copy, Debug)]
pub(super) struct Value {
    pub(super) ty: Option<Type>,
    /// The scope that it is defined in.
    pub(super) scope: u32,
    /// The instruction that defines it, plus one; an input has 0.
    pub(super) behind: u32,
}

/// The types of a function's values (see [`types`](super::types)).
#[derive(Clone, Debug, Default)]
pub struct Types {
    low: Vec<Option<Value>>,
    high: HashMap<Id, Value>,
    /// Ids below this stand in the list.
    bound: usize,
}

impl Types {
    /// For so many values.
    pub(super) fn for_values(count: usize) -> Types {
        Types { bound: count.saturating_mul(2).saturating_add(16), ..Types::default() }
    }

    /// The type of a value: `None` when the function does not define it or its type cannot be told.
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

    /// Adds a value if there is none of its id; says whether there was none.
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
