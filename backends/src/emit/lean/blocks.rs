//! The blocks of all functions, which of them dominates which, and how control gets from one to another.
//!
//! Control flow in SPIR-V is structured: a block that several others lead to is the merge block or the continue target of a
//! header, which dominates it. Each block's *parent* is a block that dominates it: its only predecessor, or that header. naga
//! writes the blocks in an order in which a block comes after all that lead to it, but for the jumps back to a loop's header,
//! and all that a block dominates follows it without a gap. [`Blocks::new`] checks what of this the pass relies on.

use rspirv::spirv::Op;

use super::code::{Code, NONE};

/// A block: its instructions, and how it is reached.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block {
    /// The instruction that is its label.
    pub(super) label: usize,
    /// Behind its last instruction.
    pub(super) end: usize,
    /// A block that dominates it, or [`NONE`] for the first of a function.
    pub(super) parent: u32,
    /// Where its predecessors begin in the list of them.
    predecessors: u32,
    /// If it is the header of a loop: the merge block, where the blocks of the loop end, and the block that jumps back.
    pub(super) repeated: Option<(u32, u32)>,
}

#[derive(Debug, Default)]
pub(super) struct Blocks {
    pub(super) list: Vec<Block>,
    /// The predecessors of each block in turn, without those that jump back.
    predecessors: Vec<u32>,
    /// By block: the header to which it jumps back.
    backs: Vec<u32>,
    /// By id of a label: its block.
    of_label: Vec<u32>,
}

/// Appends each block that has one predecessor, and is the only successor of that one, to it.
pub(super) fn join(code: &mut Code) {
    let mut mentions = vec![0u32; code.bound()];
    for index in code.functions..code.end {
        if has_targets(code.insts[index].op) {
            targets(code, index).for_each(|label| mentions[label as usize] += 1);
        }
    }
    // The label of the block at hand, its last instruction, and whether the one before that declares a loop.
    let (mut open, mut last, mut is_loop) = (0, code.functions, false);
    for index in code.functions..code.end {
        if code.insts[index].op != Op::Label {
            is_loop = code.insts[last].op == Op::LoopMerge;
            last = index;
            continue;
        }
        let id = code.result(index).unwrap_or_default();
        let only = code.insts[last].op == Op::Branch && code.operand(last, 0) == id && !is_loop;
        let starts_with_phi = code.insts.get(index + 1).is_some_and(|next| next.op == Op::Phi);
        if only && mentions[id as usize] == 1 && !starts_with_phi {
            code.remove(last);
            code.replace(index, open);
        } else {
            (open, last, is_loop) = (id, index, false);
        }
    }
}

fn has_targets(op: Op) -> bool {
    matches!(op, Op::Branch | Op::BranchConditional | Op::Switch | Op::SelectionMerge | Op::LoopMerge)
}

/// The labels that an instruction mentions.
fn targets(code: &Code, index: usize) -> impl Iterator<Item = u32> {
    let operands = code.operands(index);
    let (first, step) = match code.insts[index].op {
        Op::Branch | Op::SelectionMerge | Op::LoopMerge => (0, 1),
        Op::BranchConditional => (1, 1),
        Op::Switch => (1, 2),
        _ => (operands.len(), 1),
    };
    let count = match code.insts[index].op {
        Op::SelectionMerge => 1,
        Op::LoopMerge | Op::BranchConditional => 2,
        _ => operands.len(),
    };
    operands.iter().copied().skip(first).step_by(step).take(count)
}

fn is_end(op: Op) -> bool {
    matches!(
        op,
        Op::Branch | Op::BranchConditional | Op::Switch | Op::Return | Op::ReturnValue | Op::Kill | Op::Unreachable
    )
}

impl Blocks {
    /// Returns the blocks, or `None` if they do not have the order that the pass relies on.
    pub(super) fn new(code: &Code) -> Option<Blocks> {
        let mut blocks = Blocks { of_label: vec![NONE; code.bound()], ..Blocks::default() };
        let ends = blocks.find(code)?;
        let headers = blocks.connect(code, &ends)?;
        blocks.nest(&headers)?;
        Some(blocks)
    }

    /// The blocks that lead to this one, without one that jumps back to it.
    pub(super) fn predecessors(&self, block: usize) -> &[u32] {
        let first = self.list[block].predecessors as usize;
        let end = self.list.get(block + 1).map_or(self.predecessors.len(), |next| next.predecessors as usize);
        &self.predecessors[first..end]
    }

    /// The loop's header to which a block jumps back.
    pub(super) fn jumps_back(&self, block: usize) -> Option<usize> {
        self.backs.get(block).copied().filter(|&header| header != NONE).map(|header| header as usize)
    }

    /// The id of a block's label.
    pub(super) fn label(&self, code: &Code, block: usize) -> u32 {
        code.result(self.list[block].label).unwrap_or_default()
    }

    fn by_label(&self, label: u32) -> Option<usize> {
        self.of_label.get(label as usize).copied().filter(|&block| block != NONE).map(|block| block as usize)
    }

    /// Lists the blocks. Returns the last two instructions of each: the merge instruction, if there is one, and the end.
    fn find(&mut self, code: &Code) -> Option<Vec<(usize, usize)>> {
        let mut ends = Vec::new();
        let mut label = None;
        let mut last = code.functions;
        for index in code.functions..code.end {
            match code.insts[index].op {
                Op::Nop => continue,
                Op::Label => label = Some(index),
                op if is_end(op) => {
                    let label = label.take()?;
                    let id = code.result(label)? as usize;
                    self.of_label[id] = self.list.len() as u32;
                    let block = Block { label, end: index + 1, parent: NONE, predecessors: 0, repeated: None };
                    self.list.push(block);
                    ends.push((last, index));
                }
                _ => {}
            }
            last = index;
        }
        Some(ends)
    }

    /// Finds the predecessors. Returns, by block, the header whose merge block, continue target or case it is.
    fn connect(&mut self, code: &Code, ends: &[(usize, usize)]) -> Option<Vec<u32>> {
        let mut headers = vec![NONE; self.list.len()];
        self.backs = vec![NONE; self.list.len()];
        let mut edges: Vec<(u32, u32)> = Vec::new();
        // Two cases of one switch can be the same block.
        let mut latest = vec![NONE; self.list.len()];
        for (from, &(merge, end)) in (0u32..).zip(ends) {
            for label in targets(code, merge) {
                headers[self.by_label(label)?] = from;
            }
            if code.insts[merge].op == Op::LoopMerge {
                let after = self.by_label(code.operand(merge, 0)).filter(|&after| after > from as usize)?;
                self.list[from as usize].repeated = Some((after as u32, NONE));
            }
            let is_switch = code.insts[end].op == Op::Switch;
            for label in targets(code, end) {
                let to = self.by_label(label)?;
                if to <= from as usize {
                    let (after, back) = self.list[to].repeated.as_mut()?;
                    if *back != NONE || from >= *after {
                        return None;
                    }
                    *back = from;
                    self.backs[from as usize] = to as u32;
                } else if std::mem::replace(&mut latest[to], from) != from {
                    edges.push((from, to as u32));
                }
                if is_switch && headers[to] == NONE {
                    headers[to] = from;
                }
            }
        }
        // A stable sort keeps the predecessors of a block in order.
        edges.sort_by_key(|edge| edge.1);
        self.predecessors.extend(edges.iter().map(|edge| edge.0));
        let mut first = 0;
        for (to, block) in (0u32..).zip(&mut self.list) {
            block.predecessors = first;
            first += edges[first as usize..].iter().take_while(|edge| edge.1 == to).count() as u32;
        }
        Some(headers)
    }

    /// Finds the parents.
    fn nest(&mut self, headers: &[u32]) -> Option<()> {
        let mut path: Vec<u32> = Vec::new();
        let mut is_open = vec![false; self.list.len()];
        for block in 0..self.list.len() {
            let predecessors = self.predecessors(block);
            let parent = match predecessors {
                &[only] if is_open[only as usize] => only,
                [_, _, ..] if self.list[block].repeated.is_some() => return None,
                _ => headers[block],
            };
            while path.last().is_some_and(|&last| last != parent) {
                is_open[path.pop()? as usize] = false;
            }
            if path.is_empty() != (parent == NONE) {
                return None;
            }
            self.list[block].parent = parent;
            path.push(block as u32);
            is_open[block] = true;
        }
        Some(())
    }
}
