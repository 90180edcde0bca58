//! Value numbering: finds an earlier instruction that computes the same value.
//!
//! [`ValueNumbers`] is a hash table of instructions. Entries are removed in reverse order of insertion, as soon as the blocks
//! that their instructions dominate have ended. The entries of a bucket are a linked list, so entries need no separate
//! allocations.
//!
//! Upstream fault `repeated_chains`: `BlockContext::write_access_chain` in `back/spv/block.rs` writes the address of an element
//! again for each expression that accesses the element, and a load for each `Expression::Load`. gfx-rs/wgpu#9084 describes the
//! loads and stores that naga adds.

use super::code::{Code, NONE};

#[derive(Clone, Copy, Debug)]
struct Entry {
    index: u32,
    hash: u32,
    /// The index of the previous entry in the same bucket.
    before: u32,
}

#[derive(Debug)]
pub(super) struct ValueNumbers {
    /// The index of each bucket's last entry.
    heads: Vec<u32>,
    entries: Vec<Entry>,
}

impl ValueNumbers {
    pub(super) fn new(count: usize) -> ValueNumbers {
        ValueNumbers { heads: vec![NONE; count.next_power_of_two()], entries: Vec::with_capacity(count) }
    }

    /// Returns an earlier instruction that computes the same value as the instruction at `index`. If there is no earlier
    /// instruction, adds the instruction at `index` to the table.
    #[inline(always)]
    pub(super) fn find(&mut self, code: &Code, index: usize) -> Option<usize> {
        let inst = code.insts[index];
        let (op, ty, operands) = match &code.words[inst.range()] {
            [_, ty, _, operands @ ..] if inst.first == 3 => (inst.op, *ty, operands),
            [_, _, operands @ ..] => (inst.op, 0, operands),
            _ => return None,
        };
        let mix = |hash: u32, word: u32| (hash.rotate_left(5) ^ word).wrapping_mul(0x9e37_79b9);
        let hash = mix(op as u32, ty);
        let hash = match *operands {
            // Most instructions have one to three operands, and a loop over the operands would cost as much as the hashing
            // itself.
            [a] => mix(hash, a),
            [a, b] => mix(mix(hash, a), b),
            [a, b, c] => mix(mix(mix(hash, a), b), c),
            _ => operands.iter().fold(hash, |hash, &word| mix(hash, word)),
        };
        let hash = hash ^ hash >> 15;
        let mask = self.heads.len() - 1;
        let head = self.heads.get_mut(hash as usize & mask)?;
        let mut at = *head;
        while let Some(entry) = self.entries.get(at as usize) {
            let same = entry.index as usize;
            if entry.hash == hash && code.insts[same].op == op && code.ty(same) == ty && code.operands(same) == operands
            {
                return Some(same);
            }
            at = entry.before;
        }
        let before = std::mem::replace(head, self.entries.len() as u32);
        self.entries.push(Entry { index: index as u32, hash, before });
        None
    }

    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Removes all entries except the first `len`.
    pub(super) fn truncate(&mut self, len: usize) {
        let mask = self.heads.len() - 1;
        for entry in self.entries.drain(len..).rev() {
            self.heads[entry.hash as usize & mask] = entry.before;
        }
    }
}
