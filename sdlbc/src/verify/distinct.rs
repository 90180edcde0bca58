//! A set that detects duplicates.

use std::collections::HashSet;
use std::hash::Hash;

use smallvec::SmallVec;

/// A set of values. Real programs add few elements, and a list finds these fastest. Hostile modules add many, so further elements
/// are in a hash set with a random seed.
pub(super) struct Distinct<T> {
    few: SmallVec<[T; 8]>,
    /// The hints of the elements in `few`, by bit.
    hints: u64,
    many: Option<HashSet<T>>,
}

/// The maximum number of elements in the list.
const FEW: usize = 16;

impl<T> Default for Distinct<T> {
    fn default() -> Distinct<T> {
        Distinct { few: SmallVec::new(), hints: 0, many: None }
    }
}

impl<T: Eq + Hash> Distinct<T> {
    /// Adds an element and returns whether it was new. Equal elements must have equal hints, and different elements should have
    /// different hints in most cases.
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

/// The hint of a name. Names of numbered items, such as `vt0` and `vt1`, differ in their last letter.
pub(super) fn hint(name: &str) -> u32 {
    let last = name.as_bytes().last().copied().unwrap_or(0);
    u32::from(last) + 4 * u32::try_from(name.len() % 16).unwrap_or(0)
}
