//! Aliases, and the numbers in constant registers.
//!
//! Rule: an alias applies from its line on and may be redefined; a number is read from the first component that was declared to
//! contain it.

use std::collections::{HashMap, HashSet};

use super::notes::similar;
use super::operand::{Operand, SourcePlace};

/// Declaration of an alias, in the form that the application needs.
#[derive(Clone, Debug, PartialEq)]
pub struct Alias {
    /// The name.
    pub name: String,
    /// The register with its components, in the mini assembler's form.
    pub target: String,
    /// For a constant, the values that the application must upload to the register's components. `None` for components that the
    /// alias does not mention.
    pub values: Option<[Option<f32>; 4]>,
}

/// An alias of a register, and the position of its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::assemble) struct Named {
    pub(in crate::assemble) name: String,
    /// The register with its components.
    pub(in crate::assemble) target: String,
    pub(in crate::assemble) place: SourcePlace,
}

/// The names of a program.
#[derive(Debug, Default)]
pub(super) struct Names<'a> {
    aliases: HashMap<&'a str, Operand>,
    /// The component that holds a number, keyed by the number's bits.
    numbers: HashMap<u64, String>,
    /// The number that a component holds.
    components: HashMap<String, f64>,
    list: Vec<Alias>,
    named: Vec<Named>,
    /// The constants in the list, because a macro may declare them again.
    listed: HashSet<String>,
}

/// The bits of a number; both zeros are the same.
fn key(value: f64) -> u64 {
    if value == 0.0 { 0 } else { value.to_bits() }
}

impl<'a> Names<'a> {
    pub(super) fn get(&self, name: &str) -> Option<&Operand> {
        self.aliases.get(name)
    }

    /// Declares an alias; returns its former target if that was a different one.
    pub(super) fn declare(&mut self, name: &'a str, target: Operand, place: SourcePlace) -> Option<String> {
        let written = target.written();
        let former = self.aliases.insert(name, target).map(|former| former.written());
        let alias = Alias { name: name.to_string(), target: written.clone(), values: None };
        if former.as_ref() != Some(&written) {
            self.list.push(alias);
            self.named.push(Named { name: name.to_string(), target: written.clone(), place });
        }
        former.filter(|former| *former != written)
    }

    /// Sets the values of the alias that was declared last.
    pub(super) fn hold(&mut self, name: &str, target: &str, values: [Option<f64>; 4]) {
        // A register holds only an `f32`.
        #[expect(clippy::cast_possible_truncation, reason = "a register holds 32-bit floats: the nearest is meant")]
        let values = Some(values.map(|value| value.map(|value| value as f32)));
        let alias = Alias { name: name.to_string(), target: target.to_string(), values };
        if self.list.last().is_some_and(|last| last.name == alias.name && last.values.is_none()) {
            self.list.pop();
        }
        if self.listed.insert(format!("{alias:?}")) {
            self.list.push(alias);
        }
    }

    /// Declares that a component (`vc0.x`) contains a number; returns the number that it already contains, if that is different.
    pub(super) fn component(&mut self, component: &str, value: f64) -> Option<f64> {
        self.numbers.entry(key(value)).or_insert_with(|| component.to_string());
        let held = *self.components.entry(component.to_string()).or_insert(value);
        (held != value).then_some(held)
    }

    /// The component that holds a number.
    pub(super) fn number(&self, value: f64) -> Option<&str> {
        self.numbers.get(&key(value)).map(String::as_str)
    }

    /// The alias or other name that is most similar to `found`.
    pub(super) fn nearest<'n>(&'n self, found: &str, others: impl Iterator<Item = &'n str>) -> Option<String> {
        similar(found, self.aliases.keys().copied().chain(others))
    }

    /// The aliases with their values, and the registers that they name.
    pub(super) fn into_lists(self) -> (Vec<Alias>, Vec<Named>) {
        (self.list, self.named)
    }
}
