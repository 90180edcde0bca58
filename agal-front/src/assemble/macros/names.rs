//! Aliases, and the numbers that constant registers contain.
//!
//! Rule: an alias takes effect on its own line and may be redefined later. A number in a statement is read from the first
//! component declared to contain that number.

use std::collections::{HashMap, HashSet};

use super::notes::similar;
use super::operand::{Operand, SourcePlace};

/// The declaration of an alias: the name, the register, and the values that the application must upload.
#[derive(Clone, Debug, PartialEq)]
pub struct Alias {
    /// The name that the alias declares.
    pub name: String,
    /// The aliased register with its components, in the mini assembler's form.
    pub target: String,
    /// The values that the application must upload to a constant register, or `None` if the alias declares no values. The entry
    /// of a component that the alias does not mention is `None`.
    pub values: Option<[Option<f32>; 4]>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::assemble) struct Named {
    pub(in crate::assemble) name: String,
    pub(in crate::assemble) target: String,
    pub(in crate::assemble) place: SourcePlace,
}

#[derive(Debug, Default)]
pub(super) struct Names<'a> {
    aliases: HashMap<&'a str, Operand>,
    /// The component that contains each number, keyed by the number's bits.
    numbers: HashMap<u64, String>,
    /// The number that each component contains, keyed by the component.
    components: HashMap<String, f64>,
    list: Vec<Alias>,
    named: Vec<Named>,
    /// The constants that are already in `list`. A macro that is called twice declares a constant twice, but the list contains
    /// the constant once.
    listed: HashSet<String>,
}

/// Returns the bits of a number, which are the same for both zeroes.
fn key(value: f64) -> u64 {
    if value == 0.0 { 0 } else { value.to_bits() }
}

impl<'a> Names<'a> {
    pub(super) fn get(&self, name: &str) -> Option<&Operand> {
        self.aliases.get(name)
    }

    /// Declares an alias and returns its former target if the new target is different.
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

    /// Records the values of the constant alias that was just declared.
    pub(super) fn hold(&mut self, name: &str, target: &str, values: [Option<f64>; 4]) {
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

    /// Declares that a component such as `vc0.x` contains a number. Returns the number previously declared for the component
    /// if the two numbers differ.
    pub(super) fn component(&mut self, component: &str, value: f64) -> Option<f64> {
        self.numbers.entry(key(value)).or_insert_with(|| component.to_string());
        let held = *self.components.entry(component.to_string()).or_insert(value);
        (held != value).then_some(held)
    }

    pub(super) fn number(&self, value: f64) -> Option<&str> {
        self.numbers.get(&key(value)).map(String::as_str)
    }

    /// Returns the alias or other name that is most similar to `found`.
    pub(super) fn nearest<'n>(&'n self, found: &str, others: impl Iterator<Item = &'n str>) -> Option<String> {
        similar(found, self.aliases.keys().copied().chain(others))
    }

    pub(super) fn into_lists(self) -> (Vec<Alias>, Vec<Named>) {
        (self.list, self.named)
    }
}
