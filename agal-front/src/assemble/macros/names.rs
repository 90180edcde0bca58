//! Aliases, and the numbers that constant registers hold.
//!
//! Rule: an alias counts from its line on and may be given again; a number stands for the first component that was
//! declared to hold it.

use std::collections::{HashMap, HashSet};

use super::notes::similar;
use super::operand::Operand;

/// What an alias declares, as the application needs it.
#[derive(Clone, Debug, PartialEq)]
pub struct Alias {
    /// The name.
    pub name: String,
    /// The register with its components, as the mini assembler reads it.
    pub target: String,
    /// For a constant, what the application must put into the register's components. `None` is for those that the alias
    /// does not speak of.
    pub values: Option<[Option<f32>; 4]>,
}

/// The names of a program.
#[derive(Debug, Default)]
pub(super) struct Names<'a> {
    aliases: HashMap<&'a str, Operand>,
    /// The component that holds a number, by the number's bits.
    numbers: HashMap<u64, String>,
    /// What a component holds.
    components: HashMap<String, f64>,
    list: Vec<Alias>,
    /// The constants of the list, which a macro may declare again.
    listed: HashSet<String>,
}

/// The bits of a number; zero has one sign.
fn key(value: f64) -> u64 {
    if value == 0.0 { 0 } else { value.to_bits() }
}

impl<'a> Names<'a> {
    pub(super) fn get(&self, name: &str) -> Option<&Operand> {
        self.aliases.get(name)
    }

    /// Declares an alias; what it stood for, if for something else.
    pub(super) fn declare(&mut self, name: &'a str, target: Operand) -> Option<String> {
        let written = target.written();
        let former = self.aliases.insert(name, target).map(|former| former.written());
        let alias = Alias { name: name.to_string(), target: written.clone(), values: None };
        if former.as_ref() != Some(&written) {
            self.list.push(alias);
        }
        former.filter(|former| *former != written)
    }

    /// Says what the alias that was declared last holds.
    pub(super) fn hold(&mut self, name: &str, target: &str, values: [Option<f64>; 4]) {
        // A register holds no more than an `f32`.
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

    /// Says that a component (`vc0.x`) holds a number; what it holds already, if that is another.
    pub(super) fn component(&mut self, component: &str, value: f64) -> Option<f64> {
        self.numbers.entry(key(value)).or_insert_with(|| component.to_string());
        let held = *self.components.entry(component.to_string()).or_insert(value);
        (held != value).then_some(held)
    }

    /// The component that holds a number.
    pub(super) fn number(&self, value: f64) -> Option<&str> {
        self.numbers.get(&key(value)).map(String::as_str)
    }

    /// The alias or other name that is most like `found`.
    pub(super) fn nearest<'n>(&'n self, found: &str, others: impl Iterator<Item = &'n str>) -> Option<String> {
        similar(found, self.aliases.keys().copied().chain(others))
    }

    pub(super) fn into_list(self) -> Vec<Alias> {
        self.list
    }
}
