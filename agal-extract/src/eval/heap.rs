//! The heap of a path: the initial objects, which all paths share, and the objects that the current path has changed or created.

use std::collections::HashMap;
use std::rc::Rc;

use crate::eval::value::{Object, ObjectKind, Ref};

#[derive(Clone, Debug, Default)]
pub(crate) struct Heap {
    base: Rc<Vec<Object>>,
    changed: HashMap<u32, Box<Object>>,
    made: Vec<Object>,
}

impl Heap {
    pub(crate) fn of(base: Rc<Vec<Object>>) -> Heap {
        Heap { base, ..Heap::default() }
    }

    pub(crate) fn base_length(&self) -> u32 {
        u32::try_from(self.base.len()).unwrap_or(u32::MAX)
    }

    pub(crate) fn len(&self) -> u32 {
        self.base_length().saturating_add(u32::try_from(self.made.len()).unwrap_or(u32::MAX))
    }

    pub(crate) fn add(&mut self, object: Object) -> Ref {
        let number = self.len();
        self.made.push(object);
        Ref(number)
    }

    pub(crate) fn get(&self, at: Ref) -> Option<&Object> {
        match at.0.checked_sub(self.base_length()) {
            Some(made) => self.made.get(made as usize),
            None => self.changed.get(&at.0).map(Box::as_ref).or_else(|| self.base.get(at.0 as usize)),
        }
    }

    pub(crate) fn get_mut(&mut self, at: Ref) -> Option<&mut Object> {
        match at.0.checked_sub(self.base_length()) {
            Some(made) => self.made.get_mut(made as usize),
            None => {
                if !self.changed.contains_key(&at.0) {
                    self.changed.insert(at.0, Box::new(self.base.get(at.0 as usize)?.clone()));
                }
                self.changed.get_mut(&at.0).map(Box::as_mut)
            }
        }
    }

    pub(crate) fn made(&self) -> &[Object] {
        &self.made
    }

    /// Sets `is_open` for each array that the path has created or changed and that has at least `length` elements.
    pub(crate) fn open_long(&mut self, length: usize) {
        for object in self.made.iter_mut().chain(self.changed.values_mut().map(Box::as_mut)) {
            object.is_open |= matches!(&object.kind, ObjectKind::Array(elements) if elements.len() >= length);
        }
    }

    /// Converts the heap to the initial objects of later paths.
    pub(crate) fn into_base(mut self) -> Rc<Vec<Object>> {
        let base = Rc::make_mut(&mut self.base);
        for (at, object) in self.changed {
            if let Some(place) = base.get_mut(at as usize) {
                *place = *object;
            }
        }
        base.append(&mut self.made);
        self.base
    }
}
