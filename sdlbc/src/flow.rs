//! Control flow of structured code: whether a block's end is reached, and where its jumps lead
//! (docs/format.md, "Reaching the end").
//!
//! Rule: a property of a block depends on its instructions alone, whether or not they are reached. Time is proportional to
//! the size of the block times its nesting depth; nothing recurses.

use std::collections::BTreeSet;

use crate::{Block, Blocks, Inst, InstRef, Insts, Nested, Op};

/// The number of instructions up to the last PHI, at the head of a LOOP's block or after an IF, in a list in reading order. NOPs
/// before and between the PHIs are counted.
///
/// ```
/// use sdlbc::{Id, Inst, Op, flow};
///
/// let [phi, nop, add] = [Op::Phi, Op::Nop, Op::Add].map(|op| Inst::new(op, Id::NONE, &[], &[]));
/// assert_eq!(flow::phis(&[nop.clone(), phi.clone(), nop.clone(), phi.clone(), nop.clone(), add.clone()]), 4);
/// assert_eq!(flow::phis(&[nop, add, phi]), 0);
/// ```
pub fn phis(code: &[Inst]) -> usize {
    let head = code.iter().take_while(|inst| matches!(inst.op, Op::Phi | Op::Nop) && inst.ends.is_empty());
    head.enumerate().filter(|(_, inst)| inst.op == Op::Phi).map(|(at, _)| at + 1).last().unwrap_or(0)
}

/// Whether control reaches the end of a block: it does unless the block has a jump, or an IF, SWITCH or LOOP after which
/// control does not continue.
///
/// ```
/// use sdlbc::{Body, Id, Inst, Op, code, flow};
///
/// let leave = Inst::new(Op::Break, Id::NONE, &[], &[]);
/// let choice = Inst::new(Op::If, Id::NONE, &[Id(1)], &[]).with_blocks([code![leave.clone()], code![]]);
/// assert!(flow::falls_through(choice.block()));
/// assert!(!flow::falls_through(code![leave].block()));
///
/// let repeat = |body: Body| Inst::new(Op::Loop, Id::NONE, &[], &[]).with_blocks([body]);
/// assert!(flow::falls_through(repeat(choice).block()));
/// assert!(!flow::falls_through(repeat(code![]).block()));
/// ```
pub fn falls_through(block: Block<'_>) -> bool {
    let mut open = vec![Open { block, code: block.iter(), others: Nested::default(), switch: false }];
    while let Some(top) = open.last_mut() {
        let passes = match top.code.next() {
            // An IF or SWITCH continues if the end of one of its blocks is reached.
            None => {
                open.pop();
                continue;
            }
            Some(inst) => match inst.op.shape().blocks {
                Blocks::None => !inst.op.is_jump(),
                Blocks::Loop => inst.blocks().any(breaks),
                kind @ (Blocks::If | Blocks::Switch) => {
                    // The first block is opened below.
                    let switch = kind == Blocks::Switch;
                    let block = Block::default();
                    open.push(Open { block, code: block.iter(), others: inst.blocks(), switch });
                    false
                }
            },
        };
        if passes {
            continue;
        }
        // The block's end is not reached. Try the other blocks; if none is left, the end of the surrounding block is not reached
        // either.
        loop {
            let Some(top) = open.last_mut() else { return false };
            if top.switch && breaks(top.block) {
                open.pop();
                break;
            }
            if let Some(block) = top.others.next() {
                (top.block, top.code) = (block, block.iter());
                break;
            }
            open.pop();
        }
    }
    true
}

/// A block that is being visited.
struct Open<'a> {
    block: Block<'a>,
    /// The instructions of the block that are not visited yet.
    code: Insts<'a>,
    /// The blocks of the current IF or SWITCH that are not visited yet.
    others: Nested<'a>,
    /// Whether the block belongs to a SWITCH, which a BREAK in the block leaves.
    switch: bool,
}

/// Whether control continues after an instruction.
pub fn passes(inst: InstRef<'_>) -> bool {
    falls_through(inst.alone())
}

/// Whether the block contains a BREAK that leaves the construct around it: for the body of a LOOP, a BREAK of that LOOP; for
/// a block of a SWITCH, a BREAK of that SWITCH; for a block of an IF, a BREAK of the LOOP or SWITCH around the IF.
pub fn breaks(block: Block<'_>) -> bool {
    jumps(block, Op::Break, &[Blocks::If])
}

/// Whether the block contains a CONTINUE of a LOOP around it. For the body of a LOOP, whether that LOOP has a CONTINUE.
pub fn continues(block: Block<'_>) -> bool {
    jumps(block, Op::Continue, &[Blocks::If, Blocks::Switch])
}

/// Whether code contains a jump, directly or in nested blocks of the kinds in `through`.
fn jumps(block: Block<'_>, jump: Op, through: &[Blocks]) -> bool {
    let mut waiting = vec![block];
    while let Some(block) = waiting.pop() {
        for inst in block {
            if inst.op == jump {
                return true;
            }
            if through.contains(&inst.op.shape().blocks) {
                waiting.extend(inst.blocks());
            }
        }
    }
    false
}

/// Whether a LOOP with this body has a back edge.
pub fn goes_back(body: Block<'_>) -> bool {
    falls_through(body) || continues(body)
}

/// The functions that a block calls, by index.
pub fn calls(block: Block<'_>) -> BTreeSet<usize> {
    let calls = block.all().iter().filter(|inst| inst.op == Op::Call);
    calls.filter_map(|inst| Some(*inst.immediates.first()? as usize)).collect()
}
