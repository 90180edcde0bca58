//! Where control goes in structured code: whether a block's end is reached, and what its jumps leave
//! (docs/format.md, "Reaching the end").
//!
//! Rule: what is asked of a block is asked of its instructions alone, whether or not they are reached themselves. Time
//! is in proportion to the block, times how deep it is nested.

use std::collections::BTreeSet;

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
    block.iter().all(passes)
}

/// Whether control comes behind an instruction.
pub fn passes(inst: &Inst) -> bool {
    match inst.op.shape().blocks {
        Blocks::None => !inst.op.is_jump(),
        Blocks::If => inst.blocks.iter().any(falls_through),
        Blocks::Loop => inst.blocks.iter().any(breaks),
        Blocks::Switch => inst.blocks.iter().any(|block| falls_through(block) || breaks(block)),
    }
}

/// Whether a BREAK in the block leaves what stands around it: of a LOOP's body, whether the LOOP has a BREAK; of a
/// SWITCH's block, whether that has one; of an IF's block, whether there is one that leaves what is around the IF.
pub fn breaks(block: &Block) -> bool {
    block.iter().any(|inst| match inst.op.shape().blocks {
        Blocks::None => inst.op == Op::Break,
        Blocks::If => inst.blocks.iter().any(breaks),
        Blocks::Loop | Blocks::Switch => false,
    })
}

/// Whether a CONTINUE in the block goes to the head of a LOOP around it: of a LOOP's body, whether that LOOP has one.
pub fn continues(block: &Block) -> bool {
    block.iter().any(|inst| match inst.op.shape().blocks {
        Blocks::None => inst.op == Op::Continue,
        Blocks::If | Blocks::Switch => inst.blocks.iter().any(continues),
        Blocks::Loop => false,
    })
}

/// Whether control goes back to the head of a LOOP that has this body.
pub fn goes_back(body: &Block) -> bool {
    falls_through(body) || continues(body)
}

/// The functions that a block calls, by index.
pub fn calls(block: &Block) -> BTreeSet<usize> {
    fn collect(block: &Block, found: &mut BTreeSet<usize>) {
        for inst in block {
            if inst.op == Op::Call {
                found.extend(inst.immediates.first().and_then(|&index| usize::try_from(index).ok()));
            }
            inst.blocks.iter().for_each(|block| collect(block, found));
        }
    }
    let mut found = BTreeSet::new();
    collect(block, &mut found);
    found
}
