//! A set that finds what is in it twice.

use std::collections::HashSet;
use std::hash::Hash;

use smallvec::SmallVec;

/// A set. What a real program has is few, and is found fastest in a list; a hostile one has a hash set with a random seed.
pub(super) struct Distinct<T> {
    few: SmallVec<[T; 8]>,
    many: Option<HashSet<T>>,
}

/// How many are in a list at most.
const FEW: usize = 16;

impl<T> Default for Distinct<T> {
    fn default() -> Distinct<T> {
        Distinct { few: SmallVec::new(), many: None }
    }
}

impl<T: Eq + Hash> Distinct<T> {
    /// Adds one; returns whether it was not there.
    pub(super) fn insert(&mut self, one: T) -> bool {
        if self.few.contains(&one) {
            return false;
        }
        if self.few.len() < FEW {
            self.few.push(one);
            return true;
        }
        self.many.get_or_insert_default().insert(one)
    }
}
