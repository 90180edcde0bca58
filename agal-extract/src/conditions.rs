//! Conditions of variants, without those that do not matter.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use crate::avm::world::MethodId;
use crate::collect::{At, Conjunction};
use crate::eval::expr::Expr;
use crate::model::Alternative;

/// The conditions that hold in all variants of a place: they do not tell one variant from another.
#[derive(Debug, Default)]
pub(crate) struct Common {
    of: HashMap<(MethodId, u32), HashSet<(Expr, Alternative)>>,
}

impl Common {
    pub(crate) fn of<'a>(places: impl Iterator<Item = (&'a At, &'a Vec<Conjunction>)>) -> Common {
        let mut common = Common::default();
        for ((method, offset, _), conditions) in places {
            for conjunction in conditions {
                let own = || conjunction.iter().cloned().collect();
                let known: &mut HashSet<_> = common.of.entry((*method, *offset)).or_insert_with(own);
                known.retain(|condition| conjunction.contains(condition));
            }
        }
        common
    }

    /// Whether a condition tells variants of a place from each other. One on a whole text, by which a program is looked up
    /// among those that were made before, does not.
    pub(crate) fn matters(&self, place: &(MethodId, u32), condition: &(Expr, Alternative)) -> bool {
        let is_common = self.of.get(place).is_some_and(|common| common.contains(condition));
        !is_common && !condition.0.has_lines()
    }
}

/// Sets of conditions under which the same thing was found, put together: two that differ in one condition, which holds in one
/// and not in the other, become one without it.
pub(crate) fn merge(all: &[Conjunction]) -> Vec<Conjunction> {
    let mut open: Vec<Conjunction> = all.to_vec();
    loop {
        let mut next: Option<(usize, usize, Conjunction)> = None;
        'search: for (first, one) in open.iter().enumerate() {
            for (second, two) in open.iter().enumerate().skip(first + 1) {
                if let Some(merged) = merged(one, two) {
                    next = Some((first, second, merged));
                    break 'search;
                }
            }
        }
        let Some((first, second, merged)) = next else { return open };
        open.remove(second);
        if let Some(place) = open.get_mut(first) {
            *place = merged;
        }
    }
}

/// What two sets are together, if that is one set.
fn merged(one: &Conjunction, two: &Conjunction) -> Option<Conjunction> {
    let (shorter, longer) = if one.len() <= two.len() { (one, two) } else { (two, one) };
    if shorter.iter().all(|condition| longer.contains(condition)) {
        return Some(shorter.clone());
    }
    let mut differing = shorter.iter().filter(|condition| !longer.contains(condition));
    let (first, None) = (differing.next()?, differing.next()) else { return None };
    let is_opposite = |other: &&(Expr, Alternative)| other.0 == first.0 && opposite(&other.1, &first.1);
    let other = longer.iter().find(is_opposite)?;
    // `a and b` or `not a and b and c` is `b and (a or c)`: only the same remainder can be put together.
    let rest = |all: &Conjunction, without| -> Vec<_> { all.iter().filter(|one| *one != without).cloned().collect() };
    let (short_rest, long_rest) = (rest(shorter, first), rest(longer, other));
    let is_same = short_rest.len() == long_rest.len() && short_rest.iter().all(|one| long_rest.contains(one));
    is_same.then(|| Rc::from(short_rest))
}

fn opposite(one: &Alternative, two: &Alternative) -> bool {
    matches!((one, two), (Alternative::True, Alternative::False) | (Alternative::False, Alternative::True))
}
