//! Splits arrays of uniforms into their members.

use std::collections::HashMap;

use sdlbc::Id;

/// Where the members of arrays lie, by the function and the id of the input that stands for each.
#[derive(Debug, Default)]
pub(crate) struct Members {
    parts: HashMap<(usize, Id), Place>,
}

/// Where a member lies.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    /// The id of the array.
    pub(crate) array: Id,
    /// The array's name.
    pub(crate) name: String,
    /// The number of the array's elements.
    pub(crate) length: u32,
    /// The member's offset in the array in bytes.
    pub(crate) offset: u32,
}

impl Members {
    /// Returns the place of a member, by its function and id.
    pub(crate) fn get(&self, function: usize, id: Id) -> Option<&Place> {
        self.parts.get(&(function, id))
    }
}
