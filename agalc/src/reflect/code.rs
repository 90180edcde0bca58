//! A flat list of a function's reachable instructions, each with the instruction whose block contains it.
//!
//! Requires a verified module. Code after a jump is left out. For each PHI, the list states which of the PHI's values come from
//! a block whose end is reachable.

use std::collections::HashMap;

use sdlbc::{Block, Function, Id, Inst, InstRef, Insts, Nested, Op, flow};

#[derive(Debug)]
pub(super) struct Step<'a> {
    pub(super) inst: &'a Inst,
    /// The index of the instruction whose block contains this instruction, or `None` at the top level.
    pub(super) parent: Option<usize>,
    /// For a PHI after an IF, the index of that IF.
    pub(super) branch: Option<usize>,
    /// For a PHI, whether control can arrive from each of the two blocks that provide the PHI's values.
    pub(super) arrives: [bool; 2],
}

#[derive(Debug, Default)]
pub(super) struct Code<'a> {
    /// The reachable instructions, in reading order.
    pub(super) steps: Vec<Step<'a>>,
    /// The index of the instruction that defines each value.
    pub(super) defined: HashMap<Id, usize>,
}

struct Open<'a> {
    rest: Insts<'a>,
    parent: Option<usize>,
    /// The last IF in the block, and whether the end of each of the IF's blocks is reachable. PHIs may follow the IF.
    branch: Option<(usize, [bool; 2])>,
    /// The number of leading instructions that may be PHIs of a LOOP, and whether the LOOP repeats.
    head: (usize, bool),
    /// The blocks of the current instruction that have not been listed yet.
    inner: Nested<'a>,
    current: Option<(usize, InstRef<'a>)>,
}

impl<'a> Open<'a> {
    fn new(block: Block<'a>, around: Option<(usize, InstRef<'a>)>) -> Open<'a> {
        let repeats = around.filter(|(_, inst)| inst.op == Op::Loop);
        Open {
            rest: block.iter(),
            parent: around.map(|(index, _)| index),
            branch: None,
            head: repeats.map_or((0, false), |_| (flow::phis(block.all()), flow::goes_back(block))),
            inner: Nested::default(),
            current: None,
        }
    }
}

impl<'a> Code<'a> {
    pub(super) fn of(function: &'a Function) -> Code<'a> {
        let mut code = Code::default();
        let mut open = vec![Open::new(function.body.block(), None)];
        while let Some(top) = open.last_mut() {
            if let Some(block) = top.inner.next() {
                let inner = Open::new(block, top.current);
                open.push(inner);
                continue;
            }
            // Code after an instruction that never passes control to the next instruction is unreachable.
            let is_end = top.current.take().is_some_and(|(_, inst)| !flow::passes(inst));
            let Some(inst) = top.rest.next().filter(|_| !is_end) else {
                open.pop();
                continue;
            };
            let index = code.steps.len();
            let at_head = top.head.0 > 0;
            top.head.0 = top.head.0.saturating_sub(1);
            let (branch, arrives) = match (inst.op, top.branch) {
                (Op::Phi, _) if at_head => (None, [true, top.head.1]),
                (Op::Phi, Some((branch, arrives))) => (Some(branch), arrives),
                _ => (None, [true; 2]),
            };
            if inst.op == Op::If {
                let mut ends = inst.blocks().map(flow::falls_through);
                top.branch = Some((index, [ends.next().unwrap_or(true), ends.next().unwrap_or(true)]));
            }
            code.steps.push(Step { inst: inst.inst(), parent: top.parent, branch, arrives });
            if inst.output.is_some() {
                code.defined.insert(inst.output, index);
            }
            top.current = Some((index, inst));
            top.inner = inst.blocks();
        }
        code
    }

    pub(super) fn definition(&self, id: Id) -> Option<&'a Inst> {
        self.defined.get(&id).and_then(|&index| self.steps.get(index)).map(|step| step.inst)
    }
}
