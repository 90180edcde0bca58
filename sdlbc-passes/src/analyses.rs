//! The analyses of a body. An analysis is computed when a pass first needs it, and is shared by the passes until one of them
//! changes the body. The memory of an analysis is reused for the next body.

use sdlbc::{Id, Inst};

use crate::body::{Substitution, index, narrow, wide};
use crate::known::Known;
use crate::{Assume, Body, properties};

#[derive(Debug, Default)]
pub(crate) struct Analyses {
    uses: OnDemand<Vec<u32>>,
    scopes: OnDemand<Vec<Scope>>,
    known: OnDemand<Known>,
    pub(crate) memory: Memory,
    /// The assumptions about floats that passes may make.
    pub(crate) assume: Assume,
}

/// Working memory for passes. No pass relies on contents that another pass left in the memory.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    pub(crate) by: Substitution,
    /// The instructions to add, each with the index of the instruction that it precedes.
    pub(crate) added: Vec<(usize, Inst)>,
    pub(crate) flags: Vec<bool>,
    pub(crate) components: Vec<u8>,
    pub(crate) places: Vec<u32>,
}

#[derive(Debug, Default)]
struct OnDemand<T> {
    result: T,
    is_current: bool,
}

impl<T> OnDemand<T> {
    fn get(&mut self, compute: impl FnOnce(&mut T)) -> &mut T {
        if !std::mem::replace(&mut self.is_current, true) {
            compute(&mut self.result);
        }
        &mut self.result
    }
}

impl Analyses {
    pub(crate) fn new(assume: Assume) -> Analyses {
        Analyses { assume, ..Analyses::default() }
    }

    /// Returns the definitions of values and the known constants, which most passes need, together with the working memory.
    pub(crate) fn known(&mut self, body: &Body) -> (&mut Known, &mut Memory) {
        (self.known.get(|known| known.find(body)), &mut self.memory)
    }

    /// Returns the block of each instruction, indexed by instruction. The list is empty if the body has only one block.
    pub(crate) fn scopes(&mut self, body: &Body) -> (&[Scope], &mut Memory) {
        (self.scopes.get(|scopes| find_scopes(body, scopes)), &mut self.memory)
    }

    pub(crate) fn known_and_scopes(&mut self, body: &Body) -> (&Known, &[Scope], &mut Memory) {
        (
            self.known.get(|known| known.find(body)),
            self.scopes.get(|scopes| find_scopes(body, scopes)),
            &mut self.memory,
        )
    }

    /// Returns the definitions of values, the blocks of instructions, and the number of uses of each value.
    pub(crate) fn all(&mut self, body: &Body) -> (&Known, &[Scope], &[u32], &mut Memory) {
        (
            self.known.get(|known| known.find(body)),
            self.scopes.get(|scopes| find_scopes(body, scopes)),
            self.uses.get(|uses| count_uses(body, uses)),
            &mut self.memory,
        )
    }

    /// Discards the results of all analyses, because the body has changed or another body follows.
    pub(crate) fn forget(&mut self) {
        self.uses.is_current = false;
        self.scopes.is_current = false;
        self.known.is_current = false;
    }
}

fn count_uses(body: &Body, uses: &mut Vec<u32>) {
    uses.clear();
    uses.resize(body.ids(), 0);
    for &id in body.insts().iter().flat_map(|inst| &inst.inputs) {
        if let Some(count) = uses.get_mut(index(id)).filter(|_| id != Id::NONE) {
            *count = count.saturating_add(1);
        }
    }
}

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Scope {
    /// The index of the block in reading order.
    pub(crate) number: u32,
    /// The number of blocks that enclose this block.
    pub(crate) depth: u32,
    /// One more than the index of the instruction that contains this block, or 0 for the outermost block.
    pub(crate) around: u32,
}

struct Open<'a> {
    /// The ends of the open blocks, relative to `start`.
    ends: &'a [u32],
    start: usize,
    scope: Scope,
}

fn find_scopes(body: &Body, scopes: &mut Vec<Scope>) {
    scopes.clear();
    if !body.has(properties::NESTING) {
        return;
    }
    let mut open: Vec<Open<'_>> = Vec::new();
    let mut blocks = 0;
    let mut scope = Scope::default();
    for (at, inst) in body.insts().iter().enumerate() {
        while let Some(top) = open.last_mut()
            && let Some((&end, rest)) = top.ends.split_first()
            && top.start + wide(end) <= at
        {
            top.ends = rest;
            if rest.is_empty() {
                open.pop();
                scope = open.last().map(|open| open.scope).unwrap_or_default();
            } else {
                blocks += 1;
                top.scope.number = blocks;
                scope = top.scope;
            }
        }
        scopes.push(scope);
        if !inst.block_ends().is_empty() {
            blocks += 1;
            scope = Scope { number: blocks, depth: narrow(open.len() + 1), around: narrow(at + 1) };
            open.push(Open { ends: inst.block_ends(), start: at + 1, scope });
        }
    }
}
