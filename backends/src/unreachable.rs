//! Removes unreachable code before the writers plan a function.

use std::borrow::Cow;

use sdlbc::{Block, Blocks, Body, Few, Id, Inst, InstRef, Module, Op, OpSet, flow};

use crate::plan::head_phis;

/// Removes unreachable code, NOPs, and every instruction without an id for its result, except CALLs. Returns the operations of
/// each function. After the removal, every PHI has an id. An unreachable SWITCH with a CONTINUE would become SPIR-V that no
/// validator accepts. The optimisation passes leave no unreachable code, so the module is checked before it is copied.
pub(crate) fn remove_unreachable(module: &mut Cow<'_, Module>) -> Few<OpSet> {
    let (mut found, mut is_clean) = (Few::new(), true);
    for function in &module.functions {
        let mut ops = OpSet::default();
        for inst in function.body.insts() {
            ops.insert(inst.op);
            is_clean &= is_kept(inst);
        }
        if is_clean && ops.has_any(LEAVE) {
            Exits::of(function.body.block(), &mut is_clean);
        }
        found.push(ops);
    }
    if is_clean {
        // `Exits` computes in a single walk what `flow` computes in several walks, and debug builds check that the results agree.
        debug_assert!(module.functions.iter().all(|function| reachable(function.body.block()) == function.body));
        return found;
    }
    for function in &mut module.to_mut().functions {
        function.body = reachable(function.body.block());
    }
    operations(module)
}

pub(crate) fn operations(module: &Module) -> Few<OpSet> {
    module.functions.iter().map(|function| function.body.ops()).collect()
}

/// The operations that may leave a block. In code without these operations, control reaches the end of each block.
const LEAVE: OpSet = OpSet::of(&[Op::Loop, Op::Discard, Op::Break, Op::Continue, Op::Return]);

/// Reports whether an instruction is kept if control reaches it.
fn is_kept(inst: &Inst) -> bool {
    inst.op != Op::Nop && (inst.output.is_some() || !inst.op.shape().output || inst.op.has_result_and_effect())
}

#[derive(Clone, Copy, Default)]
struct Exits {
    falls_through: bool,
    breaks: bool,
    continues: bool,
}

impl Exits {
    /// Returns the exits of a block. Sets `clean` to false if [`reachable`] would change the block.
    fn of(block: Block<'_>, clean: &mut bool) -> Exits {
        let mut exits = Exits { falls_through: true, ..Exits::default() };
        // Whether control reaches the end of each arm of the most recent IF.
        let mut arms = [true; 2];
        for inst in block {
            *clean &= exits.falls_through && is_kept(&inst);
            let mut ends = [true; 2];
            let mut inner = Exits::default();
            for (at, code) in inst.blocks().enumerate() {
                let of = Exits::of(code, clean);
                inner.falls_through |= of.falls_through;
                inner.breaks |= of.breaks;
                inner.continues |= of.continues;
                if let Some(end) = ends.get_mut(at) {
                    *end = of.falls_through;
                }
                if inst.op == Op::Loop && !of.falls_through && !of.continues {
                    *clean &= !head_phis(code).iter().any(|phi| phi.inputs.get(1).is_some_and(|id| id.is_some()));
                }
            }
            match inst.op.shape().blocks {
                Blocks::If => {
                    exits.falls_through &= inner.falls_through;
                    exits.breaks |= inner.breaks;
                    exits.continues |= inner.continues;
                    arms = ends;
                }
                Blocks::Switch => {
                    exits.falls_through &= inner.falls_through || inner.breaks;
                    exits.continues |= inner.continues;
                }
                Blocks::Loop => exits.falls_through &= inner.breaks,
                Blocks::None => {
                    exits.falls_through &= !inst.op.is_jump();
                    exits.breaks |= inst.op == Op::Break;
                    exits.continues |= inst.op == Op::Continue;
                }
            }
            if inst.op == Op::Phi {
                *clean &= inst.inputs.iter().zip(arms).all(|(id, reached)| reached || !id.is_some());
            }
        }
        exits
    }
}

fn reachable(block: Block<'_>) -> Body {
    let mut code = Body::default();
    let mut arms = Vec::new();
    for inst in block.iter().filter(|inst| is_kept(inst)) {
        let mut blocks: Vec<Body> = inst.blocks().map(reachable).collect();
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

/// Clears a PHI's operand for an arm whose end is unreachable, since the operand's definition may have been removed.
fn clear_input(phi: &mut Inst, at: usize) {
    if let Some(input) = phi.inputs.get_mut(at) {
        *input = Id::NONE;
    }
}

/// Reports whether a function has a LOOP without an exit, which WGSL rejects. A discard counts as an exit, since a `return`
/// follows each discard in WGSL.
pub(crate) fn has_endless_loop(block: Block<'_>) -> bool {
    let leaves = |body: Block<'_>| {
        let returns = |inst: &Inst| matches!(inst.op, Op::Return | Op::Discard);
        flow::breaks(body) || body.all().iter().any(returns)
    };
    let is_endless = |inst: InstRef<'_>| inst.op == Op::Loop && !inst.blocks().any(leaves);
    block.iter().any(|inst| is_endless(inst) || inst.blocks().any(has_endless_loop))
}

/// Reports whether control reaches the end of a function. `ops`, the function's operations, makes a walk over most functions
/// unnecessary.
pub(crate) fn falls_through(body: &Body, ops: OpSet) -> bool {
    !ops.has_any(OpSet::of(&[Op::Return, Op::Discard, Op::Loop])) || flow::falls_through(body.block())
}

/// Reports whether WGSL needs a `return` after each discard of a function. The `return` is needed if a helper invocation might
/// never leave a loop, or if the function has a RETURN or an unreachable end.
pub(crate) fn returns_after_discard(body: &Body) -> bool {
    let ops = body.ops();
    ops.has(Op::Discard) && (ops.has_any(OpSet::of(&[Op::Loop, Op::Return])) || !falls_through(body, ops))
}
