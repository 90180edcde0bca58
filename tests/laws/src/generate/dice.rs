//! Random choices, derived from bytes.
//!
//! Rule: when the bytes run out, every choice selects its first alternative and every random condition is false, so the module is
//! soon complete.

use arbitrary::Unstructured;

pub(super) struct Dice<'u, 'd>(&'u mut Unstructured<'d>);

impl<'u, 'd> Dice<'u, 'd> {
    pub(super) fn new(bytes: &'u mut Unstructured<'d>) -> Dice<'u, 'd> {
        Dice(bytes)
    }

    /// Reports whether the bytes have run out.
    pub(super) fn done(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns a number below the bound, or 0 if the bound is 0.
    pub(super) fn below(&mut self, bound: usize) -> usize {
        if bound < 2 { 0 } else { self.0.int_in_range(0..=bound - 1).unwrap_or(0) }
    }

    pub(super) fn small(&mut self, bound: u8) -> u8 {
        self.below(usize::from(bound)).try_into().unwrap_or(0)
    }

    /// Returns true one time in `times`.
    pub(super) fn one_in(&mut self, times: usize) -> bool {
        self.below(times) + 1 == times
    }

    /// Returns true `percent` times in a hundred.
    pub(super) fn percent(&mut self, percent: usize) -> bool {
        self.below(100) + percent >= 100
    }

    /// Returns an item of a list, which must not be empty.
    pub(super) fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }

    pub(super) fn word(&mut self) -> u32 {
        self.0.arbitrary().unwrap_or(0)
    }

    pub(super) fn shuffle<T>(&mut self, list: &mut [T]) {
        for last in (1..list.len()).rev() {
            let other = last - self.below(last + 1);
            list.swap(last, other);
        }
    }
}
