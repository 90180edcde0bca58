//! Code motion out of blocks: hoists loop-invariant instructions out of LOOPs, and hoists an instruction out of an IF if both
//! blocks of the IF contain it.
//!
//! The pass has no prerequisites and preserves types and control flow. Derivatives and texture samples are not moved, because
//! they depend on control flow. Reads of local slots are not moved, because a POKE may change the slot.

use sdlbc::{Block, Id, Inst, Op, OpSet};

use crate::analyses::Scope;
use crate::body::{Substitution, index, narrow, wide};
use crate::known::Known;
use crate::properties;
use crate::{Analyses, Body, Changed};

pub(crate) fn run(body: &mut Body, analyses: &mut Analyses) -> Changed {
    if !body.has(OpSet::of(&[Op::If, Op::Loop])) {
        return Changed::No;
    }
    let (known, scopes, memory) = analyses.known_and_scopes(body);
    let to = &mut memory.places;
    to.clear();
    to.resize(body.insts().len(), 0);
    let mut moves = Moves { body, known, scopes, levels: Vec::new(), to, by: Substitution::default(), any: false };
    moves.block(body.function().body.block(), 0, 1);
    let Moves { to, by, any: true, .. } = moves else { return Changed::No };
    let mut added = Vec::new();
    // Moved instructions keep their original order, so each moved instruction follows the operands that move with it.
    let mut places: Vec<u32> = Vec::with_capacity(to.len());
    let mut kept = 0;
    for (at, (&to, inst)) in to.iter().zip(body.insts()).enumerate() {
        places.push(kept);
        match wide(to).checked_sub(1) {
            Some(to) => added.push((places.get(to).copied().map_or(at, wide), inst.clone())),
            None => kept += 1,
        }
    }
    let flags: Vec<bool> = to.iter().map(|to| *to == 0).collect();
    body.keep(&flags);
    body.insert_all(&mut added);
    body.substitute(&by);
    Changed::Yes
}

struct Moves<'a> {
    body: &'a Body,
    known: &'a Known,
    scopes: &'a [Scope],
    /// The number of blocks around the new position of each moved value, indexed by id. The table is empty until a value is
    /// moved.
    levels: Vec<Option<u32>>,
    /// One more than the index of the instruction before which each instruction moves, or 0 for an instruction that stays.
    to: &'a mut [u32],
    by: Substitution,
    any: bool,
}

impl Moves<'_> {
    /// Hoists instructions out of the blocks nested in `block`, which begins at the index `start`. The function's outermost block
    /// has the level 1.
    fn block(&mut self, block: Block<'_>, start: usize, level: u32) {
        for (at, inst) in block.nesting() {
            let before = start + at;
            let mut inner = before + 1;
            for block in inst.blocks() {
                self.block(block, inner, level + 1);
                if inst.op == Op::Loop {
                    self.invariant(block, inner, before, level);
                }
                inner += block.all().len();
            }
            if inst.op == Op::If {
                self.common(inst, before, level);
            }
        }
    }

    /// Hoists the instructions of a LOOP's block that read only values defined outside the LOOP.
    fn invariant(&mut self, block: Block<'_>, start: usize, before: usize, level: u32) {
        for (at, inst) in own(block, start) {
            if is_movable(inst, self.body) && self.is_outside(inst, level) {
                self.move_to(at, inst, before, level);
            }
        }
    }

    fn common(&mut self, inst: sdlbc::InstRef<'_>, before: usize, level: u32) {
        let mut blocks = inst.blocks();
        let (Some(accept), Some(reject)) = (blocks.next(), blocks.next()) else { return };
        let start = before + 1;
        let rest: Vec<(usize, &Inst)> =
            own(reject, start + accept.all().len()).filter(|(_, inst)| is_movable(inst, self.body)).collect();
        if rest.is_empty() {
            return;
        }
        for (at, inst) in own(accept, start) {
            if !is_movable(inst, self.body) || !self.is_outside(inst, level) {
                continue;
            }
            let is_same = |other: &Inst| {
                other.op == inst.op
                    && other.immediates == inst.immediates
                    && other.inputs.len() == inst.inputs.len()
                    && other.inputs.iter().zip(&inst.inputs).all(|(a, b)| self.by.of(*a) == self.by.of(*b))
            };
            let Some((_, other)) = rest.iter().find(|(at, other)| self.to.get(*at) == Some(&0) && is_same(other))
            else {
                continue;
            };
            self.by.replace(other.output, inst.output);
            self.set_level(other.output, level);
            self.move_to(at, inst, before, level);
        }
    }

    /// Returns the number of blocks around the definition of a value, or 0 for an input.
    fn level(&self, id: Id) -> u32 {
        let moved = self.levels.get(index(id)).copied().flatten();
        let defined =
            || self.known.place(id).map_or(0, |at| self.scopes.get(at).map_or(u32::MAX, |scope| scope.depth + 1));
        moved.unwrap_or_else(defined)
    }

    fn set_level(&mut self, id: Id, level: u32) {
        self.levels.resize(self.levels.len().max(self.body.ids()), None);
        if let Some(known) = self.levels.get_mut(index(id)) {
            *known = Some(level);
        }
    }

    fn is_outside(&self, inst: &Inst, level: u32) -> bool {
        inst.inputs.iter().filter(|id| id.is_some()).all(|&id| self.level(id) <= level)
    }

    fn move_to(&mut self, at: usize, inst: &Inst, before: usize, level: u32) {
        if let Some(to) = self.to.get_mut(at) {
            *to = narrow(before + 1);
            self.any = true;
            self.set_level(inst.output, level);
        }
    }
}

/// Returns the block's own instructions that have no nested blocks, with their indices.
fn own(block: Block<'_>, start: usize) -> impl Iterator<Item = (usize, &Inst)> {
    let mut next = start;
    block.iter().filter_map(move |inst| {
        let at = next;
        next += 1 + inst.inner().len();
        inst.blocks().is_empty().then(|| (at, inst.inst()))
    })
}

/// Reports whether an instruction computes the same value anywhere in the function.
fn is_movable(inst: &Inst, body: &Body) -> bool {
    inst.output.is_some() && properties::of(inst.op).is_movable && !body.reads_slot(inst)
}
