//! Where control goes in structured code: whether a block's end is reached, and what its jumps leave
//! (docs/format.md, "Reaching the end").
//!
//! Rule: what is asked of a block is asked of its instructions alone, whether or not they are reached themselves. Time
//! is in proportion to the block, times how deep it is nested; nothing recurses (`nested.rs`).

use std::collections::BTreeSet;

use crate::nested::instructions;
use crate::{Block, Blocks, Inst, Op};

/// How many instructions of a LOOP's block, or of what follows an IF, reach to the last of its PHIs. NOPs, which are
/// nothing but space, may stand before and between them.
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

/// Whether control comes to the end of a block: unless it has a jump, or an IF, SWITCH or LOOP that control does not
/// come out of.
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

/// Whether control comes behind an instruction.
pub fn passes(inst: &Inst) -> bool {
    ends(std::slice::from_ref(inst).iter())
}

/// A block whose instructions are looked at.
struct Open<'a> {
    block: &'a [Inst],
    /// Those that were not yet.
    code: std::slice::Iter<'a, Inst>,
    /// The other blocks of its IF or SWITCH.
    others: std::slice::Iter<'a, Block>,
    /// Whether a BREAK in it leaves its instruction.
    switch: bool,
}

/// Whether control comes behind the last of these instructions.
fn ends(code: std::slice::Iter<'_, Inst>) -> bool {
    let mut open = vec![Open { block: code.as_slice(), code, others: [].iter(), switch: false }];
    while let Some(top) = open.last_mut() {
        let passes = match top.code.next() {
            // The end of one of its blocks is enough for an IF or SWITCH.
            None => {
                open.pop();
                continue;
            }
            Some(inst) => match inst.op.shape().blocks {
                Blocks::None => !inst.op.is_jump(),
                Blocks::Loop => inst.blocks.iter().any(breaks),
                kind @ (Blocks::If | Blocks::Switch) => {
                    // No block yet: the first of the others is begun next.
                    let switch = kind == Blocks::Switch;
                    open.push(Open { block: &[], code: [].iter(), others: inst.blocks.iter(), switch });
                    false
                }
            },
        };
        if passes {
            continue;
        }
        // The block's end is not reached: that of another one may be, or else what is around is not passed either.
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

/// Whether a BREAK in the block leaves what stands around it: of a LOOP's body, whether the LOOP has a BREAK; of a
/// SWITCH's block, whether that has one; of an IF's block, whether there is one that leaves what is around the IF.
pub fn breaks(block: &Block) -> bool {
    breaks_out(block)
}

fn breaks_out(block: &[Inst]) -> bool {
    jumps(block, Op::Break, &[Blocks::If])
}

/// Whether a CONTINUE in the block goes to the head of a LOOP around it: of a LOOP's body, whether that LOOP has one.
pub fn continues(block: &Block) -> bool {
    jumps(block, Op::Continue, &[Blocks::If, Blocks::Switch])
}

/// Whether code has a jump, in it or in blocks of these kinds.
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

/// Whether control goes back to the head of a LOOP that has this body.
pub fn goes_back(body: &Block) -> bool {
    falls_through(body) || continues(body)
}

/// The functions that a block calls, by index.
pub fn calls(block: &Block) -> BTreeSet<usize> {
    let calls = instructions(std::slice::from_ref(block)).filter(|inst| inst.op == Op::Call);
    calls.filter_map(|inst| inst.immediates.first().and_then(|&index| usize::try_from(index).ok())).collect()
}
