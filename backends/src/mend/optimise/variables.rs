//! Variables of functions become values: each load is replaced by the value that was stored last.
//!
//! naga writes a value that depends on the path through a conditional, or that one iteration of a loop passes to the next, as
//! a variable. A block whose predecessors leave different values in a variable gets an OpPhi. Blocks are visited
//! in order, so the stores of a block's predecessors are known when it begins. The exception is the block that jumps
//! back to a loop's header: the header's OpPhi gets the value from there when the loop has been visited. An OpPhi that
//! turns out to be unneeded, because nothing reads it or its operands are equal, is removed (`jump_back`,
//! [`retain_used`]).
//!
//! Upstream fault `local_variables`: naga's modules have no PHIs, and `BlockContext::write_block` in `back/spv/block.rs` writes
//! each local variable as OpVariable with its loads and stores.

use rspirv::spirv::Op;

use super::blocks::Blocks;
use super::code::{Code, NONE};
use super::declarations::Declarations;

/// The value of a variable that has none yet.
pub(super) const UNDEFINED: u32 = 0;

/// The maximum number of blocks that are examined to find the contents of variables, per block of the module. Only a
/// loop with very many exits exceeds it; the limit avoids quadratic time for such a loop.
const STEPS: usize = 64;

/// Changes of variables: each variable and its value.
type Changes = Vec<(u32, u32)>;

#[derive(Debug, Default)]
pub(super) struct Variables {
    /// By id: the variable.
    of_id: Vec<u32>,
    /// By variable: the type of its values.
    types: Vec<u32>,
    /// By variable: its value at this point.
    values: Vec<u32>,
    /// The variables that were changed on the way to this point, and the previous value of each.
    undo: Changes,
    /// The changes of all blocks, in order.
    changes: Changes,
    /// By block: the start of its changes.
    starts: Vec<usize>,
    /// The stores of all blocks, in order: the block and the variable.
    stores: Vec<(u32, u32)>,
    /// The OpPhis of headers of loops, in order: the header, the variable, and the OpPhi.
    heads: Vec<(usize, u32, usize)>,
    /// By variable: the value of `now` when it was last met.
    met: Vec<u32>,
    now: u32,
    steps: usize,
    /// The OpPhis that were made, and their blocks.
    pub(super) phis: Vec<(usize, usize)>,
    /// Whether instructions that were visited may have ids that were replaced since.
    pub(super) is_stale: bool,
}

impl Variables {
    pub(super) fn new(code: &Code, blocks: &Blocks) -> Variables {
        let mut variables = Variables::default();
        if code.locals.is_empty() {
            return variables;
        }
        // The variables whose address is used only to load from it or to store to it.
        let mut plain = vec![0; code.bound()];
        for (block, at) in (0u32..).zip(&blocks.list) {
            for index in at.label..at.end {
                match (code.insts[index].op, code.operands(index)) {
                    (Op::Load, &[address]) => plain[address as usize] += 1,
                    (Op::Store, &[address, _]) => {
                        plain[address as usize] += 1;
                        variables.stores.push((block, address));
                    }
                    _ => {}
                }
            }
        }
        variables.of_id = vec![NONE; code.bound()];
        for &local in &code.locals {
            let id = code.result(local);
            if plain[id as usize] == code.uses(id)
                && !code.is_decorated(id)
                && let Some(pointer) = code.def_as(code.ty(local), Op::TypePointer)
            {
                variables.of_id[id as usize] = variables.types.len() as u32;
                variables.types.push(code.operand(pointer, 1));
                variables.values.push(code.operand(local, 1));
            }
        }
        let of_id = &variables.of_id;
        variables.stores.retain_mut(|store| {
            store.1 = of_id[store.1 as usize];
            store.1 != NONE
        });
        variables.met = vec![0; variables.types.len()];
        variables
    }

    fn variable(&self, id: u32) -> Option<u32> {
        self.of_id.get(id as usize).copied().filter(|&variable| variable != NONE)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.types.is_empty()
    }

    /// The number of changes that can be undone.
    pub(super) fn len(&self) -> usize {
        self.undo.len()
    }

    /// Undoes all changes since there were `len`.
    pub(super) fn truncate(&mut self, len: usize) {
        for (variable, value) in self.undo.drain(len..).rev() {
            self.values[variable as usize] = value;
        }
    }

    fn set(&mut self, variable: u32, value: u32) {
        let before = std::mem::replace(&mut self.values[variable as usize], value);
        self.undo.push((variable, before));
        self.changes.push((variable, value));
    }

    /// Whether a variable is met for the first time since `now` was raised.
    fn meet(&mut self, variable: u32) -> bool {
        std::mem::replace(&mut self.met[variable as usize], self.now) != self.now
    }

    /// Begins a block. The values are those at the end of its parent.
    pub(super) fn enter(&mut self, code: &mut Code, blocks: &Blocks, block: usize) -> Option<()> {
        if self.types.is_empty() {
            return Some(());
        }
        self.starts.push(self.changes.len());
        let at = blocks.list[block];
        if !matches!(blocks.predecessors(block), &[only] if only == at.parent) {
            self.merge(code, blocks, block)?;
        }
        if let Some((after, back)) = at.repeated.filter(|&(_, back)| back != NONE) {
            let before = blocks.predecessors(block).first().copied()?;
            let labels = [before, back].map(|from| blocks.label(code, from as usize));
            self.now += 1;
            let first = self.stores.partition_point(|store| (store.0 as usize) < block);
            for at in first..self.stores.len() {
                let (from, variable) = self.stores[at];
                if from >= after {
                    break;
                }
                if self.meet(variable) {
                    let value = self.values[variable as usize];
                    let index = self.phi(code, block, variable, &[value, labels[0], UNDEFINED, labels[1]])?;
                    self.heads.push((block, variable, index));
                }
            }
        }
        Some(())
    }

    /// Adds an OpPhi, whose result becomes the variable's value.
    fn phi(&mut self, code: &mut Code, block: usize, variable: u32, operands: &[u32]) -> Option<usize> {
        let (index, id) = code.add(Op::Phi, self.types[variable as usize], operands)?;
        self.phis.push((block, index));
        self.set(variable, id);
        Some(index)
    }

    /// Merges the changes that the predecessors of a block have made since the block's parent.
    fn merge(&mut self, code: &mut Code, blocks: &Blocks, block: usize) -> Option<()> {
        let (predecessors, parent) = (blocks.predecessors(block), blocks.list[block].parent);
        // The variable, the predecessor, and the value at the predecessor's end.
        let mut changed: Vec<(u32, usize, u32)> = Vec::new();
        for (number, &predecessor) in predecessors.iter().enumerate() {
            self.now += 1;
            let mut from = predecessor;
            while from != parent {
                self.steps += 1;
                if self.steps > STEPS * blocks.list.len() {
                    return None;
                }
                let end = self.starts.get(from as usize + 1).copied()?;
                for at in (self.starts[from as usize]..end).rev() {
                    let (variable, value) = self.changes[at];
                    if self.meet(variable) {
                        changed.push((variable, number, value));
                    }
                }
                from = blocks.list[from as usize].parent;
            }
        }
        changed.sort_unstable();
        for changes in changed.chunk_by(|a, b| a.0 == b.0) {
            let variable = changes[0].0;
            let mut operands = Vec::with_capacity(2 * predecessors.len());
            let mut changes = changes.iter().peekable();
            for (number, &from) in predecessors.iter().enumerate() {
                let change = changes.next_if(|change| change.1 == number);
                let value = change.map_or(self.values[variable as usize], |change| change.2);
                operands.extend([value, blocks.label(code, from as usize)]);
            }
            let first = operands[0];
            if operands.iter().step_by(2).all(|&value| value == first) {
                self.set(variable, first);
            } else {
                self.phi(code, block, variable, &operands)?;
            }
        }
        Some(())
    }

    /// Replaces a load of a variable, or removes a store to it or its declaration. Returns whether the instruction was one of
    /// these.
    pub(super) fn visit(&mut self, code: &mut Code, index: usize) -> bool {
        match code.insts[index].op {
            Op::Load => {
                let Some(variable) = self.variable(code.operand(index, 0)) else { return false };
                match self.values[variable as usize] {
                    UNDEFINED => code.rewrite(index, Op::Undef, code.ty(index), &[]),
                    value => code.replace(index, value),
                }
            }
            Op::Store => {
                let Some(variable) = self.variable(code.operand(index, 0)) else { return false };
                self.set(variable, code.resolve(code.operand(index, 1)));
                code.remove(index);
            }
            Op::Variable if self.variable(code.result(index)).is_some() => code.remove(index),
            _ => return false,
        }
        true
    }

    /// Completes the OpPhis of a loop, at the end of the block that jumps back to its header.
    pub(super) fn jump_back(&mut self, code: &mut Code, header: usize) {
        let first = self.heads.partition_point(|head| head.0 < header);
        for &(_, variable, index) in self.heads[first..].iter().take_while(|head| head.0 == header) {
            let value = code.resolve(self.values[variable as usize]);
            let phi = code.result(index);
            let before = code.operand(index, 0);
            if before != UNDEFINED && (value == phi || value == before) {
                code.redirect(index, before);
                self.is_stale = true;
            } else {
                // The second value, after the first and its label.
                code.set_operand(index, 2, value);
            }
        }
    }
}

/// Counts the uses by OpPhis that are used themselves, and removes the other OpPhis, which are used only by each other.
pub(super) fn retain_used(code: &mut Code, declared: &mut Declarations, phis: &mut Vec<(usize, usize)>) {
    if phis.is_empty() {
        return;
    }
    phis.retain(|&(_, phi)| code.insts[phi].op != Op::Nop);
    let mut waiting: Vec<usize> = phis.iter().map(|phi| phi.1).collect();
    let mut is_needed = vec![false; code.insts.len() - code.end];
    while let Some(phi) = waiting.pop() {
        if is_needed[phi - code.end] || code.uses(code.result(phi)) == 0 {
            continue;
        }
        is_needed[phi - code.end] = true;
        // An operand without a value gets an OpUndef.
        for at in 0..code.operands(phi).len() {
            if code.operand(phi, at) == UNDEFINED {
                let undefined = declared.declare(code, Op::Undef, code.ty(phi), &[]);
                code.set_operand(phi, at, undefined);
            }
        }
        code.count(phi);
        code.resolve_ids(code.insts[phi]);
        let defs = code.operands(phi).iter().filter_map(|&id| code.def_as(id, Op::Phi));
        waiting.extend(defs.filter(|&of| of >= code.end));
    }
    phis.retain(|&(_, phi)| {
        let is_needed = is_needed[phi - code.end];
        if !is_needed {
            code.clear(phi);
        }
        is_needed
    });
}
