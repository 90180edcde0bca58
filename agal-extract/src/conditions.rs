//! Conditions of variants, without those that do not matter.

use std::rc::Rc;

use crate::collect::Conjunction;
use crate::model::Alternative;

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
    let is_opposite =
        |other: &&(crate::eval::expr::Expr, Alternative)| other.0 == first.0 && opposite(&other.1, &first.1);
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
