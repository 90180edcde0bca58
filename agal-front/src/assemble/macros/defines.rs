//! Names that are defined by `#define` or by the caller.

use std::collections::{BTreeMap, BTreeSet};

use super::notes::similar;

#[derive(Clone, Debug, Default)]
pub(super) struct Defines {
    values: BTreeMap<String, f64>,
    given: BTreeSet<String>,
    undefined: BTreeSet<String>,
}

impl Defines {
    pub(super) fn given(list: &[(String, f64)]) -> Defines {
        let mut defines = Defines::default();
        for (name, value) in list {
            defines.set(name, *value);
            defines.given.insert(name.clone());
        }
        defines
    }

    pub(super) fn set(&mut self, name: &str, value: f64) {
        self.undefined.remove(name);
        self.values.insert(name.to_string(), value);
    }

    pub(super) fn remove(&mut self, name: &str) {
        self.values.remove(name);
        self.undefined.insert(name.to_string());
    }

    pub(super) fn is_given(&self, name: &str) -> bool {
        self.given.contains(name)
    }

    pub(super) fn value(&self, name: &str) -> Option<f64> {
        self.values.get(name).copied()
    }

    /// Reports whether `#undef` removed the name; reading 0 is then intended and needs no warning.
    pub(super) fn was_undefined(&self, name: &str) -> bool {
        self.undefined.contains(name)
    }

    pub(super) fn nearest(&self, name: &str) -> Option<String> {
        similar(name, self.values.keys().map(String::as_str))
    }
}
