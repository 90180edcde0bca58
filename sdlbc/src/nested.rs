//! The blocks of an instruction, and traversal of code with any nesting depth.
//!
//! Rule: a module that was built in code may be nested too deep for a thread's stack, until [`crate::verify()`] refuses it
//! (V14). So nothing here recurses: dropping, cloning, comparing and traversing blocks use explicit stacks. Other code
//! either uses these functions, or recurses only after the verifier has accepted the module.

use std::fmt;
use std::ops::{Deref, DerefMut};

use crate::{Block, Inst, limits};

/// The blocks of an instruction: a boxed slice.
///
/// ```
/// use sdlbc::{Block, Id, Inst, Op};
///
/// let mut body = Block::new();
/// for _ in 0..100_000 {
///     body = vec![Inst::new(Op::Loop, Id::NONE, &[], &[]).with_blocks([body])];
/// }
/// assert!(body.clone() == body);
/// assert_eq!(body[0].blocks.len(), 1);
/// ```
#[derive(Default)]
pub struct Nested(Box<[Block]>);

impl Nested {
    /// The nesting depth: 0 without blocks, 1 if no instruction in these blocks has blocks.
    pub fn depth(&self) -> usize {
        let (mut depth, mut level) = (0, vec![self]);
        loop {
            level.retain(|blocks| !blocks.is_empty());
            if level.is_empty() {
                return depth;
            }
            depth += 1;
            level = level.into_iter().flat_map(|blocks| blocks.iter().flatten()).map(|inst| &inst.blocks).collect();
        }
    }
}

impl Deref for Nested {
    type Target = [Block];

    fn deref(&self) -> &[Block] {
        &self.0
    }
}

impl DerefMut for Nested {
    fn deref_mut(&mut self) -> &mut [Block] {
        &mut self.0
    }
}

impl From<Vec<Block>> for Nested {
    fn from(blocks: Vec<Block>) -> Nested {
        Nested(blocks.into())
    }
}

impl From<&[Block]> for Nested {
    fn from(blocks: &[Block]) -> Nested {
        Nested(blocks.into())
    }
}

impl<const N: usize> From<[Block; N]> for Nested {
    fn from(blocks: [Block; N]) -> Nested {
        Nested(blocks.into())
    }
}

impl<'a> IntoIterator for &'a Nested {
    type Item = &'a Block;
    type IntoIter = std::slice::Iter<'a, Block>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

impl<'a> IntoIterator for &'a mut Nested {
    type Item = &'a mut Block;
    type IntoIter = std::slice::IterMut<'a, Block>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter_mut()
    }
}

impl Drop for Nested {
    fn drop(&mut self) {
        // Inner blocks are moved out of their instructions before the instructions are dropped.
        let mut waiting = std::mem::take(&mut self.0).into_vec();
        while let Some(mut block) = waiting.pop() {
            for inst in &mut block {
                waiting.extend(std::mem::take(&mut inst.blocks.0).into_vec());
            }
        }
    }
}

/// Blocks that are being copied.
struct Copying<'a> {
    /// The blocks that are not begun yet.
    rest: std::slice::Iter<'a, Block>,
    /// The rest of the current block, and its copy so far.
    begun: Option<(std::slice::Iter<'a, Inst>, Block)>,
    copied: Vec<Block>,
}

impl<'a> Copying<'a> {
    fn of(blocks: &'a Nested) -> Copying<'a> {
        Copying { rest: blocks.iter(), begun: None, copied: Vec::with_capacity(blocks.len()) }
    }
}

impl Clone for Nested {
    fn clone(&self) -> Nested {
        let mut outer = Vec::new();
        let mut now = Copying::of(self);
        loop {
            if let Some((code, copy)) = &mut now.begun
                && let Some(inst) = code.next()
            {
                copy.push(Inst {
                    op: inst.op,
                    output: inst.output,
                    inputs: inst.inputs.clone(),
                    immediates: inst.immediates.clone(),
                    blocks: Nested::default(),
                });
                if !inst.blocks.is_empty() {
                    outer.push(std::mem::replace(&mut now, Copying::of(&inst.blocks)));
                }
                continue;
            }
            now.copied.extend(now.begun.take().map(|(_, copy)| copy));
            if let Some(block) = now.rest.next() {
                now.begun = Some((block.iter(), Block::with_capacity(block.len())));
                continue;
            }
            let copied = Nested(now.copied.into());
            let Some(around) = outer.pop() else { return copied };
            now = around;
            if let Some(inst) = now.begun.as_mut().and_then(|(_, copy)| copy.last_mut()) {
                inst.blocks = copied;
            }
        }
    }
}

impl PartialEq for Nested {
    fn eq(&self, other: &Nested) -> bool {
        let mut waiting = vec![(self, other)];
        while let Some((a, b)) = waiting.pop() {
            if a.len() != b.len() || a.iter().zip(b).any(|(a, b)| a.len() != b.len()) {
                return false;
            }
            for (a, b) in a.iter().flatten().zip(b.iter().flatten()) {
                let same = (a.op, a.output, &a.inputs, &a.immediates) == (b.op, b.output, &b.inputs, &b.immediates);
                if !same {
                    return false;
                }
                if !a.blocks.is_empty() || !b.blocks.is_empty() {
                    waiting.push((&a.blocks, &b.blocks));
                }
            }
        }
        true
    }
}

impl Eq for Nested {}

/// The list of blocks, or only the depth if it exceeds the limit.
impl fmt::Debug for Nested {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.depth() {
            depth if depth > limits::NESTING => write!(f, "[.. {depth} nested blocks ..]"),
            _ => self.0.fmt(f),
        }
    }
}

/// The instructions of blocks in reading order, at any nesting depth.
pub(crate) fn instructions(blocks: &[Block]) -> impl Iterator<Item = &Inst> {
    let mut open = blocks.iter().rev().map(|block| block.iter()).collect::<Vec<_>>();
    std::iter::from_fn(move || {
        loop {
            match open.last_mut()?.next() {
                Some(inst) => {
                    open.extend(inst.blocks.iter().rev().map(|block| block.iter()));
                    return Some(inst);
                }
                None => drop(open.pop()),
            }
        }
    })
}

/// Visits the instructions of a block in reading order, each before those in its blocks, at any nesting depth.
pub(crate) fn each_mut(block: &mut Block, mut visit: impl FnMut(&mut Inst)) {
    let mut open = vec![block.iter_mut()];
    while let Some(code) = open.last_mut() {
        match code.next() {
            Some(inst) => {
                visit(inst);
                open.extend(inst.blocks.iter_mut().rev().map(|block| block.iter_mut()));
            }
            None => drop(open.pop()),
        }
    }
}
