//! Common subexpression elimination: replaces an instruction that repeats an earlier computation with the earlier result. The
//! pass numbers values within scopes, because a value may be read only up to the end of its block.
//!
//! The pass has no prerequisites and preserves types and control flow. Calls, PHIs and reads of local slots are not
//! replaced.

use sdlbc::{Id, Inst, Op};

use crate::analyses::{Memory, Scope};
use crate::body::{Substitution, narrow, wide};
use crate::properties;
use crate::{Analyses, Body, Changed};

pub(crate) fn run(body: &mut Body, analyses: &mut Analyses) -> Changed {
    let (scopes, Memory { by, places: table, flags: open, .. }) = analyses.scopes(body);
    by.clear();
    let count = body.insts().len();
    // The hash table maps the contents of instructions to their indices plus one, and is at most half full.
    let size = (count * 2).next_power_of_two();
    table.clear();
    table.resize(size, 0);
    // The flag of each scope is set while the scope is open.
    open.clear();
    open.resize(scopes.iter().map(|scope| wide(scope.number) + 1).max().unwrap_or(0), false);
    let mut path: Vec<u32> = Vec::new();
    for at in 0..count {
        if let Some(&scope) = scopes.get(at) {
            enter(scope, &mut path, open);
        }
        body.substitute_at(at, by);
        let pure = |inst: &&Inst| properties::of(inst.op).is_pure && inst.output.is_some() && !body.reads_slot(inst);
        if let Some(inst) = body.insts().get(at).filter(pure) {
            number(at, inst, body, table, by, |other| scopes.get(other).is_none_or(|scope| is_open(*scope, open)));
        }
    }
    let changed = !by.is_empty();
    body.substitute(by);
    changed.into()
}

/// The maximum number of table slots that are probed for an instruction, so that a hostile file with colliding instructions does
/// not take quadratic time. An instruction whose content is not found within this limit is not replaced.
const PROBES: usize = 128;

/// The number of probes that begin at a slot computed from the newest operand; later probes begin at a slot computed from the
/// hash. Most instructions read a recently computed value, so neighbouring instructions use neighbouring slots. This locality
/// matters because the table may be larger than the processor's caches.
const NEAR: usize = 4;

/// Replaces an instruction's result with the result of a visible instruction with the same content, or adds the instruction to
/// the table.
fn number(
    at: usize,
    inst: &Inst,
    body: &Body,
    table: &mut [u32],
    by: &mut Substitution,
    is_visible: impl Fn(usize) -> bool,
) {
    let content = Content::of(inst, body);
    let hash = content.hash();
    // The low bits of a table entry, which are as wide as a slot number, contain an instruction's index plus one. The high bits
    // come from the hash.
    let mask = narrow(table.len() - 1);
    let entry = narrow(at + 1) | hash & !mask;
    let newest = content.first[0].max(content.first[1]);
    let mut slot = if newest.is_some() { newest.0.wrapping_mul(2) } else { hash };
    for probe in 0..PROBES {
        if probe == NEAR && newest.is_some() {
            slot = hash;
        }
        let Some(held) = table.get_mut(wide(slot & mask)) else { return };
        slot = slot.wrapping_add(1);
        if *held == 0 {
            *held = entry;
            return;
        }
        if (*held ^ hash) & !mask != 0 {
            continue;
        }
        let other = wide(*held & mask).wrapping_sub(1);
        if let Some(same) = body.insts().get(other)
            && same.op == inst.op
            && Content::of(same, body) == content
        {
            match is_visible(other) {
                true => by.replace(inst.output, same.output),
                false => *held = entry,
            }
            return;
        }
    }
}

fn is_open(scope: Scope, open: &[bool]) -> bool {
    open.get(wide(scope.number)).copied().unwrap_or(false)
}

/// Closes the scopes that ended before an instruction, and opens the scope of the instruction.
fn enter(scope: Scope, path: &mut Vec<u32>, open: &mut [bool]) {
    let depth = wide(scope.depth);
    if path.get(depth) == Some(&scope.number) && path.len() == depth + 1 {
        return;
    }
    while path.len() > depth && path.get(depth) != Some(&scope.number) || path.len() > depth + 1 {
        let Some(closed) = path.pop() else { break };
        if let Some(flag) = open.get_mut(wide(closed)) {
            *flag = false;
        }
    }
    if path.len() == depth {
        path.push(scope.number);
        if let Some(flag) = open.get_mut(wide(scope.number)) {
            *flag = true;
        }
    }
}

/// The content of an instruction. Two instructions with equal content compute the same value.
#[derive(PartialEq)]
struct Content<'a> {
    /// The first two operands, in ascending order if their order does not matter.
    first: [Id; 2],
    rest: &'a [Id],
    immediates: &'a [u32],
    op: Op,
}

impl<'a> Content<'a> {
    fn of(inst: &'a Inst, body: &Body) -> Content<'a> {
        let (first, rest) = match &inst.inputs[..] {
            [] => ([Id::NONE; 2], &[][..]),
            [a] => ([*a, Id::NONE], &[][..]),
            [a, b, rest @ ..] if b < a && commutes(inst, body) => ([*b, *a], rest),
            [a, b, rest @ ..] => ([*a, *b], rest),
        };
        Content { op: inst.op, first, rest, immediates: &inst.immediates }
    }

    fn hash(&self) -> u32 {
        let mut hash = self.op.number();
        let mut add = |word: u32| hash = (hash.rotate_left(5) ^ word).wrapping_mul(0x9e37_79b1);
        let [a, b] = self.first;
        add(a.0);
        add(b.0);
        self.rest.iter().for_each(|id| add(id.0));
        self.immediates.iter().for_each(|word| add(*word));
        hash ^ hash >> 15
    }
}

fn commutes(inst: &Inst, body: &Body) -> bool {
    properties::of(inst.op).commutes && (inst.op != Op::Multiply || inst.inputs.iter().all(|&id| body.width(id) > 0))
}
