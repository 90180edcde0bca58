//! Switches of SPIR-V that naga's reader misreads silently.
//!
//! Upstream fault `switch_order`: `BodyFragment::Switch` in `front/spv/function.rs` puts the default last. Each case whose end is
//! reachable falls through to the next case in naga's order, even if the case branches to a different case. The issue
//! gfx-rs/naga#1403 about such switches is closed.
//!
//! Upstream fault `default_leaves_loop`: `Op::Switch` in `front/spv/next_block.rs` turns a case whose target is the merge block
//! of a loop into a `break` out of the loop. A default with such a target does not become a `break`.

use std::collections::{BTreeMap, BTreeSet};

use crate::mend::instructions::instructions;

/// The maximum number of block visits for all switches of a module.
const MOST_VISITS: u32 = 20_000_000;

#[derive(Default)]
struct Block {
    /// The successors of the block, in the order of the branch's operands.
    next: Vec<u32>,
    is_conditional: bool,
    merge: Option<u32>,
    is_switch: bool,
}

/// Returns the reason why naga would misread a module's switches, or `None` if naga reads them correctly.
pub(crate) fn misread(bytes: &[u8]) -> Option<&'static str> {
    const FUNCTION_END: u32 = 56;
    const LOOP_MERGE: u32 = 246;
    const SELECTION_MERGE: u32 = 247;
    const LABEL: u32 = 248;
    const BRANCH: u32 = 249;
    const BRANCH_CONDITIONAL: u32 = 250;
    const SWITCH: u32 = 251;
    let mut visits = MOST_VISITS;
    let (mut label, mut blocks) = (0, BTreeMap::<u32, Block>::new());
    let mut of_loops = BTreeSet::new();
    for (op, operands) in instructions(bytes) {
        let mut words = operands.iter().map(|&word| u32::from_le_bytes(word));
        let block = blocks.entry(label).or_default();
        match op {
            LABEL => label = words.next().unwrap_or(0),
            SELECTION_MERGE => block.merge = words.next(),
            LOOP_MERGE => of_loops.extend(words.take(2)),
            BRANCH => block.next = words.take(1).collect(),
            BRANCH_CONDITIONAL => {
                *block = Block { next: words.skip(1).take(2).collect(), is_conditional: true, ..Block::default() }
            }
            SWITCH => {
                let mut words = words.skip(1);
                let default = words.next();
                let cases = words.skip(1).step_by(2);
                block.next = default.into_iter().chain(cases).collect();
                block.is_switch = true;
            }
            FUNCTION_END => {
                if let Some(what) = in_function(&blocks, &of_loops, &mut visits) {
                    return Some(what);
                }
                blocks.clear();
                of_loops.clear();
            }
            _ => {}
        }
    }
    None
}

fn in_function(blocks: &BTreeMap<u32, Block>, of_loops: &BTreeSet<u32>, visits: &mut u32) -> Option<&'static str> {
    for (&header, block) in blocks.iter().filter(|(_, block)| block.is_switch) {
        let Some((&default, cases)) = block.next.split_first() else { continue };
        let has_default = block.merge != Some(default);
        if has_default && of_loops.contains(&default) {
            return Some("a `switch` whose default leaves a loop, which naga reads without the exit");
        }
        // The targets of the cases, in naga's order.
        let mut order: Vec<u32> = Vec::new();
        let mut places = BTreeMap::new();
        for &case in cases {
            places.entry(case).or_insert_with(|| {
                order.push(case);
                order.len()
            });
        }
        match places.get(&default) {
            _ if !has_default => {}
            Some(&place) if place == order.len() => {}
            Some(_) => return Some(DEFAULT),
            None => {
                order.push(default);
                places.insert(default, order.len());
            }
        }
        // The blocks still to visit, each with the position of its case in naga's order.
        let is_end = |of: &u32| *of == header || block.merge == Some(*of);
        let mut open: Vec<(u32, usize)> = order.into_iter().zip(1..).filter(|(of, _)| !is_end(of)).collect();
        let mut seen = BTreeSet::new();
        while let Some((of, place)) = open.pop() {
            match visits.checked_sub(1) {
                Some(left) => *visits = left,
                None => return Some("switches with this many blocks"),
            }
            let Some(end) = blocks.get(&of) else { continue };
            for next in end.next.iter().filter(|next| !is_end(next)) {
                match places.get(next) {
                    Some(&to) if to != place + 1 || end.is_conditional || end.is_switch => return Some(DEFAULT),
                    Some(_) => {}
                    None if seen.insert(*next) => open.push((*next, place)),
                    None => {}
                }
            }
        }
    }
    None
}

/// The reason to refuse a switch in which a case falls through to a case other than the next in naga's order.
const DEFAULT: &str = "a `switch` with a case that falls through to another one, which naga reads with the default last; put the default last, or write `if`s";

#[cfg(test)]
mod tests {
    use super::*;

    /// Builds a SPIR-V module whose block 1 has a switch with the merge block 9. `targets` are the labels of the switch, starting
    /// with the default. `blocks` are further blocks with their labels and successors; a block with two successors ends with a
    /// conditional branch. The surrounding loop has the merge block 22 and the continue target 21.
    fn module(targets: &[u32], blocks: &[(u32, &[u32])]) -> Vec<u8> {
        let mut words = vec![0x0723_0203, 0x0001_0000, 0, 30, 0];
        let mut add = |op: u32, operands: &[u32]| {
            words.push((operands.len() as u32 + 1) << 16 | op);
            words.extend(operands);
        };
        add(248, &[20]); // OpLabel
        add(246, &[22, 21, 0]); // OpLoopMerge
        add(249, &[1]); // OpBranch
        add(248, &[1]);
        add(247, &[9, 0]); // OpSelectionMerge
        let literals = targets.iter().skip(1).zip(0..).flat_map(|(&target, literal)| [literal, target]);
        add(251, &[10, targets[0]].into_iter().chain(literals).collect::<Vec<u32>>()); // OpSwitch
        for (label, next) in blocks {
            add(248, &[*label]);
            match next {
                [_] => add(249, next),
                _ => add(250, &[&[11], *next].concat()), // OpBranchConditional
            }
        }
        add(248, &[9]);
        add(249, &[21]);
        add(248, &[21]);
        add(249, &[20]);
        add(56, &[]); // OpFunctionEnd
        words.iter().flat_map(|word| word.to_le_bytes()).collect()
    }

    #[test]
    fn a_switch_that_nagas_order_changes_is_found() {
        let leaves = Some("a `switch` whose default leaves a loop, which naga reads without the exit");
        for (what, targets, blocks, expected) in [
            ("no default", &[9, 2, 3][..], &[(2, &[3][..]), (3, &[9])][..], None),
            ("the default last", &[4, 2, 3], &[(2, &[3]), (3, &[4]), (4, &[9])], None),
            ("the default with the last case", &[3, 2, 3], &[(2, &[3]), (3, &[9])], None),
            ("two literals of a case", &[4, 2, 2, 3], &[(2, &[3]), (3, &[9]), (4, &[9])], None),
            ("a case of several blocks", &[4, 2, 3], &[(2, &[5, 6]), (5, &[9]), (6, &[3]), (3, &[9]), (4, &[9])], None),
            ("a case that continues a loop", &[4, 2, 3], &[(2, &[21]), (3, &[22]), (4, &[9])], None),
            ("a case into a default before others", &[3, 2, 4], &[(2, &[3]), (3, &[9]), (4, &[9])], Some(DEFAULT)),
            ("a default into a case", &[3, 2, 4], &[(2, &[9]), (3, &[4]), (4, &[9])], Some(DEFAULT)),
            ("the default with a case before others", &[2, 2, 3], &[(2, &[9]), (3, &[9])], Some(DEFAULT)),
            ("a case over another", &[9, 2, 3, 4], &[(2, &[4]), (3, &[9]), (4, &[9])], Some(DEFAULT)),
            ("a branch to a case", &[9, 2, 3], &[(2, &[9, 3]), (3, &[9])], Some(DEFAULT)),
            ("a default that leaves a loop", &[22, 2], &[(2, &[9])], leaves),
        ] {
            assert_eq!(misread(&module(targets, blocks)), expected, "{what}");
        }
    }
}
