//! What control comes to: code that it does not come to is left out before anything is planned.

use sdlbc::{Block, Id, Inst, Module, Op, flow};

use crate::gone::has;

/// The module without the instructions that store nothing and do nothing else, so that every PHI has its value, and without
/// those that control never comes to: a SWITCH there with a CONTINUE makes SPIR-V that no validator takes.
pub(crate) fn reached_alone(module: &Module) -> Module {
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
                    arms.iter().enumerate().filter(|(_, reached)| !**reached).for_each(|(at, _)| lacks(inst, at))
                }
                _ => {}
            }
            let head = inst.blocks.first_mut().filter(|_| inst.op == Op::Loop);
            if let Some(head) = head.filter(|head| !flow::goes_back(head)) {
                let phis = flow::phis(head);
                head.iter_mut().take(phis).for_each(|phi| lacks(phi, 1));
            }
        }
    }
    /// No value comes from an end that is not reached, and what would have defined it may be gone.
    fn lacks(phi: &mut Inst, at: usize) {
        if let Some(input) = phi.inputs.get_mut(at) {
            *input = Id::NONE;
        }
    }
    let mut module = module.clone();
    module.functions.iter_mut().for_each(|function| sweep(&mut function.body));
    module
}

/// Whether a block has a LOOP that nothing leaves, which WGSL refuses. A discard counts as leaving: a `return` follows it there.
pub(crate) fn never_ends(block: &Block) -> bool {
    let leaves = |body: &Block| flow::breaks(body) || has(body, Op::Return) || has(body, Op::Discard);
    let is_endless = |inst: &Inst| inst.op == Op::Loop && !inst.blocks.iter().any(leaves);
    block.iter().any(|inst| is_endless(inst) || inst.blocks.iter().any(never_ends))
}
