//! If-conversion: a conditional that only selects between cheaply computed values is replaced with the instructions of both
//! blocks and a SELECT for each PHI.
//!
//! The pass has no prerequisites and preserves types. Only operations without side effects are moved out of a conditional.
//! Derivatives and texture samples stay in the conditional because they depend on control flow.

use sdlbc::{Block, Few, Id, Inst, InstRef, Op, OpSet, flow};

use crate::{Analyses, Body, Changed, properties};

/// The maximum total cost of the two blocks of a conditional that is replaced.
const COST: usize = 3;

/// The maximum number of PHIs after a conditional that is replaced.
const PHIS: usize = 2;

pub(crate) fn run(body: &mut Body, analyses: &mut Analyses) -> Changed {
    if !body.has(OpSet::of(&[Op::If])) {
        return Changed::No;
    }
    let flags = &mut analyses.memory.flags;
    flags.clear();
    flags.resize(body.insts().len(), true);
    let mut chosen: Vec<(usize, Inst)> = Vec::new();
    choose(body.function().body.block(), 0, body, flags, &mut chosen);
    let changed = !chosen.is_empty();
    if changed {
        chosen.into_iter().for_each(|(at, inst)| body.set(at, inst));
        // The instructions in the blocks of a removed conditional are kept.
        body.keep(flags);
    }
    changed.into()
}

/// Finds the conditionals to replace in the block that begins at index `start`. Clears the flag of each conditional to
/// replace, and adds a SELECT for each of the conditional's PHIs to `chosen`.
fn choose(block: Block<'_>, start: usize, body: &Body, flags: &mut [bool], chosen: &mut Vec<(usize, Inst)>) {
    for (at, inst) in block.nesting() {
        let mut inner = start + at + 1;
        if may_choose(inst, body) {
            if let Some(flag) = flags.get_mut(inner - 1) {
                *flag = false;
            }
            let condition = inst.inputs.first().copied().unwrap_or_default();
            for (place, phi) in (inner + inst.inner().len()..).zip(phis(inst)) {
                let inputs: Few<Id> = std::iter::once(condition).chain(phi.inputs.iter().copied()).collect();
                chosen.push((place, Inst::new(Op::Select, phi.output, &inputs, &[])));
            }
            continue;
        }
        for block in inst.blocks() {
            choose(block, inner, body, flags, chosen);
            inner += block.all().len();
        }
    }
}

fn phis(inst: InstRef<'_>) -> &[Inst] {
    let after = inst.following().all();
    after.get(..flow::phis(after)).unwrap_or_default()
}

fn may_choose(inst: InstRef<'_>, body: &Body) -> bool {
    if inst.op != Op::If {
        return false;
    }
    let phis = phis(inst);
    let is_choice =
        |phi: &Inst| phi.op == Op::Phi && body.width(phi.output) > 0 && phi.inputs.iter().all(|id| id.is_some());
    if !(1..=PHIS).contains(&phis.len()) || !phis.iter().all(is_choice) {
        return false;
    }
    let within = |total: usize, inst: &Inst| total.checked_add(cost(inst, body)).filter(|&total| total <= COST);
    inst.inner().iter().try_fold(0, within).is_some()
}

/// Returns the cost of executing an instruction unconditionally, or `usize::MAX` if the instruction must not be moved.
fn cost(inst: &Inst, body: &Body) -> usize {
    match inst.op {
        Op::Peek if body.reads_slot(inst) => usize::MAX,
        Op::Peek if inst.inputs.get(1) == Some(&Id::NONE) => 0,
        Op::Swizzle | Op::Vector => 0,
        op if properties::of(op).is_literal => 0,
        Op::Add | Op::Subtract | Op::Multiply | Op::Negate | Op::Abs | Op::Min | Op::Max | Op::Clamp => 1,
        Op::Not | Op::LogicalAnd | Op::LogicalOr | Op::Convert | Op::Floor | Op::Fract | Op::Select => 1,
        Op::Equal | Op::NotEqual => 1,
        Op::LessThan | Op::LessThanOrEqual | Op::GreaterThan | Op::GreaterThanOrEqual => 1,
        _ => usize::MAX,
    }
}
