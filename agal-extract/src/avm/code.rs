//! The instructions of a method body. Branch targets are instruction indices.
//!
//! Only reachable instructions are decoded, so bytes that an obfuscator inserts between instructions are never read.

use std::collections::BTreeMap;

use swf::avm2::read::Reader;
use swf::avm2::types::Op;
use swf::extensions::ReadSwfExt;

use crate::avm::abc::Body;

/// The maximum number of instructions that are decoded in a method.
const MOST: usize = 200_000;
/// The maximum number of exception handlers that are read in a method.
const HANDLERS: usize = 4_096;

/// The reachable instructions of a method body, in the order of their bytes.
#[derive(Debug, Default)]
pub(crate) struct Code {
    pub(crate) instructions: Vec<Instruction>,
    /// The exception handlers, as three instruction indices each: the first and the last protected instruction, and the handler's
    /// first instruction.
    pub(crate) handlers: Vec<(usize, usize, usize)>,
}

/// The maximum number of instructions that the search for loop exits visits in one method.
const WORK: usize = 2_000_000;

#[derive(Debug)]
pub(crate) struct Instruction {
    pub(crate) op: Op,
    /// The offset of the instruction in the method body, in bytes.
    pub(crate) at: u32,
    pub(crate) next: usize,
    /// The indices of the branch targets. A switch has its default target first, followed by the targets of its cases.
    pub(crate) targets: Box<[usize]>,
    /// The branch's exit from the innermost loop that it can leave; `None` if the branch cannot leave a loop.
    pub(crate) exit: Option<Exit>,
}

/// A branch's exit from a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Exit {
    /// Whether the loop ends if the branch is taken. If `false`, the loop ends if the branch is not taken.
    pub(crate) by_branching: bool,
    /// Whether the branch tests the loop's own condition rather than the condition of a `break`.
    pub(crate) is_condition: bool,
    /// The index of the loop's first instruction.
    pub(crate) first: usize,
}

/// The index that stands for any target outside the decoded code. A jump to this index ends the call.
const NOWHERE: usize = usize::MAX;

/// Returns the distance in bytes from the end of a branch to its target, or `None` if the instruction is not a branch.
pub(crate) fn branch(op: &Op) -> Option<i32> {
    match *op {
        Op::IfEq { offset }
        | Op::IfFalse { offset }
        | Op::IfGe { offset }
        | Op::IfGt { offset }
        | Op::IfLe { offset }
        | Op::IfLt { offset }
        | Op::IfNe { offset }
        | Op::IfNge { offset }
        | Op::IfNgt { offset }
        | Op::IfNle { offset }
        | Op::IfNlt { offset }
        | Op::IfStrictEq { offset }
        | Op::IfStrictNe { offset }
        | Op::IfTrue { offset }
        | Op::Jump { offset } => Some(offset),
        _ => None,
    }
}

/// Reports whether control never passes from the instruction to the next instruction in the code.
pub(crate) fn ends(op: &Op) -> bool {
    matches!(op, Op::Jump { .. } | Op::LookupSwitch(_) | Op::ReturnValue | Op::ReturnVoid | Op::Throw)
}

impl Code {
    pub(crate) fn decode(body: &Body<'_>) -> Code {
        let mut found: BTreeMap<u32, (Op, u32, Vec<u32>)> = BTreeMap::new();
        let mut open = vec![0];
        open.extend(body.exceptions.clone().take(HANDLERS).map(|exception| exception.target_offset));
        while let Some(mut at) = open.pop() {
            while found.len() < MOST && !found.contains_key(&at) {
                let Some(rest) = body.code.get(at as usize..) else { break };
                let mut reader = Reader::new(rest);
                let Ok(op) = reader.read_op() else { break };
                let left = reader.as_slice().len();
                let Ok(length) = u32::try_from(rest.len().saturating_sub(left)) else { break };
                let next = at.saturating_add(length);
                let mut targets = Vec::new();
                if let Some(offset) = branch(&op) {
                    targets.push(next.checked_add_signed(offset).unwrap_or(u32::MAX));
                } else if let Op::LookupSwitch(switch) = &op {
                    let offsets = std::iter::once(switch.default_offset).chain(switch.case_offsets.iter().copied());
                    targets.extend(offsets.map(|offset| at.checked_add_signed(offset).unwrap_or(u32::MAX)));
                }
                open.extend(&targets);
                let is_end = ends(&op);
                found.insert(at, (op, next, targets));
                if is_end {
                    break;
                }
                at = next;
            }
        }
        let index: BTreeMap<u32, usize> = found.keys().enumerate().map(|(index, at)| (*at, index)).collect();
        let of = |at: u32| index.get(&at).copied().unwrap_or(NOWHERE);
        let handlers = body.exceptions.clone().take(HANDLERS).filter_map(|exception| {
            let first = index.range(exception.from_offset..).next()?;
            let last = index.range(..exception.to_offset).next_back()?;
            Some((*first.1, *last.1, *index.get(&exception.target_offset)?))
        });
        let instructions = found.into_iter().map(|(at, (op, next, targets))| {
            let targets = targets.into_iter().map(of).collect();
            Instruction { op, at, next: of(next), targets, exit: None }
        });
        let mut code = Code { instructions: instructions.collect(), handlers: handlers.collect() };
        code.find_exits();
        code
    }

    /// Finds the branches that leave a loop. One successor of such a branch leads to a backward jump of the loop, and the other
    /// successor does not. A loop extends from the target of its backward jumps to the last of these jumps.
    fn find_exits(&mut self) {
        // `loops` maps the first instruction of each loop to the loop's backward jumps, each with a flag that is set if the jump
        // is conditional.
        let mut loops: BTreeMap<usize, Vec<(usize, bool)>> = BTreeMap::new();
        for (at, instruction) in self.instructions.iter().enumerate() {
            let conditional = !matches!(instruction.op, Op::Jump { .. });
            for target in instruction.targets.iter().filter(|target| **target <= at) {
                loops.entry(*target).or_default().push((at, conditional));
            }
        }
        let last = |ends: &[(usize, bool)]| ends.iter().max().copied().unwrap_or_default();
        // Shorter loops come first, because longer loops may contain them.
        let mut order: Vec<(usize, Vec<(usize, bool)>)> = loops.into_iter().collect();
        order.sort_by_key(|(first, ends)| (last(ends).0 - first, *first));
        let mut left = WORK;
        for (first, ends) in order {
            let (last, conditional) = last(&ends);
            let Some(rest) = usize::checked_sub(left, last - first + 1) else { break };
            left = rest;
            let jumps: Vec<usize> = ends.into_iter().map(|(end, _)| end).collect();
            let leads_back = self.leads_back(first, last, &jumps);
            let inside =
                |at: usize| at.checked_sub(first).and_then(|at| leads_back.get(at)).copied().unwrap_or_default();
            let mut is_first = true;
            for at in first..=last {
                let Some(instruction) = self.instructions.get_mut(at) else { break };
                let [target] = *instruction.targets else { continue };
                if matches!(instruction.op, Op::Jump { .. }) || !inside(at) {
                    continue;
                }
                let by_branching = !inside(target);
                if by_branching == inside(instruction.next) && instruction.exit.is_none() {
                    let is_condition = if conditional { at == last } else { is_first };
                    instruction.exit = Some(Exit { by_branching, is_condition, first });
                }
                is_first = false;
            }
        }
    }

    /// Returns, for each instruction from `first` to `last`, whether it leads to one of the given backward jumps.
    fn leads_back(&self, first: usize, last: usize, jumps: &[usize]) -> Vec<bool> {
        let mut before: Vec<Vec<usize>> = vec![Vec::new(); last - first + 1];
        for (at, instruction) in self.instructions.iter().enumerate().take(last + 1).skip(first) {
            let next = (!ends(&instruction.op)).then_some(instruction.next);
            for target in instruction.targets.iter().copied().chain(next) {
                if let Some(list) = target.checked_sub(first).and_then(|target| before.get_mut(target)) {
                    list.push(at);
                }
            }
        }
        let mut leads_back = vec![false; before.len()];
        let mut open = jumps.to_vec();
        while let Some(at) = open.pop() {
            let Some(is_known) = at.checked_sub(first).and_then(|at| leads_back.get_mut(at)) else { continue };
            if std::mem::replace(is_known, true) || at == first {
                continue;
            }
            open.extend(before.get(at - first).into_iter().flatten());
        }
        leads_back
    }
}
