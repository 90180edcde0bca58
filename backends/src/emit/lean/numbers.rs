//! Value numbering: finds an instruction that has computed the same.
//!
//! A hash table whose entries are taken out in the opposite order, when the blocks that they dominate have ended. Each list of
//! equal hashes runs through a vector by instruction, so that an entry costs no allocation.

use rspirv::spirv::Op;

use super::code::{Code, NONE};

#[derive(Debug)]
pub(super) struct Numbers {
    /// By hash: the instruction that was added last.
    heads: Vec<u32>,
    /// By instruction: the one with the same hash that was added before it.
    before: Vec<u32>,
    /// The hashes of what was added.
    added: Vec<u32>,
}

impl Numbers {
    pub(super) fn new(instructions: usize) -> Numbers {
        let size = instructions.next_power_of_two().max(16);
        Numbers { heads: vec![NONE; size], before: vec![NONE; instructions], added: Vec::new() }
    }

    /// Returns the instruction that computes the same as this one, or adds this one.
    pub(super) fn find(&mut self, code: &Code, index: usize) -> Option<usize> {
        let (ty, operands) = (code.ty(index), code.operands(index));
        let hash = self.hash(code.insts[index].op as u32, ty, operands);
        if let Some(same) = self.look(code, hash, code.insts[index].op, ty, operands) {
            return Some(same);
        }
        if index >= self.before.len() {
            self.before.resize(index + 1, NONE);
        }
        self.before[index] = std::mem::replace(&mut self.heads[hash], index as u32);
        self.added.push(hash as u32);
        None
    }

    /// How much was added.
    pub(super) fn len(&self) -> usize {
        self.added.len()
    }

    /// Takes out what was added since there were `len` entries.
    pub(super) fn truncate(&mut self, len: usize) {
        for hash in self.added.drain(len..).rev() {
            let head = &mut self.heads[hash as usize];
            *head = self.before[*head as usize];
        }
    }

    fn look(&self, code: &Code, hash: usize, op: Op, ty: u32, operands: &[u32]) -> Option<usize> {
        let mut at = self.heads[hash];
        while at != NONE {
            let index = at as usize;
            if code.insts[index].op == op && code.ty(index) == ty && code.operands(index) == operands {
                return Some(index);
            }
            at = self.before[index];
        }
        None
    }

    fn hash(&self, op: u32, ty: u32, operands: &[u32]) -> usize {
        let mix = |hash: u32, &word: &u32| (hash.rotate_left(5) ^ word).wrapping_mul(0x9e37_79b9);
        let hash = operands.iter().fold(mix(op, &ty), mix);
        (hash ^ hash >> 15) as usize & (self.heads.len() - 1)
    }
}
