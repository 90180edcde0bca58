//! A set that detects duplicates.

use std::collections::HashSet;
use std::hash::Hash;

use smallvec::SmallVec;

/// A set that keeps its first elements in a list, because a list is fastest for the few elements of a typical module. Further
/// elements, which a hostile module may add in great numbers, are kept in a hash set with a random seed.
pub(super) struct Distinct<T> {
    few: SmallVec<[T; 8]>,
    /// A bit set of the elements' hints modulo 64.
    hints: u64,
    many: Option<HashSet<T>>,
}

const FEW: usize = 16;

impl<T> Default for Distinct<T> {
    fn default() -> Distinct<T> {
        Distinct { few: SmallVec::new(), hints: 0, many: None }
    }
}

impl<T: Eq + Hash> Distinct<T> {
    /// Adds an element, and reports whether the element is new. Equal elements must have equal hints, and different elements
    /// should usually have different hints.
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

/// Returns the hint of a name. The hint depends on the last character, because numbered names such as `vt0` and `vt1` differ only
/// in that character.
pub(super) fn hint(name: &str) -> u32 {
    let last = name.as_bytes().last().copied().unwrap_or(0);
    u32::from(last) + 4 * u32::try_from(name.len() % 16).unwrap_or(0)
}
