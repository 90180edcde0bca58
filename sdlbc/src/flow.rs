//! Control flow of structured code: whether a block's end is reached, and where its jumps lead
//! (docs/format.md, "Reaching the end").
//!
//! Rule: a property of a block depends on its instructions alone, whether or not they are reached. Time is proportional to
//! the size of the block times its nesting depth; nothing recurses (`nested.rs`).

use std::collections::BTreeSet;

use crate::nested::instructions;
use crate::{Block, Blocks, Inst, Op};

/// The number of instructions up to the last PHI, at the head of a LOOP's block or after an IF. NOPs before and between
/// the PHIs are counted.
///
/// ```
/// use sdlbc::{Id, Inst, Op, flow};
///
/// let [phi, nop, add] = [Op::Phi, Op::Nop, Op::Add].map(|op| Inst::new(op, Id::NONE, &[], &[]));
/// assert_eq!(flow::phis(&[nop.clone(), phi.clone(), nop.clone(), phi.clone(), nop.clone(), add.clone()]), 4);
/// assert_eq!(flow::phis(&[nop, add, phi]), 0);
/// ```
pub fn phis(code: &[Inst]) -> usize {
    let head = code.iter().take_while(|inst| matches!(inst.op, Op::Phi | Op::Nop));
    head.enumerate().filter(|(_, inst)| inst.op == Op::Phi).map(|(at, _)| at + 1).last().unwrap_or(0)
}

/// Whether control reaches the end of a block: it does, unless the block has a jump, or an IF, SWITCH or LOOP after which
/// control does not continue.
///
/// ```
/// use sdlbc::{Id, Inst, Op, flow};
///
/// let leave = Inst::new(Op::Break, Id::NONE, &[], &[]);
/// let choice = Inst::new(Op::If, Id::NONE, &[Id(1)], &[]).with_blocks([vec![leave.clone()], vec![]]);
/// assert!(flow::falls_through(&vec![choice.clone()]));
/// assert!(!flow::falls_through(&vec![leave]));
///
/// let repeat = |body: Vec<Inst>| Inst::new(Op::Loop, Id::NONE, &[], &[]).with_blocks([body]);
/// assert!(flow::falls_through(&vec![repeat(vec![choice])]));
/// assert!(!flow::falls_through(&vec![repeat(vec![])]));
/// ```
pub fn falls_through(block: &Block) -> bool {
    ends(block.iter())
}

/// Whether control continues after an instruction.
pub fn passes(inst: &Inst) -> bool {
    ends(std::slice::from_ref(inst).iter())
}

/// A block that is being visited.
struct Open<'a> {
    block: &'a [Inst],
    /// Its instructions that are not visited yet.
    code: std::slice::Iter<'a, Inst>,
    /// The blocks of its IF or SWITCH that are not visited yet.
    others: std::slice::Iter<'a, Block>,
    /// Whether it belongs to a SWITCH, which a BREAK in it leaves.
    switch: bool,
}

/// Whether control continues after the last of these instructions.
fn ends(code: std::slice::Iter<'_, Inst>) -> bool {
    let mut open = vec![Open { block: code.as_slice(), code, others: [].iter(), switch: false }];
    while let Some(top) = open.last_mut() {
        let passes = match top.code.next() {
            // It is enough for an IF or SWITCH that the end of one block is reached.
            None => {
                open.pop();
                continue;
            }
            Some(inst) => match inst.op.shape().blocks {
                Blocks::None => !inst.op.is_jump(),
                Blocks::Loop => inst.blocks.iter().any(breaks),
                kind @ (Blocks::If | Blocks::Switch) => {
                    // No block yet: the first one is opened below.
                    let switch = kind == Blocks::Switch;
                    open.push(Open { block: &[], code: [].iter(), others: inst.blocks.iter(), switch });
                    false
                }
            },
        };
        if passes {
            continue;
        }
        // The block's end is not reached. Try the other blocks; if there are none, the surrounding block's end is not reached
        // either.
        loop {
            let Some(top) = open.last_mut() else { return false };
            if top.switch && breaks_out(top.block) {
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

/// Whether the block contains a BREAK that leaves the construct around it: for the body of a LOOP, a BREAK of that LOOP; for
/// a block of a SWITCH, a BREAK of that SWITCH; for a block of an IF, a BREAK of the LOOP or SWITCH around the IF.
pub fn breaks(block: &Block) -> bool {
    breaks_out(block)
}

fn breaks_out(block: &[Inst]) -> bool {
    jumps(block, Op::Break, &[Blocks::If])
}

/// Whether the block contains a CONTINUE of a LOOP around it. For the body of a LOOP, whether that LOOP has a CONTINUE.
pub fn continues(block: &Block) -> bool {
    jumps(block, Op::Continue, &[Blocks::If, Blocks::Switch])
}

/// Whether code contains a jump, directly or in nested blocks of these kinds.
fn jumps(code: &[Inst], jump: Op, through: &[Blocks]) -> bool {
    let mut waiting = vec![code];
    while let Some(code) = waiting.pop() {
        for inst in code {
            if inst.op == jump {
                return true;
            }
            if through.contains(&inst.op.shape().blocks) {
                waiting.extend(inst.blocks.iter().map(Vec::as_slice));
            }
        }
    }
    false
}

/// Whether a LOOP with this body has a back edge.
pub fn goes_back(body: &Block) -> bool {
    falls_through(body) || continues(body)
}

/// The functions that a block calls, by index.
pub fn calls(block: &Block) -> BTreeSet<usize> {
    let calls = instructions(std::slice::from_ref(block)).filter(|inst| inst.op == Op::Call);
    calls.filter_map(|inst| inst.immediates.first().and_then(|&index| usize::try_from(index).ok())).collect()
}
