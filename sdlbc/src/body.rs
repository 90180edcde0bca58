//! The code of a function: one list of instructions in reading order.
//!
//! Rule: an instruction is followed by the instructions of its blocks, and records where each block ends. So a block is a slice
//! of the list. All operations on code are loops over a list, so code that a program built may be nested to any depth.
//! [`Block`] and [`InstRef`] are views that step over nested blocks, or into them.

use std::fmt;
use std::ops::Deref;

use crate::inst::word;
use crate::{Few, Inst, OpSet};

/// The code of a function.
///
/// ```
/// use sdlbc::{Body, Id, Inst, Op, code};
///
/// let nop = || Inst::new(Op::Nop, Id::NONE, &[], &[]);
/// let body = code![
///     nop(),
///     Inst::new(Op::If, Id::NONE, &[Id(1)], &[]).with_blocks([code![nop(), nop()], code![]]),
///     nop(),
/// ];
/// assert_eq!(body.insts().len(), 5);
/// let outer: Vec<_> = body.block().iter().map(|inst| (inst.op, inst.blocks().len())).collect();
/// assert_eq!(outer, [(Op::Nop, 0), (Op::If, 2), (Op::Nop, 0)]);
///
/// // Blocks nested 100,000 deep.
/// let mut deep = Body::default();
/// let loops: Vec<_> = (0..100_000).map(|_| deep.open(Inst::new(Op::Loop, Id::NONE, &[], &[]))).collect();
/// loops.into_iter().rev().for_each(|at| deep.end_block(at));
/// assert!(deep.clone() == deep && deep.block().depth() == 100_000);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Body {
    insts: Vec<Inst>,
}

impl Body {
    /// Empty code with room for this many instructions.
    pub fn with_capacity(insts: usize) -> Body {
        Body { insts: Vec::with_capacity(insts) }
    }

    /// All instructions, in reading order.
    pub fn insts(&self) -> &[Inst] {
        &self.insts
    }

    /// The set of operations in the code.
    pub fn ops(&self) -> OpSet {
        let mut ops = OpSet::default();
        self.insts.iter().for_each(|inst| ops.insert(inst.op));
        ops
    }

    /// All instructions, mutably. The blocks of an instruction stay at its index, so this cannot replace an IF with another
    /// operation.
    pub fn insts_mut(&mut self) -> &mut [Inst] {
        &mut self.insts
    }

    /// The instruction at an index in reading order, with its block.
    pub fn get(&self, at: usize) -> Option<InstRef<'_>> {
        let around = self.insts.iter().take(at).enumerate();
        let ends = around.flat_map(|(at, inst)| inst.ends.iter().map(move |&end| end_after(at, end)));
        let end = ends.filter(|&end| end > at).min().unwrap_or(self.insts.len());
        Block { insts: self.insts.get(at..end)? }.first()
    }

    /// Replaces the instruction at an index, and its blocks, with other code in the same block.
    pub fn replace(&mut self, at: usize, code: impl Into<Body>) {
        let Some(old) = self.insts.get(at).map(|inst| inst.inner() + 1) else { return };
        let code = code.into().insts;
        for (place, inst) in self.insts.iter_mut().take(at).enumerate() {
            for end in inst.ends.iter_mut().filter(|end| end_after(place, **end) > at) {
                let size = (*end as usize).saturating_sub(old).saturating_add(code.len());
                *end = word(size);
            }
        }
        self.insts.splice(at..at + old, code);
    }

    /// The outermost block.
    pub fn block(&self) -> Block<'_> {
        Block { insts: &self.insts }
    }

    /// Whether the code has no instructions.
    pub fn is_empty(&self) -> bool {
        self.insts.is_empty()
    }

    /// Adds an instruction without blocks at the end.
    #[inline]
    pub fn push(&mut self, inst: Inst) {
        self.insts.push(Inst { ends: Few::new(), ..inst });
    }

    /// Adds an instruction without blocks before the instruction at an index in reading order.
    pub fn insert(&mut self, at: usize, inst: Inst) {
        self.insts.insert(at.min(self.insts.len()), Inst { ends: Few::new(), ..inst });
    }

    /// Adds other code at the end: an instruction, or the result of [`Inst::with_blocks`] or [`code!`](crate::code).
    pub fn append(&mut self, code: impl Into<Body>) {
        let mut code = code.into();
        if self.insts.is_empty() {
            *self = code;
        } else {
            self.insts.append(&mut code.insts);
        }
    }

    /// Moves other code to the end. The other body becomes empty but keeps its allocation.
    pub(crate) fn move_from(&mut self, code: &mut Body) {
        self.insts.append(&mut code.insts);
    }

    /// Adds an instruction with these blocks at the end.
    pub fn nest(&mut self, inst: Inst, blocks: impl IntoIterator<Item = Body>) {
        let at = self.open(inst);
        for block in blocks {
            self.append(block);
            self.end_block(at);
        }
    }

    /// Adds an instruction whose first block follows; returns its index, for [`Body::end_block`].
    pub fn open(&mut self, inst: Inst) -> usize {
        self.push(inst);
        self.insts.len() - 1
    }

    /// Keeps the instructions whose flags are set, in reading order. The blocks of a removed instruction become part of the
    /// block that contained it.
    pub fn keep(&mut self, flags: &[bool]) {
        if self.insts.iter().any(|inst| !inst.ends.is_empty()) {
            self.shorten_blocks(flags);
        }
        let mut flags = flags.iter();
        self.insts.retain(|_| flags.next() == Some(&true));
    }

    /// Subtracts the instructions whose flags are not set from the lengths of the blocks that contain them.
    fn shorten_blocks(&mut self, flags: &[bool]) {
        let mut before = Vec::with_capacity(self.insts.len() + 1);
        let mut kept = 0u32;
        for at in 0..=self.insts.len() {
            before.push(kept);
            kept += u32::from(flags.get(at) == Some(&true));
        }
        let count = |at: usize| before.get(at).or(before.last()).copied().unwrap_or(0);
        for (at, inst) in self.insts.iter_mut().enumerate() {
            for end in &mut inst.ends {
                *end = count(end_after(at, *end)) - count(at + 1);
            }
        }
    }

    /// Adds instructions without blocks. Each is added before the instruction at an index in reading order, in the same block;
    /// the indices must ascend.
    pub fn insert_all(&mut self, added: impl IntoIterator<Item = (usize, Inst)>) {
        let mut added = added.into_iter().peekable();
        let old = std::mem::take(&mut self.insts);
        // The number of instructions added before each index of the old code.
        let mut before = Vec::with_capacity(old.len() + 1);
        let mut new = Vec::with_capacity(old.len() + added.size_hint().0);
        let mut count = 0u32;
        for (at, inst) in old.into_iter().enumerate() {
            before.push(count);
            while let Some((_, inst)) = added.next_if(|&(place, _)| place <= at) {
                new.push(Inst { ends: Few::new(), ..inst });
                count += 1;
            }
            new.push(inst);
        }
        before.push(count);
        new.extend(added.map(|(_, inst)| Inst { ends: Few::new(), ..inst }));
        // An instruction that is added where a block ends comes after the end of that block.
        let count = |at: usize| before.get(at).or(before.last()).copied().unwrap_or(0);
        for at in 0..before.len() - 1 {
            let Some(inst) = new.get_mut(at + count(at + 1) as usize) else { continue };
            for end in &mut inst.ends {
                *end += count(end_after(at, *end)) - count(at + 1);
            }
        }
        self.insts = new;
    }

    /// Rewrites the code: `write` adds the replacement of an instruction without blocks to the new code. Instructions with
    /// blocks stay, and their blocks become the replacements of the instructions in them.
    pub fn rewrite(&mut self, mut write: impl FnMut(Inst, &mut Body)) {
        let old = std::mem::take(&mut self.insts);
        let mut new = Body::with_capacity(old.len());
        // The instructions whose blocks are being written: their indices in the new code, and the ends of their blocks in the
        // old code.
        let mut open: Vec<(usize, std::vec::IntoIter<usize>)> = Vec::new();
        for (at, inst) in old.into_iter().enumerate() {
            new.end_blocks(&mut open, at);
            if inst.ends.is_empty() {
                write(inst, &mut new);
                continue;
            }
            let ends: Vec<usize> = inst.ends.iter().map(|&end| end_after(at, end)).collect();
            open.push((new.open(inst), ends.into_iter()));
        }
        new.end_blocks(&mut open, usize::MAX);
        *self = new;
    }

    /// Ends the blocks that end at or before an index of the old code.
    fn end_blocks(&mut self, open: &mut Vec<(usize, std::vec::IntoIter<usize>)>, at: usize) {
        while let Some((place, ends)) = open.last_mut() {
            while ends.as_slice().first().is_some_and(|&end| end <= at) {
                self.end_block(*place);
                ends.next();
            }
            if !ends.as_slice().is_empty() {
                break;
            }
            open.pop();
        }
    }

    /// Adds an instruction that has no blocks at the end.
    #[inline]
    pub(crate) fn add(&mut self, inst: Inst) {
        self.insts.push(inst);
    }

    /// Ends a block of the instruction at an index. The block contains the instructions added since the previous block.
    #[inline]
    pub fn end_block(&mut self, at: usize) {
        let end = word(self.insts.len().saturating_sub(at + 1));
        if let Some(inst) = self.insts.get_mut(at) {
            inst.ends.push(end);
        }
    }
}

impl Inst {
    /// The code of the instruction with these blocks.
    pub fn with_blocks(self, blocks: impl IntoIterator<Item = Body>) -> Body {
        let mut body = Body::default();
        body.nest(self, blocks);
        body
    }

    /// The end of each of its blocks: the number of instructions from this one, in reading order, to the end of the block.
    #[inline]
    pub fn block_ends(&self) -> &[u32] {
        &self.ends
    }
}

/// The index at which a block of the instruction at `at` ends.
pub(crate) fn end_after(at: usize, end: u32) -> usize {
    (at + 1).saturating_add(end as usize)
}

impl From<Inst> for Body {
    fn from(inst: Inst) -> Body {
        Body::from_iter([inst])
    }
}

impl From<Block<'_>> for Body {
    fn from(block: Block<'_>) -> Body {
        Body { insts: block.insts.to_vec() }
    }
}

/// Instructions without blocks.
impl FromIterator<Inst> for Body {
    fn from_iter<I: IntoIterator<Item = Inst>>(insts: I) -> Body {
        Body { insts: insts.into_iter().map(|inst| Inst { ends: Few::new(), ..inst }).collect() }
    }
}

/// The instructions must have no blocks.
impl From<Vec<Inst>> for Body {
    fn from(insts: Vec<Inst>) -> Body {
        Body::from_iter(insts)
    }
}

/// Code from its parts: instructions, instructions with blocks ([`Inst::with_blocks`]), and other code.
#[macro_export]
macro_rules! code {
    ($($part:expr),* $(,)?) => {{
        #[allow(unused_mut)]
        let mut body = $crate::Body::default();
        $(body.append($part);)*
        body
    }};
}

/// A block: instructions in order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Block<'a> {
    insts: &'a [Inst],
}

impl<'a> Block<'a> {
    /// The block's own instructions.
    pub fn iter(self) -> Insts<'a> {
        Insts { insts: self.insts }
    }

    /// The block's own instructions that have blocks, each with its index in [`Block::all`].
    pub fn nesting(self) -> impl Iterator<Item = (usize, InstRef<'a>)> {
        let mut at = 0;
        std::iter::from_fn(move || {
            at += self.insts.get(at..)?.iter().position(|inst| !inst.ends.is_empty())?;
            let (place, inst) = (at, self.from(at).first()?);
            at += 1 + inst.inner.len();
            Some((place, inst))
        })
    }

    /// The instructions of the block and of nested blocks, in reading order.
    pub fn all(self) -> &'a [Inst] {
        self.insts
    }

    /// Whether the block has no instructions.
    pub fn is_empty(self) -> bool {
        self.insts.is_empty()
    }

    /// The block's first instruction.
    pub fn first(self) -> Option<InstRef<'a>> {
        self.iter().next()
    }

    /// The block without its first `count` instructions.
    pub fn after(self, count: usize) -> Block<'a> {
        let mut rest = self.iter();
        rest.by_ref().take(count).for_each(drop);
        rest.rest()
    }

    /// The part of the block from an index in [`Block::all`] on. The index must be that of one of the block's own instructions.
    pub(crate) fn from(self, at: usize) -> Block<'a> {
        Block { insts: self.insts.get(at..).unwrap_or_default() }
    }

    /// The nesting depth: 0 if no instruction has blocks.
    pub fn depth(self) -> usize {
        let (mut deepest, mut ends) = (0, Vec::new());
        for (at, inst) in self.insts.iter().enumerate() {
            while ends.last().is_some_and(|&end| end <= at) {
                ends.pop();
            }
            if !inst.ends.is_empty() {
                // An empty block counts as well.
                deepest = deepest.max(ends.len() + 1);
                ends.push(at + 1 + inst.inner());
            }
        }
        deepest
    }
}

impl<'a> IntoIterator for Block<'a> {
    type Item = InstRef<'a>;
    type IntoIter = Insts<'a>;

    fn into_iter(self) -> Insts<'a> {
        self.iter()
    }
}

impl<'a> From<&'a Body> for Block<'a> {
    fn from(body: &'a Body) -> Block<'a> {
        body.block()
    }
}

/// The instructions of a block.
#[derive(Clone, Debug)]
pub struct Insts<'a> {
    insts: &'a [Inst],
}

impl<'a> Insts<'a> {
    /// The instructions that have not been visited yet.
    pub fn rest(&self) -> Block<'a> {
        Block { insts: self.insts }
    }
}

impl<'a> Iterator for Insts<'a> {
    type Item = InstRef<'a>;

    #[inline]
    fn next(&mut self) -> Option<InstRef<'a>> {
        let (inst, after) = self.insts.split_first()?;
        let (inner, after) = after.split_at_checked(inst.inner()).unwrap_or((after, &[]));
        let insts = std::mem::replace(&mut self.insts, after);
        Some(InstRef { insts, inst, inner, after })
    }
}

/// An instruction in its block.
#[derive(Clone, Copy)]
pub struct InstRef<'a> {
    /// The instructions from this one to the end of its block.
    insts: &'a [Inst],
    inst: &'a Inst,
    inner: &'a [Inst],
    after: &'a [Inst],
}

impl<'a> InstRef<'a> {
    /// The instruction itself.
    pub fn inst(self) -> &'a Inst {
        self.inst
    }

    /// The blocks of the instruction.
    pub fn blocks(self) -> Nested<'a> {
        Nested { insts: self.inner, ends: &self.inst.ends, start: 0 }
    }

    /// The rest of the block that contains the instruction.
    pub fn following(self) -> Block<'a> {
        Block { insts: self.after }
    }

    /// A block that has only this instruction.
    pub fn alone(self) -> Block<'a> {
        Block { insts: self.insts.get(..=self.inner.len()).unwrap_or_default() }
    }

    /// The instructions in its blocks, in reading order.
    pub fn inner(self) -> &'a [Inst] {
        self.inner
    }
}

impl<'a> Deref for InstRef<'a> {
    type Target = Inst;

    fn deref(&self) -> &Inst {
        self.inst
    }
}

impl fmt::Debug for InstRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inst.fmt(f)
    }
}

/// The blocks of an instruction, in order.
#[derive(Clone, Copy, Debug, Default)]
pub struct Nested<'a> {
    insts: &'a [Inst],
    ends: &'a [u32],
    start: usize,
}

impl<'a> Nested<'a> {
    /// The number of blocks.
    pub fn len(self) -> usize {
        self.ends.len()
    }

    /// Whether the instruction has no blocks.
    pub fn is_empty(self) -> bool {
        self.ends.is_empty()
    }

    /// The block at an index.
    pub fn get(self, index: usize) -> Option<Block<'a>> {
        let &end = self.ends.get(index)?;
        let before = index.checked_sub(1).and_then(|before| self.ends.get(before));
        let start = before.map_or(self.start, |&end| end as usize);
        Some(self.block(start, end))
    }

    /// The first block.
    pub fn first(self) -> Option<Block<'a>> {
        self.get(0)
    }

    /// An iterator over the blocks, which can be reversed.
    pub fn iter(self) -> Nested<'a> {
        self
    }

    fn block(self, start: usize, end: u32) -> Block<'a> {
        let end = self.insts.len().min(end as usize);
        Block { insts: self.insts.get(start..end).unwrap_or_default() }
    }
}

impl<'a> Iterator for Nested<'a> {
    type Item = Block<'a>;

    fn next(&mut self) -> Option<Block<'a>> {
        let (&end, ends) = self.ends.split_first()?;
        let block = self.block(self.start, end);
        (self.ends, self.start) = (ends, end as usize);
        Some(block)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.ends.len(), Some(self.ends.len()))
    }
}

impl DoubleEndedIterator for Nested<'_> {
    fn next_back(&mut self) -> Option<Self::Item> {
        let (&end, ends) = self.ends.split_last()?;
        let start = ends.last().map_or(self.start, |&end| end as usize);
        self.ends = ends;
        Some(self.block(start, end))
    }
}

impl ExactSizeIterator for Nested<'_> {}

#[cfg(test)]
mod tests;
