//! Removes unreachable code before anything is planned.

use sdlbc::{Block, Body, Id, Inst, InstRef, Module, Op, flow};

use crate::gone::has;

/// Returns the module without unreachable code, and without instructions that have no effect because their result is dropped.
/// Every remaining PHI then has an id. (An unreachable SWITCH with a CONTINUE would become SPIR-V that no validator accepts.)
pub(crate) fn without_unreachable(module: &Module) -> Module {
    let mut module = module.clone();
    for function in &mut module.functions {
        function.body = reached(function.body.block());
    }
    module
}

/// The part of a block that is reached.
fn reached(block: Block<'_>) -> Body {
    let does = |inst: &Inst| !inst.op.shape().output || inst.output.is_some() || inst.op == Op::Call;
    let mut code = Body::default();
    let mut arms = Vec::new();
    for inst in block.iter().filter(|inst| does(inst) && inst.op != Op::Nop) {
        let mut blocks: Vec<Body> = inst.blocks().map(reached).collect();
        let mut inst = inst.inst().clone();
        match inst.op {
            Op::If => arms = blocks.iter().map(|arm| flow::falls_through(arm.block())).collect(),
            Op::Phi => {
                let ended = arms.iter().enumerate().filter(|(_, reached)| !**reached);
                ended.for_each(|(at, _)| clear_input(&mut inst, at));
            }
            Op::Loop => {
                for body in blocks.iter_mut().filter(|body| !flow::goes_back(body.block())) {
                    let phis = flow::phis(body.insts());
                    body.insts_mut().iter_mut().take(phis).for_each(|phi| clear_input(phi, 1));
                }
            }
            _ => {}
        }
        let inst = inst.with_blocks(blocks);
        let passes = flow::falls_through(inst.block());
        code.append(inst);
        if !passes {
            break;
        }
    }
    code
}

/// An arm whose end is unreachable supplies no value, and the instruction that defined one may have been removed.
fn clear_input(phi: &mut Inst, at: usize) {
    if let Some(input) = phi.inputs.get_mut(at) {
        *input = Id::NONE;
    }
}

/// Whether a function has a LOOP without an exit, which WGSL rejects. A discard counts as an exit: a `return` follows it in WGSL.
pub(crate) fn has_endless_loop(block: Block<'_>) -> bool {
    let leaves = |body: Block<'_>| flow::breaks(body) || has(body, Op::Return) || has(body, Op::Discard);
    let is_endless = |inst: InstRef<'_>| inst.op == Op::Loop && !inst.blocks().any(leaves);
    block.iter().any(|inst| is_endless(inst) || inst.blocks().any(has_endless_loop))
}
