//! Removes unreachable code before anything is planned.

use sdlbc::{Block, Id, Inst, Module, Op, flow};

use crate::gone::has;

/// Returns the module without unreachable code, and without instructions that have no effect because their result is dropped.
/// Every remaining PHI then has an id. (An unreachable SWITCH with a CONTINUE would become SPIR-V that no validator accepts.)
pub(crate) fn without_unreachable(module: &Module) -> Module {
    fn sweep(block: &mut Block) {
        let does = |inst: &Inst| !inst.op.shape().output || inst.output.is_some() || inst.op == Op::Call;
        block.retain(|inst| does(inst) && inst.op != Op::Nop);
        block.iter_mut().flat_map(|inst| inst.blocks.iter_mut()).for_each(sweep);
        if let Some(last) = block.iter().position(|inst| !flow::passes(inst)) {
            block.truncate(last + 1);
        }
        let mut arms = Vec::new();
        for inst in block.iter_mut() {
            match inst.op {
                Op::If => arms = inst.blocks.iter().map(flow::falls_through).collect(),
                Op::Phi => {
                    arms.iter().enumerate().filter(|(_, reached)| !**reached).for_each(|(at, _)| clear_input(inst, at))
                }
                _ => {}
            }
            let head = inst.blocks.first_mut().filter(|_| inst.op == Op::Loop);
            if let Some(head) = head.filter(|head| !flow::goes_back(head)) {
                let phis = flow::phis(head);
                head.iter_mut().take(phis).for_each(|phi| clear_input(phi, 1));
            }
        }
    }
    /// An arm whose end is unreachable supplies no value, and the instruction that defined one may have been removed.
    fn clear_input(phi: &mut Inst, at: usize) {
        if let Some(input) = phi.inputs.get_mut(at) {
            *input = Id::NONE;
        }
    }
    let mut module = module.clone();
    module.functions.iter_mut().for_each(|function| sweep(&mut function.body));
    module
}

/// Whether a block has a LOOP without an exit, which WGSL rejects. A discard counts as an exit: a `return` follows it in WGSL.
pub(crate) fn has_endless_loop(block: &Block) -> bool {
    let leaves = |body: &Block| flow::breaks(body) || has(body, Op::Return) || has(body, Op::Discard);
    let is_endless = |inst: &Inst| inst.op == Op::Loop && !inst.blocks.iter().any(leaves);
    block.iter().any(|inst| is_endless(inst) || inst.blocks.iter().any(has_endless_loop))
}
