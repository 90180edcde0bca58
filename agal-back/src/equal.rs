//! Removes repeated computations: equal operations on equal operands share their results, component by component.
//!
//! A result is visible to later instructions in its own branch of a conditional, and in the branches nested in that branch.

use std::collections::BTreeMap;

use agal_front::opcode::{Meaning, Opcode};

use crate::code::{Code, Inst, Lane, Table, Target, Web};
use crate::improver::Improver;
use crate::rewrite::replace;

/// The operation and the operands that determine one component of a result.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    op: Opcode,
    lanes: [Vec<Lane>; 2],
    sampler: u64,
    component: u8,
}

pub(crate) fn share_equals(improver: &mut Improver) {
    loop {
        let equals = equals(&improver.code);
        if equals.is_empty() {
            return;
        }
        if improver.attempt(|code| replace(code, &equals)) {
            continue;
        }
        // Replacements are tried one at a time, because a replacement may extend the live range of a web whose register another
        // replacement needs.
        let one = equals.into_iter().any(|(web, by)| improver.attempt(|code| replace(code, &[(web, by)].into())));
        if !one {
            return;
        }
    }
}

/// Maps each web that repeats a computation to the earlier web with the same value.
fn equals(code: &Code) -> BTreeMap<Web, Lane> {
    let writers = code.writers();
    let mut found = BTreeMap::new();
    // The results available in each open branch, from the outermost branch to the innermost.
    let mut known: Vec<BTreeMap<Key, Web>> = vec![BTreeMap::new()];
    for inst in &code.insts {
        match inst.meaning() {
            Meaning::If(_) => known.push(BTreeMap::new()),
            Meaning::Else => known.last_mut().into_iter().for_each(BTreeMap::clear),
            Meaning::EndIf => drop(known.pop()),
            _ => {}
        }
        if inst.target != Target::Webs {
            continue;
        }
        for (at, part) in inst.parts.iter().enumerate() {
            if writers.get(part.web) != 1 {
                continue;
            }
            let Some(key) = key(inst, at, &writers, &found) else { continue };
            match known.iter().find_map(|known| known.get(&key)) {
                Some(&equal) if equal != part.web => drop(found.insert(part.web, Lane::Web(equal))),
                Some(_) => {}
                None => {
                    if let Some(innermost) = known.last_mut() {
                        innermost.insert(key, part.web);
                    }
                }
            }
        }
    }
    found
}

/// Returns the key of one component of a result, or `None` if an operand reads a web with several writers.
fn key(inst: &Inst, at: usize, writers: &Table, equals: &BTreeMap<Web, Lane>) -> Option<Key> {
    let [a, b] = &inst.sources;
    let component = inst.parts.get(at)?.component;
    let (mut op, mut of_part) = (inst.op, 0);
    let mut lanes: [Vec<Lane>; 2] = if inst.is_componentwise() {
        [a, b].map(|lanes| lanes.iter().skip(at).take(1).copied().collect())
    } else if let Meaning::Matrix { width, .. } = inst.meaning() {
        op = if width == 3 { Opcode::Dp3 } else { Opcode::Dp4 };
        let width = usize::from(width);
        [a.clone(), b.iter().skip(at * width).take(width).copied().collect()]
    } else {
        if inst.has_places() {
            of_part = component;
        }
        [a.clone(), b.clone()]
    };
    for lane in lanes.iter_mut().flatten() {
        if lane.web().is_some_and(|web| writers.get(web) != 1) {
            return None;
        }
        if let Some(&by) = lane.web().and_then(|web| equals.get(&web)) {
            *lane = lane.replaced(lane.web()?, by)?;
        }
    }
    let commutes = matches!(op, Opcode::Add | Opcode::Mul | Opcode::Dp3 | Opcode::Dp4);
    if commutes && lanes[1] < lanes[0] {
        lanes.swap(0, 1);
    }
    Some(Key { op, lanes, sampler: inst.sampler, component: of_part })
}
