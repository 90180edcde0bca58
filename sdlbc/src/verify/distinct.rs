//! A set that finds what is in it twice.

use std::collections::HashSet;
use std::hash::Hash;

use smallvec::SmallVec;

/// A set. What a real program has is few, and is found fastest in a list; a hostile one has a hash set with a random seed.
pub(super) struct Distinct<T> {
    few: SmallVec<[T; 8]>,
    /// The hints of those, by bit.
    hints: u64,
    many: Option<HashSet<T>>,
}

/// How many are in a list at most.
const FEW: usize = 16;

impl<T> Default for Distinct<T> {
    fn default() -> Distinct<T> {
        Distinct { few: SmallVec::new(), hints: 0, many: None }
    }
}

impl<T: Eq + Hash> Distinct<T> {
    /// Adds one; returns whether it was not there. The same ones have the same hint, and different ones have different hints in
    /// most cases.
    pub(super) fn insert(&mut self, one: T, hint: u32) -> bool {
        let hint = 1 << (hint % u64::BITS);
        if self.hints & hint != 0 && self.few.contains(&one) {
            return false;
        }
        self.hints |= hint;
        if self.few.len() < FEW {
            self.few.push(one);
            return true;
        }
        self.many.get_or_insert_default().insert(one)
    }
}

/// The hint of a name: names of numbered things differ in their last letter.
pub(super) fn hint(name: &str) -> u32 {
    let last = name.as_bytes().last().copied().unwrap_or(0);
    u32::from(last) + 4 * u32::try_from(name.len() % 16).unwrap_or(0)
}
