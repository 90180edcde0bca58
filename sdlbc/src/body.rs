//! The code of a function, stored as one list of instructions in reading order.
//!
//! Rule: an instruction is followed by the instructions of its blocks, and it records where each block ends. Each block is
//! therefore a slice of the instruction list. No operation on code recurses, so code that was built in memory may be nested to
//! any depth. The views [`Block`] and [`InstRef`] can be read with or without the contents of nested blocks.

use std::fmt;
use std::ops::Deref;

use crate::inst::word;
use crate::{Few, Inst, OpSet};

/// The code of a function, as a list of instructions and nested blocks.
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
/// // The LOOPs are nested 100,000 deep.
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
    /// Creates an empty body with room for `insts` instructions.
    pub fn with_capacity(insts: usize) -> Body {
        Body { insts: Vec::with_capacity(insts) }
    }

    /// Returns the instructions of all blocks, in reading order.
    pub fn insts(&self) -> &[Inst] {
        &self.insts
    }

    /// Returns the set of operations that occur in the code.
    pub fn ops(&self) -> OpSet {
        let mut ops = OpSet::default();
        self.insts.iter().for_each(|inst| ops.insert(inst.op));
        ops
    }

    /// Returns the instructions of all blocks, in reading order, for modification. An instruction with blocks must keep its
    /// operation, because the instructions of its blocks stay in the list.
    pub fn insts_mut(&mut self) -> &mut [Inst] {
        &mut self.insts
    }

    /// Returns a view of the instruction at index `at` in reading order.
    pub fn get(&self, at: usize) -> Option<InstRef<'_>> {
        let around = self.insts.iter().take(at).enumerate();
        let ends = around.flat_map(|(at, inst)| inst.ends.iter().map(move |&end| end_after(at, end)));
        let end = ends.filter(|&end| end > at).min().unwrap_or(self.insts.len());
        Block { insts: self.insts.get(at..end)? }.first()
    }

    /// Replaces the instruction at index `at` and its blocks with `code`.
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

    /// Returns the outermost block of the code.
    pub fn block(&self) -> Block<'_> {
        Block { insts: &self.insts }
    }

    /// Reports whether the code has no instructions.
    pub fn is_empty(&self) -> bool {
        self.insts.is_empty()
    }

    /// Appends an instruction without blocks.
    #[inline]
    pub fn push(&mut self, inst: Inst) {
        self.insts.push(Inst { ends: Few::new(), ..inst });
    }

    /// Inserts an instruction without blocks into the outermost block, before the instruction at index `at` in reading order.
    pub fn insert(&mut self, at: usize, inst: Inst) {
        self.insts.insert(at.min(self.insts.len()), Inst { ends: Few::new(), ..inst });
    }

    /// Appends code, such as a single instruction or the result of [`Inst::with_blocks`] or [`code!`](crate::code).
    pub fn append(&mut self, code: impl Into<Body>) {
        let mut code = code.into();
        if self.insts.is_empty() {
            *self = code;
        } else {
            self.insts.append(&mut code.insts);
        }
    }

    /// Appends the instructions of `code`, which becomes empty but keeps its allocation.
    pub(crate) fn move_from(&mut self, code: &mut Body) {
        self.insts.append(&mut code.insts);
    }

    /// Appends an instruction together with its blocks.
    pub fn nest(&mut self, inst: Inst, blocks: impl IntoIterator<Item = Body>) {
        let at = self.open(inst);
        for block in blocks {
            self.append(block);
            self.end_block(at);
        }
    }

    /// Appends an instruction and begins its first block. Returns the instruction's index for [`Body::end_block`].
    pub fn open(&mut self, inst: Inst) -> usize {
        self.push(inst);
        self.insts.len() - 1
    }

    /// Removes every instruction whose flag is false. `flags` has one flag for each instruction, in reading order. The contents
    /// of a removed instruction's blocks become part of the enclosing block.
    pub fn keep(&mut self, flags: &[bool]) {
        if self.insts.iter().any(|inst| !inst.ends.is_empty()) {
            self.shorten_blocks(flags);
        }
        let mut flags = flags.iter();
        self.insts.retain(|_| flags.next() == Some(&true));
    }

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

    /// Inserts instructions without blocks. Each instruction is inserted before the existing instruction at the paired index, in
    /// the same block. The indices refer to the code before the insertion, in reading order, and must ascend.
    pub fn insert_all(&mut self, added: impl IntoIterator<Item = (usize, Inst)>) {
        let mut added = added.into_iter().peekable();
        let old = std::mem::take(&mut self.insts);
        // For each index of the old code, the number of instructions that are inserted before that index.
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
        // An instruction that is inserted at the end of a nested block belongs to the enclosing block.
        let count = |at: usize| before.get(at).or(before.last()).copied().unwrap_or(0);
        for at in 0..before.len() - 1 {
            let Some(inst) = new.get_mut(at + count(at + 1) as usize) else { continue };
            for end in &mut inst.ends {
                *end += count(end_after(at, *end)) - count(at + 1);
            }
        }
        self.insts = new;
    }

    /// Replaces each instruction without blocks with the code that `write` appends. Instructions with blocks stay, but `rewrite`
    /// also replaces the instructions inside their blocks.
    pub fn rewrite(&mut self, mut write: impl FnMut(Inst, &mut Body)) {
        let old = std::mem::take(&mut self.insts);
        let mut new = Body::with_capacity(old.len());
        // Each entry is an instruction whose blocks are being written: its index in the new code, and the ends of its remaining
        // blocks in the old code.
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

    /// Ends every open block whose end in the old code is at or before index `at`.
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

    /// Appends an instruction that is known to have no blocks.
    #[inline]
    pub(crate) fn add(&mut self, inst: Inst) {
        self.insts.push(inst);
    }

    /// Ends a block of the instruction at index `at`. The block contains the instructions that were appended since the
    /// instruction's previous block ended.
    #[inline]
    pub fn end_block(&mut self, at: usize) {
        let end = word(self.insts.len().saturating_sub(at + 1));
        if let Some(inst) = self.insts.get_mut(at) {
            inst.ends.push(end);
        }
    }
}

impl Inst {
    /// Returns code that consists of the instruction with the given blocks.
    pub fn with_blocks(self, blocks: impl IntoIterator<Item = Body>) -> Body {
        let mut body = Body::default();
        body.nest(self, blocks);
        body
    }

    /// Returns, for each block of the instruction, the number of instructions between the instruction itself and the end of the
    /// block.
    #[inline]
    pub fn block_ends(&self) -> &[u32] {
        &self.ends
    }
}

/// Returns the index at which a block ends. `at` is the index of the instruction that has the block, and `end` is the block's
/// entry in [`Inst::block_ends`].
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

impl FromIterator<Inst> for Body {
    fn from_iter<I: IntoIterator<Item = Inst>>(insts: I) -> Body {
        Body { insts: insts.into_iter().map(|inst| Inst { ends: Few::new(), ..inst }).collect() }
    }
}

/// Converts a list of instructions without blocks into code.
impl From<Vec<Inst>> for Body {
    fn from(insts: Vec<Inst>) -> Body {
        Body::from_iter(insts)
    }
}

/// Builds code from its parts: instructions, instructions with blocks ([`Inst::with_blocks`]), and other code.
#[macro_export]
macro_rules! code {
    ($($part:expr),* $(,)?) => {{
        #[allow(unused_mut)]
        let mut body = $crate::Body::default();
        $(body.append($part);)*
        body
    }};
}

/// A view of the instructions of a block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Block<'a> {
    insts: &'a [Inst],
}

impl<'a> Block<'a> {
    /// Returns an iterator over the block's own instructions, which steps over nested blocks.
    pub fn iter(self) -> Insts<'a> {
        Insts { insts: self.insts }
    }

    /// Returns the block's own instructions that have nested blocks, with their indices in [`Block::all`].
    pub fn nesting(self) -> impl Iterator<Item = (usize, InstRef<'a>)> {
        let mut at = 0;
        std::iter::from_fn(move || {
            at += self.insts.get(at..)?.iter().position(|inst| !inst.ends.is_empty())?;
            let (place, inst) = (at, self.from(at).first()?);
            at += 1 + inst.inner.len();
            Some((place, inst))
        })
    }

    /// Returns the instructions of the block and of all nested blocks, in reading order.
    pub fn all(self) -> &'a [Inst] {
        self.insts
    }

    /// Reports whether the block has no instructions.
    pub fn is_empty(self) -> bool {
        self.insts.is_empty()
    }

    /// Returns the block's first instruction, or `None` if the block is empty.
    pub fn first(self) -> Option<InstRef<'a>> {
        self.iter().next()
    }

    /// Returns the block without the first `count` of its own instructions.
    pub fn after(self, count: usize) -> Block<'a> {
        let mut rest = self.iter();
        rest.by_ref().take(count).for_each(drop);
        rest.rest()
    }

    /// Returns the part of the block that begins at index `at` of [`Block::all`]. The instruction at `at` must not be in a nested
    /// block.
    pub(crate) fn from(self, at: usize) -> Block<'a> {
        Block { insts: self.insts.get(at..).unwrap_or_default() }
    }

    /// Returns the nesting depth of the block, which is 0 if no instruction has blocks.
    pub fn depth(self) -> usize {
        let (mut deepest, mut ends) = (0, Vec::new());
        for (at, inst) in self.insts.iter().enumerate() {
            while ends.last().is_some_and(|&end| end <= at) {
                ends.pop();
            }
            if !inst.ends.is_empty() {
                // An empty nested block counts as a level.
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

/// An iterator over a block's own instructions.
#[derive(Clone, Debug)]
pub struct Insts<'a> {
    insts: &'a [Inst],
}

impl<'a> Insts<'a> {
    /// Returns the instructions that the iterator has not visited yet, as a block.
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

/// A view of an instruction and of the block around it.
#[derive(Clone, Copy)]
pub struct InstRef<'a> {
    /// The instructions from the viewed instruction to the end of the block around it.
    insts: &'a [Inst],
    inst: &'a Inst,
    inner: &'a [Inst],
    after: &'a [Inst],
}

impl<'a> InstRef<'a> {
    /// Returns the viewed instruction, borrowed for the lifetime of the code.
    pub fn inst(self) -> &'a Inst {
        self.inst
    }

    /// Returns the blocks of the instruction, in order.
    pub fn blocks(self) -> Nested<'a> {
        Nested { insts: self.inner, ends: &self.inst.ends, start: 0 }
    }

    /// Returns the instructions after the viewed instruction, up to the end of the enclosing block.
    pub fn following(self) -> Block<'a> {
        Block { insts: self.after }
    }

    /// Returns a block that contains only the viewed instruction and its nested blocks.
    pub fn alone(self) -> Block<'a> {
        Block { insts: self.insts.get(..=self.inner.len()).unwrap_or_default() }
    }

    /// Returns the instructions inside the blocks of the viewed instruction, in reading order.
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

/// An iterator over the blocks of an instruction, in order.
#[derive(Clone, Copy, Debug, Default)]
pub struct Nested<'a> {
    insts: &'a [Inst],
    ends: &'a [u32],
    start: usize,
}

impl<'a> Nested<'a> {
    /// Returns the number of blocks that the iterator has not visited yet.
    pub fn len(self) -> usize {
        self.ends.len()
    }

    /// Reports whether the iterator has visited all blocks.
    pub fn is_empty(self) -> bool {
        self.ends.is_empty()
    }

    /// Returns the block at `index`, counted from the first block that the iterator has not visited yet.
    pub fn get(self, index: usize) -> Option<Block<'a>> {
        let &end = self.ends.get(index)?;
        let before = index.checked_sub(1).and_then(|before| self.ends.get(before));
        let start = before.map_or(self.start, |&end| end as usize);
        Some(self.block(start, end))
    }

    /// Returns the first block that the iterator has not visited yet.
    pub fn first(self) -> Option<Block<'a>> {
        self.get(0)
    }

    /// Returns the blocks as a double-ended iterator.
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
