//! Tracks the state of lowering at a point in the code: the expressions of values, and the contents of variables.
//!
//! Rule: the cost of entering and leaving a block is proportional to the changes in the block, not to the size of the state. Each
//! change is recorded, and undone at the end of the block.

use naga::{Expression, Handle, LocalVariable};
use sdlbc::{Id, IdMap};

pub(super) type Value = Handle<Expression>;

/// A store to a PHI's variable, at the end of a path that leads to the PHI.
#[derive(Clone, Copy, Debug)]
pub(super) struct Store {
    pub(super) phi: Id,
    pub(super) variable: Handle<LocalVariable>,
    pub(super) value: Id,
}

/// The stores to PHI variables before a loop's next iteration.
pub(super) type Head = Vec<Store>;

/// The expressions of the values that are available at the current point of the code.
pub(super) struct Values {
    known: IdMap<Value>,
    /// The changes to undo at the end of a block: each changed value with its previous expression.
    changes: Vec<(Id, Option<Value>)>,
}

impl Values {
    pub(super) fn new(known: IdMap<Value>) -> Values {
        Values { known, changes: Vec::new() }
    }

    #[inline]
    pub(super) fn get(&self, id: Id) -> Option<Value> {
        self.known.get(id).copied()
    }

    /// Records the expression that an instruction defines. The record is never undone, because only code that the instruction
    /// dominates reads the value.
    #[inline]
    pub(super) fn define(&mut self, id: Id, value: Value) {
        self.known.insert(id, value);
    }

    /// Records an expression for a value that another block defines. The record lasts until the end of the current block.
    #[inline]
    pub(super) fn insert(&mut self, id: Id, value: Value) {
        let before = self.known.insert(id, value);
        self.changes.push((id, before));
    }

    pub(super) fn checkpoint(&self) -> usize {
        self.changes.len()
    }

    pub(super) fn restore(&mut self, point: usize) {
        while self.changes.len() > point
            && let Some((id, before)) = self.changes.pop()
        {
            match before {
                Some(value) => _ = self.known.insert(id, value),
                None => _ = self.known.remove(id),
            }
        }
    }
}

#[derive(Default)]
pub(super) struct ValueSet(Vec<bool>);

impl ValueSet {
    #[inline]
    pub(super) fn contains(&self, value: Value) -> bool {
        self.0.get(value.index()) == Some(&true)
    }

    pub(super) fn insert(&mut self, value: Value) {
        if value.index() >= self.0.len() {
            self.0.resize(value.index() + 1, false);
        }
        if let Some(place) = self.0.get_mut(value.index()) {
            *place = true;
        }
    }
}

/// The value in each PHI's variable at the current point of the code.
#[derive(Default)]
pub(super) struct Holds {
    /// The latest record of each variable: the record's time and the recorded value.
    values: Vec<(u32, Id)>,
    /// The time of the latest reset, which invalidates all earlier records.
    since: u32,
    now: u32,
    /// The changed variables, each with its previous record.
    changes: Vec<(usize, (u32, Id))>,
}

/// The contents of variables at the end of one arm of a conditional.
pub(super) struct Left {
    /// The variables that the arm changed, in ascending order, each with its value at the end of the arm.
    changed: Vec<(usize, Option<Id>)>,
    /// Whether the arm invalidated all variables that are not in `changed`.
    cleared: bool,
}

impl Left {
    /// Returns a variable's value at the end of the arm, given its value `before` at the start.
    fn held(&self, variable: usize, before: Option<Id>) -> Option<Id> {
        let changed = self.changed.binary_search_by_key(&variable, |(other, _)| *other).ok();
        match changed.and_then(|at| self.changed.get(at)) {
            Some((_, held)) => *held,
            None => before.filter(|_| !self.cleared),
        }
    }
}

impl Holds {
    fn at(&self, variable: usize) -> Option<Id> {
        let (recorded, id) = self.values.get(variable).copied()?;
        (recorded > self.since).then_some(id)
    }

    /// Records a variable's new value, and returns the previous value.
    pub(super) fn insert(&mut self, variable: Handle<LocalVariable>, id: Id) -> Option<Id> {
        let held = self.at(variable.index());
        self.record(variable.index(), (self.now + 1, id));
        held
    }

    fn record(&mut self, variable: usize, value: (u32, Id)) {
        if variable >= self.values.len() {
            self.values.resize(variable + 1, (0, Id::NONE));
        }
        if let Some(place) = self.values.get_mut(variable) {
            self.changes.push((variable, std::mem::replace(place, value)));
        }
    }

    pub(super) fn clear(&mut self) {
        self.now += 1;
        self.since = self.now;
    }

    pub(super) fn checkpoint(&self) -> (usize, u32) {
        (self.changes.len(), self.since)
    }

    /// Undoes the changes of an arm since the checkpoint, and returns the variables' contents at the end of the arm.
    pub(super) fn restore(&mut self, (point, since): (usize, u32)) -> Left {
        let mut variables: Vec<usize> =
            self.changes.get(point..).unwrap_or_default().iter().map(|(variable, _)| *variable).collect();
        variables.sort_unstable();
        variables.dedup();
        let changed = variables.into_iter().map(|variable| (variable, self.at(variable))).collect();
        let cleared = self.since != since;
        while self.changes.len() > point
            && let Some((variable, before)) = self.changes.pop()
        {
            if let Some(place) = self.values.get_mut(variable) {
                *place = before;
            }
        }
        self.since = since;
        Left { changed, cleared }
    }

    /// Joins the arms of a conditional. A variable keeps its value after the conditional if every arm ends with that value.
    pub(super) fn join(&mut self, arms: &[Left]) {
        let same = |holds: &Holds, variable: usize| {
            let before = holds.at(variable);
            before.filter(|_| arms.iter().all(|arm| arm.held(variable, before) == before))
        };
        if let Some(cleared) = arms.iter().find(|arm| arm.cleared) {
            let kept = cleared.changed.iter().filter_map(|&(variable, _)| Some((variable, same(self, variable)?)));
            let kept: Vec<(usize, Id)> = kept.collect();
            self.clear();
            kept.into_iter().for_each(|(variable, id)| self.record(variable, (self.now + 1, id)));
            return;
        }
        for &(variable, _) in arms.iter().flat_map(|arm| &arm.changed) {
            if same(self, variable).is_none() && self.at(variable).is_some() {
                self.record(variable, (0, Id::NONE));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(holds: &mut Holds, variable: usize, id: u32) {
        holds.record(variable, (holds.now + 1, Id(id)));
    }

    fn held(holds: &Holds) -> [u32; 3] {
        [0, 1, 2].map(|variable| holds.at(variable).map_or(0, |id| id.0))
    }

    fn after(arms: &[&dyn Fn(&mut Holds)]) -> [u32; 3] {
        let mut holds = Holds::default();
        [(0, 1), (1, 2), (2, 3)].into_iter().for_each(|(variable, id)| set(&mut holds, variable, id));
        let here = holds.checkpoint();
        let mut left = Vec::new();
        for arm in arms {
            arm(&mut holds);
            left.push(holds.restore(here));
            assert_eq!(held(&holds), [1, 2, 3], "each arm begins with what is known before the conditional");
        }
        holds.join(&left);
        held(&holds)
    }

    #[test]
    fn after_a_conditional_a_variable_holds_what_no_arm_has_changed() {
        let nothing = |_: &mut Holds| {};
        let changes = |holds: &mut Holds| set(holds, 1, 9);
        let restores = |holds: &mut Holds| {
            set(holds, 1, 9);
            set(holds, 1, 2);
        };
        assert_eq!(after(&[&nothing, &nothing]), [1, 2, 3]);
        assert_eq!(after(&[&nothing, &changes]), [1, 0, 3]);
        assert_eq!(after(&[&changes, &changes]), [1, 0, 3], "what both arms store is not known to be the same");
        assert_eq!(after(&[&restores, &nothing]), [1, 2, 3]);
    }

    #[test]
    fn after_an_arm_with_a_loop_a_variable_holds_what_is_stored_again() {
        let repeats = |holds: &mut Holds| {
            holds.clear();
            set(holds, 0, 1);
            set(holds, 1, 9);
        };
        let nothing = |_: &mut Holds| {};
        let changes = |holds: &mut Holds| set(holds, 0, 9);
        assert_eq!(after(&[&repeats, &nothing]), [1, 0, 0]);
        assert_eq!(after(&[&nothing, &repeats]), [1, 0, 0]);
        assert_eq!(after(&[&repeats, &changes]), [0, 0, 0]);
    }

    #[test]
    fn what_a_conditional_in_an_arm_changes_is_changed_by_the_arm() {
        let inner = |holds: &mut Holds| {
            let here = holds.checkpoint();
            set(holds, 2, 9);
            let left = holds.restore(here);
            holds.join(&[left]);
        };
        assert_eq!(after(&[&inner, &|_: &mut Holds| {}]), [1, 2, 0]);
    }
}
