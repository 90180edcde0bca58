//! Code that moves out of blocks: what a LOOP computes in each iteration from values that do not change, and what both blocks of an
//! IF compute.
//!
//! Requires nothing. Keeps types and control flow. Breaks nothing. Derivatives and samples, which depend on control flow, and reads
//! of local slots stay where they are.

use sdlbc::{Block, Id, Inst, Op, OpSet};

use crate::body::{Substitution, index};
use crate::kinds;
use crate::{Analyses, Body, Changed};

/// See the file.
pub(crate) fn run(body: &mut Body, _: &mut Analyses) -> Changed {
    if !body.has(OpSet::of(&[Op::If, Op::Loop])) {
        return Changed::No;
    }
    let mut moves = Moves {
        body,
        levels: vec![0; body.ids()],
        to: vec![None; body.insts().len()],
        by: Substitution::default(),
        next: 0,
    };
    moves.block(body.function().body.block(), 1);
    let Moves { to, by, .. } = moves;
    if to.iter().all(Option::is_none) {
        return Changed::No;
    }
    let mut added = Vec::new();
    let mut kept = vec![true; to.len()];
    for (at, to) in to.iter().enumerate() {
        let (Some(to), Some(inst)) = (to, body.insts().get(at)) else { continue };
        added.push((*to, inst.clone()));
        if let Some(kept) = kept.get_mut(at) {
            *kept = false;
        }
    }
    // Both lists are in the order of the old places, so that a value moves with what it reads.
    let places: Vec<u32> = kept
        .iter()
        .scan(0, |before, kept| {
            let at = *before;
            *before += u32::from(*kept);
            Some(at)
        })
        .collect();
    let place = |at: usize| places.get(at).map_or(0, |&at| usize::try_from(at).unwrap_or(usize::MAX));
    added.iter_mut().for_each(|(at, _): &mut (usize, Inst)| *at = place(*at));
    body.keep(&kept);
    body.insert_all(&mut added);
    body.substitute(&by);
    Changed::Yes
}

struct Moves<'a> {
    body: &'a Body,
    /// By id: how many blocks are around the definition; 0 for inputs.
    levels: Vec<u32>,
    /// By place: the instruction that it moves before.
    to: Vec<Option<usize>>,
    by: Substitution,
    next: usize,
}

impl Moves<'_> {
    /// The instructions of a block that has `level - 1` blocks around it.
    fn block(&mut self, block: Block<'_>, level: u32) {
        for inst in block {
            let at = self.next;
            self.next += 1;
            if let Some(known) = self.levels.get_mut(index(inst.output)).filter(|_| inst.output.is_some()) {
                *known = level;
            }
            for inner in inst.blocks() {
                let start = self.next;
                self.block(inner, level + 1);
                if inst.op == Op::Loop {
                    self.invariant(inner, start, at, level);
                }
            }
            if inst.op == Op::If {
                self.common(inst, at, level);
            }
        }
    }

    /// Moves what a LOOP's block computes from values that are defined outside.
    fn invariant(&mut self, block: Block<'_>, start: usize, before: usize, level: u32) {
        for (at, inst) in own(block, start) {
            if is_movable(inst, self.body) && self.is_outside(inst, level) {
                self.move_to(at, inst, before, level);
            }
        }
    }

    /// Moves what both blocks of an IF compute.
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
            let Some((_, other)) = rest.iter().find(|(at, other)| self.to.get(*at) == Some(&None) && is_same(other))
            else {
                continue;
            };
            self.by.replace(other.output, inst.output);
            if let Some(known) = self.levels.get_mut(index(other.output)) {
                *known = level;
            }
            self.move_to(at, inst, before, level);
        }
    }

    fn is_outside(&self, inst: &Inst, level: u32) -> bool {
        let level_of = |id: &Id| self.levels.get(index(*id)).copied().unwrap_or(u32::MAX);
        inst.inputs.iter().filter(|id| id.is_some()).all(|id| level_of(id) <= level)
    }

    fn move_to(&mut self, at: usize, inst: &Inst, before: usize, level: u32) {
        if let (Some(to), Some(known)) = (self.to.get_mut(at), self.levels.get_mut(index(inst.output))) {
            *to = Some(before);
            *known = level;
        }
    }
}

/// A block's own instructions without blocks, with their places.
fn own(block: Block<'_>, start: usize) -> impl Iterator<Item = (usize, &Inst)> {
    let mut next = start;
    block.iter().filter_map(move |inst| {
        let at = next;
        next += 1 + inst.inner().len();
        inst.blocks().is_empty().then(|| (at, inst.inst()))
    })
}

/// Whether an instruction computes the same wherever it is.
fn is_movable(inst: &Inst, body: &Body) -> bool {
    let of_slot = inst.op == Op::Peek && inst.inputs.first().is_some_and(|&of| body.is_slot(of));
    inst.output.is_some() && kinds::of(inst.op).is_movable && !of_slot
}
