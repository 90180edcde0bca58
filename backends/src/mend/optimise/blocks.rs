//! Builds the control flow graph: the blocks of all functions, with their predecessors and their dominators.
//!
//! Control flow in SPIR-V is structured: a block with several predecessors is the merge block or the continue target of a header,
//! which dominates the block. Each block's *parent* is a dominator: the block's only predecessor, or the header of the construct
//! that the block ends or continues. naga writes a block after all its predecessors, except the blocks that jump back to a loop's
//! header. The blocks that a block dominates follow it directly, without a gap. [`Blocks::new`] checks the properties that the
//! pass relies on.

use rspirv::spirv::Op;

use super::code::{Code, NONE};

#[derive(Clone, Copy, Debug)]
pub(super) struct Block {
    /// The index of the block's OpLabel.
    pub(super) label: usize,
    /// The index after the block's last instruction.
    pub(super) end: usize,
    /// The index of a block that dominates this block, or [`NONE`] for the first block of a function.
    pub(super) parent: u32,
    /// The index of the block's merge instruction, or `None` if the block is not a header.
    merge: Option<usize>,
    /// The header for which this block is the merge block, the continue target or a case.
    header: u32,
    /// The predecessor that was found most recently.
    latest: u32,
    /// The index of the block's first entry in the list of predecessors.
    predecessors: u32,
    /// The loop header to which the block jumps back, or [`NONE`].
    back: u32,
    /// Whether the block dominates the block for which `nest` is finding a parent.
    is_open: bool,
    /// For a loop header, the merge block, which follows the loop's last block, and the block that jumps back to the header.
    pub(super) repeated: Option<(u32, u32)>,
}

#[derive(Debug)]
pub(super) struct Blocks {
    pub(super) list: Vec<Block>,
    /// The predecessors of all blocks, in the order of the blocks, without the blocks that jump back.
    predecessors: Vec<u32>,
}

/// Appends each block that has a single predecessor to that predecessor, if the predecessor has no other successor.
pub(super) fn join(code: &mut Code) {
    let mut open = 0;
    for at in 0..code.flow.len() {
        let index = code.flow[at];
        let [.., before, last, label] = code.insts[..=index] else { continue };
        if label.op != Op::Label {
            continue;
        }
        let id = code.result(index);
        // The branch must be the label's only use. Labels in an OpPhi do not count as uses.
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
    /// Builds the control flow graph, or returns `None` if the blocks are in an unexpected order.
    pub(super) fn new(code: &Code) -> Option<Blocks> {
        let mut blocks = Blocks { list: Vec::with_capacity(code.flow.len() / 2), predecessors: Vec::new() };
        blocks.find(code)?;
        blocks.connect(code)?;
        blocks.nest()?;
        Some(blocks)
    }

    /// Returns the predecessors of a block, without the block that jumps back to it.
    pub(super) fn predecessors(&self, block: usize) -> &[u32] {
        let first = self.list[block].predecessors as usize;
        let end = self.list.get(block + 1).map_or(self.predecessors.len(), |next| next.predecessors as usize);
        &self.predecessors[first..end]
    }

    pub(super) fn jumps_back(&self, block: usize) -> Option<usize> {
        Some(self.list[block].back).filter(|&header| header != NONE).map(|header| header as usize)
    }

    pub(super) fn label(&self, code: &Code, block: usize) -> u32 {
        code.result(self.list[block].label)
    }

    fn by_label(&self, code: &Code, label: u32) -> Option<usize> {
        let label = code.def(label)?;
        self.list.binary_search_by_key(&label, |block| block.label).ok()
    }

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
                // Two cases of a switch can lead to the same block.
                if std::mem::replace(&mut to_block.latest, from as u32) != from as u32 {
                    edges.push((from as u32, to as u32));
                }
                if is_switch && to_block.header == NONE {
                    to_block.header = from as u32;
                }
            }
        }
        // A stable sort preserves the order of each block's predecessors.
        edges.sort_by_key(|edge| edge.1);
        let mut first = 0;
        for (to, block) in (0u32..).zip(&mut self.list) {
            block.predecessors = first;
            first += edges[first as usize..].iter().take_while(|edge| edge.1 == to).count() as u32;
        }
        self.predecessors = edges.into_iter().map(|edge| edge.0).collect();
        Some(())
    }

    /// Finds the parent of each block, or returns `None` if the blocks are in an unexpected order.
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
