//! What passes ask about a body: computed when it is asked for, and forgotten when a pass changes the body.

use std::rc::Rc;

use sdlbc::Id;

use crate::Body;
use crate::body::index;

/// What is known about a body.
#[derive(Debug, Default)]
pub struct Analyses {
    uses: Option<Rc<Vec<u32>>>,
}

impl Analyses {
    /// How often each value is read, by id.
    pub fn uses(&mut self, body: &Body) -> Rc<Vec<u32>> {
        self.uses.get_or_insert_with(|| Rc::new(uses(body))).clone()
    }

    /// Forgets everything: the body changed.
    pub(crate) fn forget(&mut self) {
        *self = Analyses::default();
    }
}

fn uses(body: &Body) -> Vec<u32> {
    let mut uses = vec![0u32; body.ids()];
    for &id in body.insts().iter().flat_map(|inst| &inst.inputs) {
        if let Some(count) = uses.get_mut(index(id)).filter(|_| id != Id::NONE) {
            *count = count.saturating_add(1);
        }
    }
    uses
}

/// The block that an instruction is in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scope {
    /// The number of the block in reading order.
    pub(crate) number: usize,
    /// How many blocks are around it.
    pub(crate) depth: usize,
}

/// The block of each instruction, by place.
pub(crate) fn scopes(body: &Body) -> Vec<Scope> {
    let mut scopes = Vec::with_capacity(body.insts().len());
    let mut next = 0;
    visit(body.function().body.block(), 0, &mut next, &mut scopes);
    scopes
}

fn visit(block: sdlbc::Block<'_>, depth: usize, next: &mut usize, scopes: &mut Vec<Scope>) {
    let number = *next;
    *next += 1;
    for inst in block {
        scopes.push(Scope { number, depth });
        inst.blocks().for_each(|block| visit(block, depth + 1, next, scopes));
    }
}
