//! The control flow graph: the blocks of all functions, their predecessors and their dominators.
//!
//! Control flow in SPIR-V is structured: a block that several others lead to is the merge block or the continue target
//! of a header, which dominates it. Each block's *parent* is a block that dominates it: its only predecessor, or that
//! header. naga writes the blocks in an order in which a block comes after all that lead to it, except for the jumps
//! back to a loop's header, and all blocks that a block dominates follow it without a gap. [`Blocks::new`] checks the
//! properties that the pass relies on.

use rspirv::spirv::Op;

use super::code::{Code, NONE};

/// A block: its instructions and its predecessors.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block {
    /// The instruction that is its label.
    pub(super) label: usize,
    /// The end of its instructions, exclusive.
    pub(super) end: usize,
    /// A block that dominates it, or [`NONE`] for the first block of a function.
    pub(super) parent: u32,
    /// The merge instruction, if the block has one.
    merge: Option<usize>,
    /// The header that has it as its merge block, continue target or case.
    header: u32,
    /// The latest predecessor that was found.
    latest: u32,
    /// The start of its predecessors in the list of predecessors.
    predecessors: u32,
    /// The header to which it jumps back.
    back: u32,
    /// While the parents are being found: whether it dominates the current block.
    is_open: bool,
    /// If it is the header of a loop: the merge block, where the blocks of the loop end, and the block that jumps back.
    pub(super) repeated: Option<(u32, u32)>,
}

#[derive(Debug)]
pub(super) struct Blocks {
    pub(super) list: Vec<Block>,
    /// The predecessors of all blocks, in the order of the blocks, without blocks that jump back.
    predecessors: Vec<u32>,
}

/// Appends each block that has one predecessor, whose only successor it is, to that predecessor.
pub(super) fn join(code: &mut Code) {
    let mut open = 0;
    for at in 0..code.flow.len() {
        let index = code.flow[at];
        let [.., before, last, label] = code.insts[..=index] else { continue };
        if label.op != Op::Label {
            continue;
        }
        let id = code.result(index);
        // Only this branch, and perhaps an OpPhi, mentions the label.
        let only = last.op == Op::Branch && code.operand(index - 1, 0) == id && code.uses(id) == 1;
        let starts_with_phi = code.insts.get(index + 1).is_some_and(|next| next.op == Op::Phi);
        if only && before.op != Op::LoopMerge && !starts_with_phi {
            code.remove(index - 1);
            code.replace(index, open);
        } else {
            open = id;
        }
    }
}

/// Returns the labels among the operands of an instruction.
fn targets(code: &Code, index: usize) -> impl Iterator<Item = u32> {
    let operands = code.operands(index);
    let (first, step, count) = match code.insts[index].op {
        Op::Branch | Op::SelectionMerge => (0, 1, 1),
        Op::LoopMerge => (0, 1, 2),
        Op::BranchConditional => (1, 1, 2),
        Op::Switch => (1, 2, operands.len()),
        _ => (0, 1, 0),
    };
    operands.iter().copied().skip(first).step_by(step).take(count)
}

impl Blocks {
    /// Returns the blocks, or `None` if they do not have the order that the pass relies on.
    pub(super) fn new(code: &Code) -> Option<Blocks> {
        let mut blocks = Blocks { list: Vec::with_capacity(code.flow.len() / 2), predecessors: Vec::new() };
        blocks.find(code)?;
        blocks.connect(code)?;
        blocks.nest()?;
        Some(blocks)
    }

    /// Returns the predecessors of a block, without a block that jumps back to it.
    pub(super) fn predecessors(&self, block: usize) -> &[u32] {
        let first = self.list[block].predecessors as usize;
        let end = self.list.get(block + 1).map_or(self.predecessors.len(), |next| next.predecessors as usize);
        &self.predecessors[first..end]
    }

    /// Returns the loop header to which a block jumps back.
    pub(super) fn jumps_back(&self, block: usize) -> Option<usize> {
        Some(self.list[block].back).filter(|&header| header != NONE).map(|header| header as usize)
    }

    /// Returns the id of a block's label.
    pub(super) fn label(&self, code: &Code, block: usize) -> u32 {
        code.result(self.list[block].label)
    }

    fn by_label(&self, code: &Code, label: u32) -> Option<usize> {
        let label = code.def(label)?;
        self.list.binary_search_by_key(&label, |block| block.label).ok()
    }

    /// Lists the blocks.
    fn find(&mut self, code: &Code) -> Option<()> {
        let (mut open, mut merge) = (None, None);
        for &index in &code.flow {
            match code.insts[index].op {
                Op::Nop => {}
                Op::Label => (open, merge) = (Some(index), None),
                Op::SelectionMerge | Op::LoopMerge => merge = Some(index),
                _ => {
                    let label = open.take()?;
                    let [parent, header, latest, back] = [NONE; 4];
                    let (end, predecessors, is_open, repeated) = (index + 1, 0, false, None);
                    let block =
                        Block { label, end, parent, merge, header, latest, predecessors, back, is_open, repeated };
                    self.list.push(block);
                }
            }
        }
        Some(())
    }

    /// Finds the predecessors, and the headers.
    fn connect(&mut self, code: &Code) -> Option<()> {
        let mut edges: Vec<(u32, u32)> = Vec::new();
        for from in 0..self.list.len() {
            let Block { merge, end, .. } = self.list[from];
            if let Some(merge) = merge {
                for label in targets(code, merge) {
                    let to = self.by_label(code, label)?;
                    self.list[to].header = from as u32;
                }
                if code.insts[merge].op == Op::LoopMerge {
                    let after = self.by_label(code, code.operand(merge, 0)).filter(|&after| after > from)?;
                    self.list[from].repeated = Some((after as u32, NONE));
                }
            }
            let is_switch = code.insts[end - 1].op == Op::Switch;
            for label in targets(code, end - 1) {
                let to = self.by_label(code, label)?;
                if to <= from {
                    let (after, back) = self.list[to].repeated.as_mut()?;
                    if *back != NONE || from as u32 >= *after {
                        return None;
                    }
                    *back = from as u32;
                    self.list[from].back = to as u32;
                    continue;
                }
                let to_block = &mut self.list[to];
                // Two cases of one switch can be the same block.
                if std::mem::replace(&mut to_block.latest, from as u32) != from as u32 {
                    edges.push((from as u32, to as u32));
                }
                if is_switch && to_block.header == NONE {
                    to_block.header = from as u32;
                }
            }
        }
        // A stable sort keeps the predecessors of a block in order.
        edges.sort_by_key(|edge| edge.1);
        let mut first = 0;
        for (to, block) in (0u32..).zip(&mut self.list) {
            block.predecessors = first;
            first += edges[first as usize..].iter().take_while(|edge| edge.1 == to).count() as u32;
        }
        self.predecessors = edges.into_iter().map(|edge| edge.0).collect();
        Some(())
    }

    /// Finds the parents.
    fn nest(&mut self) -> Option<()> {
        let mut last = NONE;
        for block in 0..self.list.len() {
            let Block { header, repeated, .. } = self.list[block];
            let parent = match *self.predecessors(block) {
                [only] if self.list[only as usize].is_open => only,
                [_, _, ..] if repeated.is_some() => return None,
                _ => header,
            };
            while last != parent {
                let after = self.list.get_mut(last as usize)?;
                after.is_open = false;
                last = after.parent;
            }
            (self.list[block].parent, self.list[block].is_open) = (parent, true);
            last = block as u32;
        }
        Some(())
    }
}
