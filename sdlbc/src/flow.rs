//! Analyses the control flow of structured code: whether control reaches the end of a block, and where the block's jumps lead
//! (docs/format.md, "Reaching the end").
//!
//! Rule: a property of a block depends only on the block's own and nested instructions, including unreachable instructions. The
//! analysis takes time proportional to the size of the block times its nesting depth, and does not recurse.

use std::collections::BTreeSet;

use crate::{Block, Blocks, Inst, InstRef, Insts, Nested, Op};

/// Returns the length of the longest prefix of `code` that ends with a PHI and contains only PHIs and NOPs, or 0 if there is
/// no such prefix. `code` is in reading order, and begins at the head of a LOOP's block or after an IF.
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

/// Reports whether control reaches the end of a block. Control does not reach the end if the block contains a jump, or an IF,
/// SWITCH or LOOP after which control does not continue.
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
            // Control continues after an IF or SWITCH if control reaches the end of one of the blocks.
            None => {
                open.pop();
                continue;
            }
            Some(inst) => match inst.op.shape().blocks {
                Blocks::None => !inst.op.is_jump(),
                Blocks::Loop => inst.blocks().any(breaks),
                kind @ (Blocks::If | Blocks::Switch) => {
                    // An empty block is a placeholder until the loop below visits the first block of the IF or SWITCH.
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
        // Control does not reach the end of the current block, so the next block of the IF or SWITCH is tried. If no block is
        // left, control does not reach the end of the surrounding block either.
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

struct Open<'a> {
    block: Block<'a>,
    code: Insts<'a>,
    /// The blocks of the current IF or SWITCH that have not been visited yet.
    others: Nested<'a>,
    /// Whether the block belongs to a SWITCH. A BREAK in the block then leaves the SWITCH.
    switch: bool,
}

/// Reports whether control continues after an instruction.
pub fn passes(inst: InstRef<'_>) -> bool {
    falls_through(inst.alone())
}

/// Reports whether a block contains a BREAK that leaves the construct around the block. A BREAK in the body of a LOOP leaves that
/// LOOP, and a BREAK in a block of a SWITCH leaves that SWITCH. A BREAK in a block of an IF leaves the LOOP or SWITCH around the
/// IF.
pub fn breaks(block: Block<'_>) -> bool {
    jumps(block, Op::Break, &[Blocks::If])
}

/// Reports whether a block contains a CONTINUE of the LOOP around the block. The block may be the body of the LOOP.
pub fn continues(block: Block<'_>) -> bool {
    jumps(block, Op::Continue, &[Blocks::If, Blocks::Switch])
}

/// Reports whether a block contains a jump, either directly or inside nested blocks of the kinds in `through`.
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

/// Reports whether a LOOP with this body has a back edge.
pub fn goes_back(body: Block<'_>) -> bool {
    falls_through(body) || continues(body)
}

/// Returns the indices of the functions that a block calls.
pub fn calls(block: Block<'_>) -> BTreeSet<usize> {
    let calls = block.all().iter().filter(|inst| inst.op == Op::Call);
    calls.filter_map(|inst| Some(*inst.immediates.first()? as usize)).collect()
}
