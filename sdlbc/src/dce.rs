//! Finds unused instructions, and numbers ids in reading order.
//!
//! Requires: every id is defined before its use, except for the second values of PHIs at the head of a LOOP. Keeps: writes,
//! atomic operations, barriers, jumps, LOOPs, calls, each IF or SWITCH that contains a kept instruction or precedes a kept PHI, and
//! the operands of all these instructions. The PHIs of a LOOP are always kept, because the backward traversal reaches the definitions of their
//! second values before it has seen all uses of the PHIs. A write to a local slot is kept only if a read of the slot is needed. A
//! read before the write also counts, because a LOOP may run the read again after the write. A write that other invocations can
//! see is always kept.

use crate::body::end_after;
use crate::{Body, Function, Id, IdMap, Input, Inst, Op, flow};

/// Returns, for each instruction in reading order, whether the instruction is needed. Sets the flag in `used` of each
/// value that a needed instruction reads; all flags must initially be false.
pub(crate) fn needed(body: &Body, inputs: &[Input], used: &mut [bool]) -> Vec<bool> {
    let mut needed = traverse(body, inputs, used, None);
    // The backward traversal decides on a write before it reaches the earlier reads of the slot, so the traversal is repeated
    // until the result no longer changes.
    if body.insts().iter().any(|inst| inst.op == Op::Poke && inst.inputs.len() == 3) {
        loop {
            used.fill(false);
            let again = traverse(body, inputs, used, Some(&needed));
            if again == needed {
                break;
            }
            needed = again;
        }
    }
    needed
}

/// Performs one traversal for [`needed`]. Reads that `before` marks as not needed are ignored.
fn traverse(body: &Body, inputs: &[Input], used: &mut [bool], before: Option<&[bool]>) -> Vec<bool> {
    let insts = body.insts();
    let flat = insts.iter().all(|inst| inst.ends.is_empty());
    // If code has no blocks and each result is read, all instructions are needed, by induction from the last instruction.
    if flat {
        insts.iter().flat_map(|inst| &inst.inputs).for_each(|&id| mark(used, id));
        let is_needed = |inst: &Inst| {
            let stays = inst.op.has_result_and_effect() || !inst.op.shape().output;
            inst.op != Op::Nop && (is_used(used, inst.output) || stays)
        };
        if insts.iter().all(is_needed) {
            return vec![true; insts.len()];
        }
        used.fill(false);
    }
    // The LOOPs are sorted by the ends of their blocks, in descending order.
    let mut loops: Vec<(usize, usize)> = Vec::new();
    for (at, inst) in insts.iter().enumerate().filter(|(_, inst)| !flat && inst.op == Op::Loop) {
        loops.push((at + 1 + inst.inner(), at + 1));
    }
    loops.sort_by(|a, b| b.cmp(a));
    let mut loops = loops.into_iter().peekable();
    // The traversal goes backwards, so that it sees each use of a value before the value's definition.
    let block_ends = if flat { Vec::new() } else { block_ends(insts) };
    let mut needed = vec![false; insts.len()];
    let (mut read, mut seen) = (None, None);
    for (at, inst) in insts.iter().enumerate().rev() {
        while !flat && let Some((end, head)) = loops.next_if(|&(end, _)| end > at) {
            let code = insts.get(head..end).unwrap_or_default();
            for phi in code.iter().take(flow::phis(code)).filter(|inst| inst.op == Op::Phi) {
                phi.inputs.iter().chain([&phi.output]).for_each(|&id| mark(used, id));
            }
        }
        let is_needed = match inst.op {
            Op::Nop => false,
            Op::If | Op::Switch => {
                let inner = at + 1..at + 1 + inst.inner();
                let end = block_ends.get(at).copied().unwrap_or(insts.len());
                let after = insts.get(inner.end..end).unwrap_or_default();
                let joined = inner.end..inner.end + flow::phis(after);
                let any = |range| needed.get(range).is_some_and(|needed: &[bool]| needed.contains(&true));
                any(inner) || any(joined)
            }
            Op::Poke if inst.inputs.len() == 3 => {
                let slot = inst.inputs.get(1).copied().unwrap_or_default();
                let first = read.get_or_insert_with(|| first_reads(insts, before)).get(slot).copied();
                let ids =
                    || inputs.iter().filter(|input| input.kind.is_seen_by_others()).map(|input| input.id).collect();
                let seen: &Vec<Id> = seen.get_or_insert_with(ids);
                is_used(used, slot) || first.is_some_and(|first| first < at) || seen.contains(&slot)
            }
            // A LOOP may never terminate.
            Op::Loop => true,
            op if op.has_result_and_effect() => true,
            _ => is_used(used, inst.output) || !inst.op.shape().output,
        };
        if is_needed {
            inst.inputs.iter().for_each(|&id| mark(used, id));
            if let Some(flag) = needed.get_mut(at) {
                *flag = true;
            }
        }
    }
    needed
}

/// Returns the index of the first read of each slot. Reads that `before` marks as not needed are ignored.
fn first_reads(insts: &[Inst], before: Option<&[bool]>) -> IdMap<usize> {
    let mut first = IdMap::default();
    for (at, inst) in insts.iter().enumerate().rev().filter(|(_, inst)| inst.op == Op::Peek) {
        if before.is_some_and(|before| before.get(at) == Some(&false)) {
            continue;
        }
        if let Some(&slot) = inst.inputs.first() {
            first.insert(slot, at);
        }
    }
    first
}

fn block_ends(insts: &[Inst]) -> Vec<usize> {
    // The stack contains the ends of the open blocks, with the nearest end on top.
    let mut open = vec![insts.len()];
    let end_of = |(at, inst): (usize, &Inst)| {
        while open.last().is_some_and(|&end| end <= at) {
            open.pop();
        }
        let end = open.last().copied().unwrap_or(insts.len());
        open.extend(inst.ends.iter().rev().map(|&end| end_after(at, end)));
        end
    };
    insts.iter().enumerate().map(end_of).collect()
}

pub(crate) fn mark(used: &mut [bool], id: Id) {
    if let Some(mark) = used.get_mut(id.0 as usize).filter(|_| id.is_some()) {
        *mark = true;
    }
}

pub(crate) fn is_used(used: &[bool], id: Id) -> bool {
    used.get(id.0 as usize).copied().unwrap_or(false)
}

/// Renumbers the ids as 1, 2, 3 ... in reading order, and returns the new id of each old id. All ids are numbered before any use
/// is renamed, because a PHI at the head of a LOOP may use an id that is defined later.
pub fn renumber(function: &mut Function) -> IdMap<Id> {
    let mut numbers = IdMap::for_values(function.inputs.len() + function.body.insts().len());
    let mut next = 0;
    let mut fresh = |old: Id| {
        next += 1;
        numbers.insert(old, Id(next));
        Id(next)
    };
    for input in &mut function.inputs {
        input.id = fresh(input.id);
    }
    let stored = |inst: &&mut Inst| inst.output.is_some();
    function.body.insts_mut().iter_mut().filter(stored).for_each(|inst| inst.output = fresh(inst.output));
    for id in function.body.insts_mut().iter_mut().flat_map(|inst| &mut inst.inputs) {
        *id = numbers.get(*id).copied().unwrap_or_default();
    }
    numbers
}
