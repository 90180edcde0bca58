//! Collects errors and warnings about names, and the names that are taken.
//!
//! Rule: only names from a file or the caller cause errors and warnings. A name from AGAL text that does not fit is dropped.

use std::collections::{BTreeMap, BTreeSet};

use agal_front::assemble::Extent;

use super::entry::Entry;
use super::error::{NameError, NameErrorKind, NameWarning, NameWarningKind};
use super::registers::File;

#[derive(Debug, Default)]
pub(super) struct Outcome {
    pub(super) errors: Vec<NameError>,
    pub(super) warnings: Vec<NameWarning>,
}

impl Outcome {
    /// Adds an error about a name, unless the name is from AGAL text.
    pub(super) fn refuse(&mut self, entry: &Entry, kind: NameErrorKind) {
        if entry.origin.is_explicit() {
            self.errors.push(NameError { registers: entry.registers, origin: entry.origin.clone(), kind });
        }
    }

    /// Adds a warning about a name, unless the name is from AGAL text.
    pub(super) fn warn(&mut self, entry: &Entry, kind: NameWarningKind) {
        if entry.origin.is_explicit() {
            let Entry { registers, name, origin, .. } = entry;
            self.warnings.push(NameWarning { registers: *registers, name: name.clone(), origin: origin.clone(), kind });
        }
    }

    /// Removes duplicate messages about registers that both stages share. A shared constant is reported as unused only if no
    /// stage of the module uses it.
    pub(super) fn of_both_stages(&mut self, stages: usize) {
        let mut seen = BTreeSet::new();
        self.errors.retain(|error| error.registers.stage.is_some() || seen.insert(error.to_string()));
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        for warning in self.warnings.iter().filter(|warning| is_unused_constant(warning)) {
            *counts.entry(warning.to_string()).or_default() += 1;
        }
        let mut seen = BTreeSet::new();
        self.warnings.retain(|warning| match counts.get(&warning.to_string()) {
            _ if warning.registers.stage.is_some() => true,
            Some(count) if *count < stages => false,
            _ => seen.insert(warning.to_string()),
        });
    }

    /// Reports that two entries name some of the same registers. The rank of `other` must not be lower than the rank of `entry`.
    pub(super) fn clash(&mut self, entry: &Entry, other: &Entry) {
        let is_same = (entry.registers, &entry.name, entry.ty) == (other.registers, &other.name, other.ty);
        let (name, registers) = (other.name.clone(), other.registers);
        if other.origin.rank() == entry.origin.rank() && !is_same {
            self.refuse(entry, NameErrorKind::Overlaps { other: name, registers });
        } else if registers != entry.registers {
            self.warn(entry, NameWarningKind::Overridden { by: name, registers });
        }
    }

    /// Chooses a free name for an entry, either `made` or `made` followed by a number, and marks the name as taken. A name from
    /// AGAL text is dropped instead of being numbered.
    pub(super) fn free_name(&mut self, entry: &Entry, made: &str, taken: &mut Taken) -> Option<String> {
        if made != entry.name {
            self.warn(entry, NameWarningKind::Became(made.to_string()));
        }
        if taken.insert(made.to_string()) {
            return Some(made.to_string());
        }
        if !entry.origin.is_explicit() {
            return None;
        }
        let free = taken.numbered(made);
        self.warn(entry, NameWarningKind::Taken(free.clone()));
        Some(free)
    }
}

/// Reports whether a warning is about an unused constant that both stages share.
fn is_unused_constant(warning: &NameWarning) -> bool {
    let NameWarning { registers, kind, .. } = warning;
    let is_part = registers.file == File::Constant && registers.extent != Extent::File;
    registers.stage.is_none() && is_part && *kind == NameWarningKind::Unused
}

/// Maps each taken name to the last number that was added to the name, or to 1 if no number has been added yet.
#[derive(Debug, Default)]
pub(super) struct Taken(BTreeMap<String, u32>);

impl Taken {
    /// Marks a name as taken. Returns `false` if the name was already taken.
    pub(super) fn insert(&mut self, name: String) -> bool {
        let is_new = !self.0.contains_key(&name);
        self.0.entry(name).or_insert(1);
        is_new
    }

    /// Adds a number to a taken name to make it unique, and marks the result as taken.
    pub(super) fn numbered(&mut self, name: &str) -> String {
        let mut number = self.0.get(name).copied().unwrap_or(1);
        loop {
            number += 1;
            let numbered = format!("{name}_{number}");
            if self.insert(numbered.clone()) {
                self.0.insert(name.to_string(), number);
                return numbered;
            }
        }
    }
}
