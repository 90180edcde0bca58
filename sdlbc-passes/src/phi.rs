//! Redundant PHIs: a PHI with two equal values is replaced by that value, and of two PHIs with the same values one is removed.
//!
//! Requires nothing. Keeps types and control flow. Breaks nothing: PHIs that become unused are left to `dce`.

use std::collections::HashMap;

use sdlbc::{Id, Op, OpSet};

use crate::analyses::Memory;
use crate::{Analyses, Body, Changed};

/// Runs the pass.
pub(crate) fn run(body: &mut Body, analyses: &mut Analyses) -> Changed {
    if !body.has(OpSet::of(&[Op::Phi])) {
        return Changed::No;
    }
    let (scopes, Memory { by, .. }) = analyses.scopes(body);
    by.clear();
    // The PHIs of the preceding conditional or loop.
    let mut group = Group::default();
    let mut scope = None;
    for (inst, of) in body.insts().iter().zip(scopes) {
        // The PHIs after a conditional may follow the PHIs of another one that is the last instruction of its block.
        if scope.replace(of.number) != Some(of.number) {
            group.clear();
        }
        let (Op::Phi, &[a, b]) = (inst.op, &inst.inputs[..]) else {
            group.clear();
            continue;
        };
        let (a, b) = (by.of(a), by.of(b));
        // At the head of a loop, a value that never changes after the loop is entered.
        if a.is_some() && (a == b || b == inst.output) {
            by.replace(inst.output, a);
            continue;
        }
        if let Some(same) = group.find_or_add([a, b], inst.output) {
            by.replace(inst.output, same);
        }
    }
    let changed = !by.is_empty();
    body.substitute(by);
    changed.into()
}

/// The number of PHIs that are compared one by one. A group in a program rarely has more.
const FEW: usize = 16;

/// The PHIs of a group, by their values.
#[derive(Default)]
struct Group {
    few: Vec<([Id; 2], Id)>,
    /// The PHIs beyond the first [`FEW`], so that no group takes quadratic time.
    many: HashMap<[Id; 2], Id>,
}

impl Group {
    fn clear(&mut self) {
        self.few.clear();
        if !self.many.is_empty() {
            self.many = HashMap::new();
        }
    }

    /// The PHI with these values. If the group has none, adds `phi` to it.
    fn find_or_add(&mut self, values: [Id; 2], phi: Id) -> Option<Id> {
        if let Some((_, same)) = self.few.iter().find(|(of, _)| *of == values) {
            return Some(*same);
        }
        if self.few.len() < FEW {
            self.few.push((values, phi));
            return None;
        }
        let same = *self.many.entry(values).or_insert(phi);
        (same != phi).then_some(same)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_values_are_found_among_few_phis_and_among_many() {
        let mut group = Group::default();
        for round in 0..2 {
            for values in 1..100 {
                assert_eq!(group.find_or_add([Id(values), Id(7)], Id(1000 + values)), None, "round {round}");
            }
            for values in 1..100 {
                let same = group.find_or_add([Id(values), Id(7)], Id(2000 + values));
                assert_eq!(same, Some(Id(1000 + values)), "round {round}");
            }
            group.clear();
        }
    }
}
