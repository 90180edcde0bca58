//! The names of a function's values.
//!
//! Rule: names are stored in a list ordered by id, and a short name needs no allocation of its own. The lifter names almost every
//! value, and most of these names are never read.

use smol_str::SmolStr;

use crate::Id;

/// The names of values, in ascending order of their ids. Each value has at most one name.
///
/// ```
/// use sdlbc::{Id, ValueNames};
///
/// let mut names = ValueNames::from([(Id(7), "light"), (Id(2), "normal")]);
/// names.insert(Id(4), "half");
/// assert_eq!(names.get(Id(4)), Some("half"));
/// assert_eq!(names.iter().collect::<Vec<_>>(), [(Id(2), "normal"), (Id(4), "half"), (Id(7), "light")]);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ValueNames {
    list: Vec<(Id, SmolStr)>,
}

impl ValueNames {
    /// Creates an empty list of names, with memory reserved for `count` names.
    pub fn with_capacity(count: usize) -> ValueNames {
        ValueNames { list: Vec::with_capacity(count) }
    }

    /// Returns the number of values that have a name.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Reports whether no value has a name.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Returns the name of a value, or `None` if the value has no name.
    pub fn get(&self, id: Id) -> Option<&str> {
        let at = self.place(id).ok()?;
        self.list.get(at).map(|(_, name)| name.as_str())
    }

    /// Sets the name of a value and returns its previous name.
    pub fn insert(&mut self, id: Id, name: impl Into<SmolStr>) -> Option<SmolStr> {
        match self.place(id) {
            Ok(at) => self.list.get_mut(at).map(|(_, old)| std::mem::replace(old, name.into())),
            Err(at) => {
                self.list.insert(at, (id, name.into()));
                None
            }
        }
    }

    /// Names a value. The id must be higher than the ids of all named values.
    pub(crate) fn push(&mut self, id: Id, name: SmolStr) {
        self.list.push((id, name));
    }

    /// Returns the highest named id with its name.
    pub fn last(&self) -> Option<(Id, &str)> {
        self.list.last().map(|(id, name)| (*id, name.as_str()))
    }

    /// Iterates over the named ids and their names, in ascending order of the ids.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (Id, &str)> {
        self.list.iter().map(|(id, name)| (*id, name.as_str()))
    }

    /// Iterates over the names, in ascending order of their ids.
    pub fn values(&self) -> impl ExactSizeIterator<Item = &str> {
        self.list.iter().map(|(_, name)| name.as_str())
    }

    /// Iterates over mutable references to the names, in ascending order of their ids.
    pub fn values_mut(&mut self) -> impl ExactSizeIterator<Item = &mut SmolStr> {
        self.list.iter_mut().map(|(_, name)| name)
    }

    /// Iterates over the named ids and mutable references to their names, in ascending order of the ids.
    pub fn iter_mut(&mut self) -> impl ExactSizeIterator<Item = (Id, &mut SmolStr)> {
        self.list.iter_mut().map(|(id, name)| (*id, name))
    }

    /// Keeps the names for which `keep` returns true, and removes all other names.
    pub fn retain(&mut self, mut keep: impl FnMut(Id, &str) -> bool) {
        self.list.retain(|(id, name)| keep(*id, name));
    }

    /// Replaces each id with the result of `new`, and removes the names of ids for which `new` returns `None`. If several ids
    /// become equal, only the last of their names remains.
    pub fn renumber(&mut self, new: impl Fn(Id) -> Option<Id>) {
        self.list.retain_mut(|(id, _)| {
            let new = new(*id);
            *id = new.unwrap_or_default();
            new.is_some()
        });
        self.sort();
    }

    fn place(&self, id: Id) -> Result<usize, usize> {
        // Names are usually added in ascending order of their ids.
        match self.list.last() {
            Some((last, _)) if *last >= id => self.list.binary_search_by_key(&id, |(id, _)| *id),
            _ => Err(self.list.len()),
        }
    }

    /// Sorts the names by id, and keeps only the last name of each id.
    fn sort(&mut self) {
        if self.list.is_sorted_by(|(a, _), (b, _)| a < b) {
            return;
        }
        self.list.sort_by_key(|(id, _)| *id);
        self.list.dedup_by(|later, first| {
            let same = later.0 == first.0;
            if same {
                std::mem::swap(later, first);
            }
            same
        });
    }
}

impl<S: Into<SmolStr>> FromIterator<(Id, S)> for ValueNames {
    fn from_iter<I: IntoIterator<Item = (Id, S)>>(names: I) -> ValueNames {
        let mut all = ValueNames { list: names.into_iter().map(|(id, name)| (id, name.into())).collect() };
        all.sort();
        all
    }
}

impl IntoIterator for ValueNames {
    type Item = (Id, SmolStr);
    type IntoIter = std::vec::IntoIter<(Id, SmolStr)>;

    fn into_iter(self) -> Self::IntoIter {
        self.list.into_iter()
    }
}

impl<S: Into<SmolStr>, const N: usize> From<[(Id, S); N]> for ValueNames {
    fn from(names: [(Id, S); N]) -> ValueNames {
        names.into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_name_of_an_id_stays_in_any_order() {
        let names = ValueNames::from([(Id(3), "a"), (Id(1), "b"), (Id(3), "c"), (Id(1), "d")]);
        assert_eq!(names.iter().collect::<Vec<_>>(), [(Id(1), "d"), (Id(3), "c")]);
        let mut names = ValueNames::from([(Id(1), "a"), (Id(2), "b"), (Id(3), "c")]);
        names.renumber(|id| [None, Some(Id(9)), None, Some(Id(4))][id.0 as usize]);
        assert_eq!(names.iter().collect::<Vec<_>>(), [(Id(4), "c"), (Id(9), "a")]);
    }

    #[test]
    fn a_name_is_found_replaced_and_added_at_its_place() {
        let mut names = ValueNames::default();
        assert_eq!(
            [5, 2, 9, 2].map(|id| names.insert(Id(id), format!("n{id}")).is_some()),
            [false, false, false, true]
        );
        assert_eq!([2, 3, 5, 9, 10].map(|id| names.get(Id(id))), [Some("n2"), None, Some("n5"), Some("n9"), None]);
        names.retain(|id, _| id != Id(5));
        assert_eq!((names.len(), names.last()), (2, Some((Id(9), "n9"))));
    }
}
