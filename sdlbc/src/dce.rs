//! Removes unused instructions and numbers the remaining ids in reading order.
//!
//! Requires: ids are defined before their use, except for the second values of PHIs at the head of a LOOP. Keeps: writes,
//! returns, control flow, calls, and the operands of these. Always keeps a LOOP's PHIs, since their uses in the block are not
//! known yet when they would have to be removed.

use crate::nested::{each_mut, instructions};
use crate::{Block, Function, Id, IdMap, Op, flow};

/// Removes the instructions of `block` whose results are not `used`, and marks the operands of the others as used. The block
/// must not be nested deeper than [`limits::NESTING`](crate::limits::NESTING).
pub(crate) fn sweep(block: &mut Block, used: &mut [bool]) {
    // Backward, so that a use is seen before its definition. `phi` records whether a PHI after the IF is used.
    let mut kept = Vec::with_capacity(block.len());
    let mut phi = false;
    while let Some(mut inst) = block.pop() {
        let wanted = match inst.op {
            Op::Nop => false,
            Op::If | Op::Switch => {
                for arm in &mut inst.blocks {
                    sweep(arm, used);
                }
                let wanted = phi || inst.blocks.iter().any(|arm| !arm.is_empty());
                phi = false;
                wanted
            }
            Op::Loop => {
                for body in &mut inst.blocks {
                    for phi in body.iter().take(flow::phis(body)).filter(|inst| inst.op == Op::Phi) {
                        phi.inputs.iter().chain([&phi.output]).for_each(|&id| mark(used, id));
                    }
                    sweep(body, used);
                }
                true
            }
            // It may discard.
            Op::Call => true,
            _ => !inst.op.shape().output || is_used(used, inst.output),
        };
        if wanted {
            phi |= inst.op == Op::Phi;
            inst.inputs.iter().for_each(|&id| mark(used, id));
            kept.push(inst);
        }
    }
    kept.reverse();
    *block = kept;
}

fn mark(used: &mut [bool], id: Id) {
    if let Some(mark) = used.get_mut(id.0 as usize) {
        *mark = true;
    }
}

fn is_used(used: &[bool], id: Id) -> bool {
    used.get(id.0 as usize).copied().unwrap_or(false)
}

/// Renumbers the ids as 1, 2, 3 ... in reading order; returns the new id of each old one. All ids are numbered before any use
/// is renamed, because a PHI at the head of a LOOP may use an id that is defined later.
pub(crate) fn renumber(function: &mut Function) -> IdMap<Id> {
    let mut numbers =
        IdMap::for_values(function.inputs.len() + instructions(std::slice::from_ref(&function.body)).count());
    let mut next = 0;
    let mut fresh = |old: Id| {
        next += 1;
        numbers.insert(old, Id(next));
        Id(next)
    };
    for input in &mut function.inputs {
        input.id = fresh(input.id);
    }
    each_mut(&mut function.body, |inst| {
        if inst.output.is_some() {
            inst.output = fresh(inst.output);
        }
    });
    each_mut(&mut function.body, |inst| {
        for id in &mut inst.inputs {
            *id = numbers.get(*id).copied().unwrap_or_default();
        }
    });
    numbers
}
