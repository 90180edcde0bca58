//! The rule about barriers: all invocations of a workgroup reach a BARRIER together (V63).
//!
//! Rule: a value is *uniform* if it is the same in all invocations of a workgroup. Literals, uniform inputs, the sizes of buffers
//! and storage textures, the workgroup's position and the workgroup counts are uniform. An element of a uniform array or of a
//! read-only storage buffer is uniform if its index is uniform. A result computed only from uniform values is uniform. A PHI is
//! uniform if its values and the choice between them are uniform. Inputs that POKE may write, textures, the positions of
//! invocations and the results of CALLs are not uniform.
//!
//! A block is uniform if all invocations of the workgroup run the block together. After a BREAK, CONTINUE or RETURN in a block
//! that is not uniform, the rest of each block that the jump leaves is not uniform either. Invocations that leave a LOOP or a
//! SWITCH by a BREAK reconverge after the LOOP or SWITCH.
//!
//! A PHI at the head of a LOOP may depend on values from the end of the LOOP's block. The analysis therefore walks the code until
//! nothing changes, but at most [`ROUNDS`] times. If the last walk still changes a result, all LOOPs count as divergent.

use super::report::Report;
use super::{Detail, Rule};
use crate::{Access, Block, Builtin, Function, Id, IdMap, InputKind, Inst, InstRef, Op, flow, limits};

/// The maximum number of walks through the code. Each walk propagates facts through one more iteration of a LOOP. More than two
/// or three walks are rarely needed.
const ROUNDS: usize = 16;

/// Reports each BARRIER of a compute function that the invocations of a workgroup might not reach together.
pub(super) fn check(function: &Function, report: &mut Report<'_>) {
    if !function.body.insts().iter().any(|inst| inst.op == Op::Barrier) {
        return;
    }
    let values = function.inputs.len() + function.body.insts().len();
    let mut walk = Walk { uniform: IdMap::for_values(values), ..Walk::default() };
    for input in &function.inputs {
        walk.uniform.insert(input.id, is_uniform_input(input.kind));
    }
    for _ in 0..ROUNDS {
        walk.run(function);
        if !walk.changed {
            break;
        }
    }
    if walk.changed {
        walk.all_divergent = true;
        walk.run(function);
    }
    for at in walk.barriers {
        report.add_at(at, Rule::UniformBarrier, Detail::Op(Op::Barrier));
    }
}

/// Reports whether all invocations of a workgroup read the same value from an input, given a uniform index.
const fn is_uniform_input(kind: InputKind) -> bool {
    match kind {
        InputKind::Uniform | InputKind::Placed { .. } | InputKind::Buffer { access: Access::Read, .. } => true,
        InputKind::Builtin(builtin) => matches!(builtin, Builtin::WorkgroupId | Builtin::NumWorkgroups),
        _ => false,
    }
}

#[derive(Clone, Copy)]
struct Open {
    /// The index of the LOOP instruction, or `None` for a SWITCH.
    repeats: Option<usize>,
    /// Whether some invocations may have left the LOOP or SWITCH while others stayed inside.
    is_divergent: bool,
}

#[derive(Default)]
struct Walk {
    /// Whether each value is uniform, indexed by id. The PHIs at the heads of LOOPs are assumed to be uniform at first.
    uniform: IdMap<bool>,
    /// The indices of the LOOPs whose blocks are not uniform.
    divergent_loops: Vec<usize>,
    open: Vec<Open>,
    depth: usize,
    /// Whether some invocations may have returned from the function while others continued.
    returned: bool,
    changed: bool,
    /// Whether all LOOPs count as divergent, because the walks did not reach a fixed point.
    all_divergent: bool,
    /// The indices of the BARRIERs outside uniform control flow.
    barriers: Vec<usize>,
}

impl Walk {
    fn run(&mut self, function: &Function) {
        self.changed = false;
        self.returned = false;
        self.barriers.clear();
        self.block(function.body.block(), 0, true);
    }

    /// Reports whether all invocations of a workgroup are still together in a block. `uniform` is true if they entered the block
    /// together.
    fn together(&self, uniform: bool) -> bool {
        uniform && !self.returned && self.open.iter().all(|open| !open.is_divergent)
    }

    fn is_uniform(&self, id: Id) -> bool {
        !id.is_some() || self.uniform.get(id).copied().unwrap_or(false)
    }

    fn set(&mut self, id: Id, uniform: bool) {
        if id.is_some() {
            self.uniform.insert(id, uniform);
        }
    }

    /// Walks a block whose first instruction has the index `start`. `uniform` is true if all invocations enter the block
    /// together.
    fn block(&mut self, block: Block<'_>, start: usize, uniform: bool) {
        if self.depth > limits::NESTING {
            return;
        }
        self.depth += 1;
        let mut at = start;
        // A PHI after an IF can be uniform only if the condition is uniform and the invocations are together after the IF.
        let mut joins = false;
        for inst in block {
            let here = self.together(uniform);
            match inst.op {
                Op::Nop => {}
                Op::If => {
                    let condition = inst.inputs.first().is_some_and(|&id| self.is_uniform(id));
                    self.arms(inst, at, here && condition);
                    joins = condition && self.together(uniform);
                }
                Op::Switch => {
                    let selector = inst.inputs.first().is_some_and(|&id| self.is_uniform(id));
                    self.open.push(Open { repeats: None, is_divergent: false });
                    self.arms(inst, at, here && selector);
                    self.open.pop();
                }
                Op::Loop => self.repeat(inst, at, here),
                Op::Break => self.leave(here, |_| true),
                Op::Continue => self.leave(here, |open| open.repeats.is_some()),
                Op::Return => self.returned |= !here,
                Op::Barrier if !here => self.barriers.push(at),
                Op::Phi if self.is_head(at, block, start) => {}
                Op::Phi => {
                    let uniform = joins && inst.inputs.iter().all(|&id| self.is_uniform(id));
                    self.set(inst.output, uniform);
                }
                _ => self.set(inst.output, self.computes(&inst)),
            }
            at += 1 + inst.inner().len();
        }
        self.depth -= 1;
    }

    /// Reports whether the instruction at an index is one of the PHIs at the head of a LOOP's block.
    fn is_head(&self, at: usize, block: Block<'_>, start: usize) -> bool {
        let is_body = self.open.last().is_some_and(|open| open.repeats.is_some_and(|of| of + 1 == start));
        is_body && at < start + flow::phis(block.all())
    }

    fn computes(&self, inst: &Inst) -> bool {
        matches!(inst.op, Op::BufferSize | Op::ImageSize)
            || inst.op != Op::Call && inst.inputs.iter().all(|&id| self.is_uniform(id))
    }

    fn arms(&mut self, inst: InstRef<'_>, at: usize, uniform: bool) {
        let mut start = at + 1;
        for block in inst.blocks() {
            if let (Op::Switch, Some(open)) = (inst.op, self.open.last_mut()) {
                // The end of a case leaves the SWITCH and does not fall through to the next case.
                open.is_divergent = false;
            }
            self.block(block, start, uniform);
            start += block.all().len();
        }
    }

    /// Marks as divergent each LOOP and SWITCH that a jump leaves, unless all invocations jump together (`here`). The jump leaves
    /// every open LOOP and SWITCH up to and including the innermost one for which `target` returns true.
    fn leave(&mut self, here: bool, target: fn(&Open) -> bool) {
        if here {
            return;
        }
        for open in self.open.iter_mut().rev() {
            open.is_divergent = true;
            if target(open) {
                break;
            }
        }
    }

    fn repeat(&mut self, inst: InstRef<'_>, at: usize, here: bool) {
        let is_divergent = self.all_divergent || self.divergent_loops.contains(&at);
        let Some(block) = inst.blocks().next() else { return };
        let all = block.all();
        let head: Vec<&Inst> = all.iter().take(flow::phis(all)).filter(|inst| inst.op == Op::Phi).collect();
        for phi in &head {
            let entry = phi.inputs.first().is_some_and(|&id| self.is_uniform(id));
            let known = self.uniform.get(phi.output).copied().unwrap_or(true);
            self.set(phi.output, known && entry && here && !is_divergent);
        }
        self.open.push(Open { repeats: Some(at), is_divergent: false });
        let returned = self.returned;
        self.block(block, at + 1, here && !is_divergent);
        let left = self.open.pop();
        // An invocation that leaves the function does not reach the next iteration of the LOOP.
        let diverges = left.is_some_and(|open| open.is_divergent) || self.returned && !returned;
        if diverges && !is_divergent {
            self.divergent_loops.push(at);
            self.changed = true;
        }
        for phi in &head {
            let again = phi.inputs.get(1).is_none_or(|&id| self.is_uniform(id));
            if !again && self.uniform.get(phi.output) == Some(&true) {
                self.set(phi.output, false);
                self.changed = true;
            }
        }
    }
}
