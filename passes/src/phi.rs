//! PHIs: one whose values are the same value is that value, and of two PHIs with the same values one is enough.
//!
//! Requires nothing. Keeps types and control flow. Breaks nothing: PHIs that are not read any more are left to `dce`.

use sdlbc::{Id, Op, OpSet};

use crate::analyses::Memory;
use crate::{Analyses, Body, Changed};

/// See the file.
pub(crate) fn run(body: &mut Body, analyses: &mut Analyses) -> Changed {
    if !body.has(OpSet::of(&[Op::Phi])) {
        return Changed::No;
    }
    let (scopes, Memory { by, .. }) = analyses.scopes(body);
    by.clear();
    // The PHIs of the conditional or loop before, with their values.
    let mut group: Vec<([Id; 2], Id)> = Vec::new();
    let mut scope = None;
    for (inst, of) in body.insts().iter().zip(scopes) {
        // The PHIs after a conditional may follow those of another that is the last instruction of its block.
        if scope.replace(of.number) != Some(of.number) {
            group.clear();
        }
        let [a, b] = inst.inputs[..] else {
            group.clear();
            continue;
        };
        if inst.op != Op::Phi {
            group.clear();
            continue;
        }
        let (a, b) = (by.of(a), by.of(b));
        // At the head of a loop, a value that stays what it was when the loop was entered.
        if a.is_some() && (a == b || b == inst.output) {
            by.replace(inst.output, a);
            continue;
        }
        match group.iter().find(|(values, _)| *values == [a, b]) {
            Some((_, same)) => by.replace(inst.output, *same),
            None => group.push(([a, b], inst.output)),
        }
    }
    let changed = !by.is_empty();
    body.substitute(by);
    changed.into()
}
