//! Removal of redundant PHIs: a PHI of two equal values is replaced with the value. A PHI that has the same values as an
//! earlier PHI of the same conditional or loop is replaced with the earlier PHI.
//!
//! The pass has no prerequisites and preserves types and control flow. PHIs that become unused are left to `dce`.

use std::collections::HashMap;

use sdlbc::{Id, Op, OpSet};

use crate::analyses::Memory;
use crate::{Analyses, Body, Changed};

pub(crate) fn run(body: &mut Body, analyses: &mut Analyses) -> Changed {
    if !body.has(OpSet::of(&[Op::Phi])) {
        return Changed::No;
    }
    let (scopes, Memory { by, .. }) = analyses.scopes(body);
    by.clear();
    let mut group = Group::default();
    let mut scope = None;
    for (inst, of) in body.insts().iter().zip(scopes) {
        // If a conditional ends a block, its PHIs directly precede those of the enclosing conditional.
        if scope.replace(of.number) != Some(of.number) {
            group.clear();
        }
        let (Op::Phi, &[a, b]) = (inst.op, &inst.inputs[..]) else {
            group.clear();
            continue;
        };
        let (a, b) = (by.of(a), by.of(b));
        // A loop PHI whose second value is the PHI itself never changes after the loop is entered.
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

/// The number of a group's first PHIs that are searched linearly. Few groups have more PHIs.
const FEW: usize = 16;

/// The PHIs of one conditional or loop, keyed by their values.
#[derive(Default)]
struct Group {
    few: Vec<([Id; 2], Id)>,
    /// The PHIs beyond the first [`FEW`], in a hash map so that searching a large group does not take quadratic time.
    many: HashMap<[Id; 2], Id>,
}

impl Group {
    fn clear(&mut self) {
        self.few.clear();
        if !self.many.is_empty() {
            self.many = HashMap::new();
        }
    }

    /// Returns the group's PHI with the given values, or adds `phi` to the group and returns `None`.
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
