//! Removes what nobody uses, and numbers the rest in reading order.
//!
//! Requires: ids are defined before their use. Keeps: everything that an output, a discard or their conditions need.

use crate::{Block, Function, Id, Op};

/// Removes the instructions of `block` whose results are not `used`, and marks what the others use.
pub(crate) fn sweep(block: &mut Block, used: &mut [bool]) {
    // Backward, so that a use is seen before its definition. `phi` remembers whether a PHI behind the IF is used.
    let mut kept = Vec::with_capacity(block.len());
    let mut phi = false;
    while let Some(mut inst) = block.pop() {
        let wanted = match inst.op {
            Op::Nop => false,
            Op::If => {
                for arm in &mut inst.blocks {
                    sweep(arm, used);
                }
                let wanted = phi || inst.blocks.iter().any(|arm| !arm.is_empty());
                phi = false;
                wanted
            }
            _ => !inst.op.shape().output || is_used(used, inst.output),
        };
        if wanted {
            phi |= inst.op == Op::Phi;
            for &id in &inst.inputs {
                if let Some(mark) = used.get_mut(id.0 as usize) {
                    *mark = true;
                }
            }
            kept.push(inst);
        }
    }
    kept.reverse();
    *block = kept;
}

fn is_used(used: &[bool], id: Id) -> bool {
    used.get(id.0 as usize).copied().unwrap_or(false)
}

/// Numbers the ids 1, 2, 3 ... in reading order; gives the new number of each old one.
pub(crate) fn renumber(function: &mut Function, ids: usize) -> Vec<Option<Id>> {
    fn walk(block: &mut Block, fresh: &mut dyn FnMut(Id) -> Id) {
        for inst in block {
            if inst.output.is_some() {
                inst.output = fresh(inst.output);
            }
            for arm in &mut inst.blocks {
                walk(arm, fresh);
            }
        }
    }
    fn rename(block: &mut Block, numbers: &[Option<Id>]) {
        for inst in block {
            for id in &mut inst.inputs {
                *id = numbers.get(id.0 as usize).copied().flatten().unwrap_or_default();
            }
            for arm in &mut inst.blocks {
                rename(arm, numbers);
            }
        }
    }
    let mut numbers = vec![None; ids];
    let mut next = 0;
    let mut fresh = |old: Id| {
        next += 1;
        if let Some(slot) = numbers.get_mut(old.0 as usize) {
            *slot = Some(Id(next));
        }
        Id(next)
    };
    for input in &mut function.inputs {
        input.id = fresh(input.id);
    }
    walk(&mut function.body, &mut fresh);
    rename(&mut function.body, &numbers);
    numbers
}
