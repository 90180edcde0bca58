//! Turns the variables of functions into values: each load is replaced by the value that was stored last.
//!
//! naga writes a variable for a value that depends on the path through a conditional, or that one iteration of a loop passes to
//! the next. A block whose predecessors leave different values in a variable gets an OpPhi. The pass visits blocks in order, so
//! the stores of a block's forward predecessors are known when the block begins. After a loop has been visited, the OpPhi at its
//! header gets the value from the block that jumps back. An OpPhi is removed if its result is unused ([`retain_used`]), or if its
//! operands are equal (`jump_back`).
//!
//! Upstream fault `local_variables`: naga's modules have no PHIs, and `BlockContext::write_block` in `back/spv/block.rs` writes
//! each local variable as an OpVariable with its loads and stores.

use rspirv::spirv::Op;

use super::blocks::Blocks;
use super::code::{Code, NONE};
use super::declarations::Declarations;

/// Stands for the value of a variable to which nothing has been stored yet.
pub(super) const UNDEFINED: u32 = 0;

/// The limit on the number of blocks that are examined to merge variables, as a multiple of the module's number of blocks. The
/// limit prevents quadratic time for a loop with very many exits.
const STEPS: usize = 64;

type Changes = Vec<(u32, u32)>;

#[derive(Debug, Default)]
pub(super) struct Variables {
    /// The variable that each id declares, or `NONE`.
    of_id: Vec<u32>,
    types: Vec<u32>,
    values: Vec<u32>,
    /// The variables that were changed on the path to the current instruction, each with its previous value.
    undo: Changes,
    /// The changes of all blocks, in the order of the blocks.
    changes: Changes,
    /// The index in `changes` at which each block's changes begin.
    starts: Vec<usize>,
    /// The block and the variable of each store, in the order of the blocks.
    stores: Vec<(u32, u32)>,
    /// The header, the variable and the instruction index of each OpPhi at a loop header, in the order of the headers.
    heads: Vec<(usize, u32, usize)>,
    /// The value of `now` when each variable was last passed to `meet`.
    met: Vec<u32>,
    now: u32,
    steps: usize,
    /// The block and the instruction of each new OpPhi.
    pub(super) phis: Vec<(usize, usize)>,
    /// Whether instructions that were already visited may use ids that have since been replaced.
    pub(super) is_stale: bool,
}

impl Variables {
    pub(super) fn new(code: &Code, blocks: &Blocks) -> Variables {
        let mut variables = Variables::default();
        if code.locals.is_empty() {
            return variables;
        }
        // A variable is replaced by values if its address is used only by loads and stores. `plain` counts these uses for each
        // id.
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

    pub(super) fn len(&self) -> usize {
        self.undo.len()
    }

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

    /// Reports whether this is the first call of `meet` for the variable since `now` was last increased.
    fn meet(&mut self, variable: u32) -> bool {
        std::mem::replace(&mut self.met[variable as usize], self.now) != self.now
    }

    /// Begins a block with the values that the variables have at the end of the block's parent (`blocks.rs`).
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

    fn phi(&mut self, code: &mut Code, block: usize, variable: u32, operands: &[u32]) -> Option<usize> {
        let (index, id) = code.add(Op::Phi, self.types[variable as usize], operands)?;
        self.phis.push((block, index));
        self.set(variable, id);
        Some(index)
    }

    /// Merges the changes that a block's predecessors have made since the end of the block's parent.
    fn merge(&mut self, code: &mut Code, blocks: &Blocks, block: usize) -> Option<()> {
        let (predecessors, parent) = (blocks.predecessors(block), blocks.list[block].parent);
        // Each tuple is a variable, the predecessor's index, and the variable's value at the end of that predecessor.
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

    /// Replaces a load of a local variable with the variable's value, or removes a store or a declaration of a local variable.
    /// Returns false for any other instruction.
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

    /// Completes the OpPhis at a loop header, at the end of the block that jumps back to the header.
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
                // Operand 2 is the value from the block that jumps back, after the first value and its label.
                code.set_operand(index, 2, value);
            }
        }
    }
}

/// Removes the OpPhis that are unused or used only by other unused OpPhis, and counts the operands of the remaining OpPhis as
/// uses.
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
        // An operand without a value becomes an OpUndef.
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
