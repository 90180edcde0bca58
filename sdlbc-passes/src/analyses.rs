//! What passes ask about a body. It is computed when a pass asks for it, kept until a pass changes the body, and shared by the passes
//! until then. The memory is used again for the next body.

use sdlbc::{Id, Inst};

use crate::body::{Substitution, index, narrow, wide};
use crate::known::Known;
use crate::{Assume, Body, kinds};

/// What is known about a body, and memory for the work of passes.
#[derive(Debug, Default)]
pub(crate) struct Analyses {
    uses: Kept<Vec<u32>>,
    scopes: Kept<Vec<Scope>>,
    known: Kept<Known>,
    pub(crate) memory: Memory,
    /// What may be assumed about floats.
    pub(crate) assume: Assume,
}

/// Memory that each pass uses while it runs, and that holds nothing between passes.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    /// What is replaced.
    pub(crate) by: Substitution,
    /// What is added, with the places.
    pub(crate) added: Vec<(usize, Inst)>,
    /// Flags by place.
    pub(crate) flags: Vec<bool>,
    /// Sets of components by id.
    pub(crate) components: Vec<u8>,
    /// Places.
    pub(crate) places: Vec<u32>,
}

/// Something that is computed when it is asked for.
#[derive(Debug, Default)]
struct Kept<T> {
    what: T,
    is_current: bool,
}

impl<T> Kept<T> {
    fn get(&mut self, compute: impl FnOnce(&mut T)) -> &mut T {
        if !std::mem::replace(&mut self.is_current, true) {
            compute(&mut self.what);
        }
        &mut self.what
    }
}

impl Analyses {
    /// Knows nothing yet.
    pub(crate) fn new(assume: Assume) -> Analyses {
        Analyses { assume, ..Analyses::default() }
    }

    /// The analyses that most passes need: where values are defined, and which are constants.
    pub(crate) fn known(&mut self, body: &Body) -> (&mut Known, &mut Memory) {
        (self.known.get(|known| known.find(body)), &mut self.memory)
    }

    /// The block of each instruction, by place; empty if there is only one block.
    pub(crate) fn scopes(&mut self, body: &Body) -> (&[Scope], &mut Memory) {
        (self.scopes.get(|scopes| find_scopes(body, scopes)), &mut self.memory)
    }

    /// Where values are defined, and the blocks of instructions.
    pub(crate) fn known_and_scopes(&mut self, body: &Body) -> (&Known, &[Scope], &mut Memory) {
        (
            self.known.get(|known| known.find(body)),
            self.scopes.get(|scopes| find_scopes(body, scopes)),
            &mut self.memory,
        )
    }

    /// Where values are defined, the blocks of instructions, and how often each value is read, by id.
    pub(crate) fn all(&mut self, body: &Body) -> (&Known, &[Scope], &[u32], &mut Memory) {
        (
            self.known.get(|known| known.find(body)),
            self.scopes.get(|scopes| find_scopes(body, scopes)),
            self.uses.get(|uses| count_uses(body, uses)),
            &mut self.memory,
        )
    }

    /// Forgets everything: the body changed, or is another one.
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

/// The block that an instruction is in.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Scope {
    /// The number of the block in reading order.
    pub(crate) number: u32,
    /// How many blocks are around it.
    pub(crate) depth: u32,
    /// One more than the place of the instruction whose block it is; 0 for the outermost one.
    pub(crate) around: u32,
}

/// An instruction whose blocks are being visited.
struct Open<'a> {
    /// Where the blocks that have not ended yet end, from `start`.
    ends: &'a [u32],
    start: usize,
    scope: Scope,
}

fn find_scopes(body: &Body, scopes: &mut Vec<Scope>) {
    scopes.clear();
    if !body.has(kinds::NESTING) {
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
