//! A map from value ids to data.
//!
//! Rule: the map's memory is proportional to the number of values in the function, even if the ids are much larger. Ids up to
//! about twice the number of values are list indices. Higher ids are keys of a hash map with a random seed, because a hostile
//! file could choose ids that collide.

use std::collections::HashMap;

use crate::Id;

/// A map from the ids of a function's values to data about the values.
///
/// ```
/// use sdlbc::{Id, IdMap};
///
/// let mut lengths = IdMap::for_values(2);
/// lengths.insert(Id(1), 3);
/// lengths.insert(Id(4_000_000), 5);
/// assert_eq!((lengths.get(Id(1)), lengths.get(Id(2)), lengths.get(Id(4_000_000))), (Some(&3), None, Some(&5)));
/// ```
#[derive(Clone, Debug)]
pub struct IdMap<T> {
    low: Vec<Option<T>>,
    high: HashMap<Id, T>,
    /// The exclusive upper bound of the ids in the list.
    bound: usize,
}

impl<T> Default for IdMap<T> {
    fn default() -> IdMap<T> {
        IdMap::for_values(0)
    }
}

impl<T> IdMap<T> {
    /// Creates an empty map for a function with `count` values.
    pub fn for_values(count: usize) -> IdMap<T> {
        IdMap { low: Vec::new(), high: HashMap::new(), bound: count.saturating_mul(2).saturating_add(16) }
    }

    /// Creates an empty map with memory reserved for `count` values with consecutive ids.
    pub(crate) fn with_room_for(count: usize) -> IdMap<T> {
        // No value has the id 0.
        let mut low = Vec::with_capacity(count.saturating_add(1));
        low.push(None);
        IdMap { low, ..IdMap::for_values(count) }
    }

    /// Creates an empty map for the same function, with data of another type.
    pub fn with_the_ids<U>(&self) -> IdMap<U> {
        IdMap { low: Vec::with_capacity(self.low.len()), high: HashMap::new(), bound: self.bound }
    }

    /// Returns the data of a value, or `None` if the map has no data for the value.
    #[inline]
    pub fn get(&self, id: Id) -> Option<&T> {
        match usize::try_from(id.0).ok().and_then(|index| self.low.get(index)) {
            Some(place) => place.as_ref(),
            None => self.get_high(id),
        }
    }

    #[cold]
    fn get_high(&self, id: Id) -> Option<&T> {
        if self.high.is_empty() { None } else { self.high.get(&id) }
    }

    /// Returns a mutable reference to the data of a value, or `None` if the map has no data for the value.
    pub fn get_mut(&mut self, id: Id) -> Option<&mut T> {
        match self.index(id) {
            Some(index) => self.low.get_mut(index)?.as_mut(),
            None => self.high.get_mut(&id),
        }
    }

    /// Reports whether the map has data for a value.
    pub fn contains(&self, id: Id) -> bool {
        self.get(id).is_some()
    }

    /// Sets the data of a value, and returns the value's earlier data.
    pub fn insert(&mut self, id: Id, value: T) -> Option<T> {
        let Some(index) = self.index(id) else { return self.high.insert(id, value) };
        if let Some(place) = self.low.get_mut(index) {
            return place.replace(value);
        }
        // The list grows geometrically, so a run of ascending ids rarely extends it.
        let room = if index < self.low.capacity() { self.low.capacity() } else { 2 * index + 16 };
        self.low.resize_with(room.clamp(index + 1, self.bound), || None);
        self.low.get_mut(index).and_then(|place| place.replace(value))
    }

    /// Sets the data of a value that has no data yet, and returns whether the data was set.
    #[inline]
    pub(crate) fn insert_new(&mut self, id: Id, value: T) -> bool {
        // Most ids are consecutive, so appending to the list is the common case.
        if self.index(id) == Some(self.low.len()) && self.low.len() < self.low.capacity() {
            self.low.push(Some(value));
            return true;
        }
        self.insert_anywhere(id, value)
    }

    #[cold]
    fn insert_anywhere(&mut self, id: Id, value: T) -> bool {
        !self.contains(id) && self.insert(id, value).is_none()
    }

    /// Removes and returns the data of a value.
    pub fn remove(&mut self, id: Id) -> Option<T> {
        match self.index(id) {
            Some(index) => self.low.get_mut(index)?.take(),
            None => self.high.remove(&id),
        }
    }

    #[inline]
    fn index(&self, id: Id) -> Option<usize> {
        usize::try_from(id.0).ok().filter(|&index| index < self.bound)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_far_above_the_number_of_values_take_no_room_in_the_list() {
        let mut map = IdMap::for_values(1);
        for id in [0, 17, 18, u32::MAX] {
            assert_eq!(map.insert(Id(id), id), None);
            assert_eq!(map.insert(Id(id), id + u32::from(id < 18)), Some(id));
        }
        assert!(map.low.len() <= 18 && map.high.len() == 2);
        assert_eq!([0, 17, 18, u32::MAX].map(|id| map.remove(Id(id))), [Some(1), Some(18), Some(18), Some(u32::MAX)]);
        assert!(!map.contains(Id(0)) && !map.contains(Id(18)));
    }
}
