//! What a module must keep, beyond being readable: the rules, and all the places where it does not keep them.
//!
//! Rule: each condition is one [`Rule`] with a number that stays, every violation is reported in reading order, and a
//! fault is reported once, where it is: what follows from it alone is passed over. A backend may take for granted what
//! these rules say. Scopes: a value is visible from behind its instruction to the end of its block, blocks inside
//! included; behind an IF, PHIs alone reach into its blocks (`code.rs`).

mod code;
mod interface;
mod rules;

use std::collections::{HashMap, HashSet};

pub use rules::{Detail, Rule, Violation};

use crate::{Function, FunctionKind, Id, Module, Type};

/// Says everything that is wrong with a module.
///
/// # Errors
/// The violations, in reading order; there is at least one.
pub fn verify(module: &Module) -> Result<(), Vec<Violation>> {
    let mut found = Vec::new();
    let mut values = Vec::with_capacity(module.functions.len());
    let mut names = HashSet::new();
    let mut entries = HashSet::new();
    for (index, function) in module.functions.iter().enumerate() {
        let mut report = Report { function: index, found: &mut found };
        if function.kind != FunctionKind::Generic {
            if !entries.insert(function.kind) {
                report.add(Rule::OneEntry, Detail::None);
            }
            if function.name.is_empty() {
                report.add(Rule::EntryName, Detail::None);
            }
        }
        if !function.name.is_empty() && !names.insert(&function.name) {
            report.add(Rule::FunctionNames, Detail::Name(function.name.clone()));
        }
        report.nul(&function.name);
        interface::check(function, &mut report);
        values.push(code::check(function, &mut report));
    }
    debug_names(module, &values, &mut found);
    if found.is_empty() { Ok(()) } else { Err(found) }
}

/// The types of a function's values.
///
/// A function that does not verify has its types too, as far as they can be told: a value of a wrong instruction has
/// none, and of two values with one id the first counts. Memory is in proportion to the function, whatever its ids.
pub fn types(function: &Function) -> Types {
    code::check(function, &mut Report { function: 0, found: &mut Vec::new() })
}

/// The types of a function's values (see [`types`]).
#[derive(Clone, Debug, Default)]
pub struct Types {
    of: HashMap<Id, Option<Type>>,
}

impl Types {
    /// The type of a value: `None` when the function does not define it or its type cannot be told.
    pub fn get(&self, id: Id) -> Option<Type> {
        self.of.get(&id).copied().flatten()
    }

    /// Whether the function defines the value.
    pub fn defines(&self, id: Id) -> bool {
        self.of.contains_key(&id)
    }
}

fn debug_names(module: &Module, values: &[Types], found: &mut Vec<Violation>) {
    let mut last = None;
    for names in &module.names {
        let Some(function) = usize::try_from(names.function).ok().filter(|&index| index < values.len()) else {
            let detail = Detail::Index(names.function);
            found.push(Violation { rule: Rule::NamedFunction, function: None, instruction: None, detail });
            continue;
        };
        let mut report = Report { function, found };
        if names.ids.is_empty() || last >= Some(function) {
            report.add(Rule::NamesOrder, Detail::None);
        }
        last = last.max(Some(function));
        for (&id, name) in &names.ids {
            if !values.get(function).is_some_and(|values| values.defines(id)) {
                report.add(Rule::NamedId, Detail::Id(id));
            }
            report.nul(name);
        }
    }
}

/// Where the violations of one function go.
struct Report<'a> {
    function: usize,
    found: &'a mut Vec<Violation>,
}

impl Report<'_> {
    /// A violation of the function as a whole.
    fn add(&mut self, rule: Rule, detail: Detail) {
        self.found.push(Violation { rule, function: Some(self.function), instruction: None, detail });
    }

    /// A violation at an instruction.
    fn add_at(&mut self, instruction: usize, rule: Rule, detail: Detail) {
        self.found.push(Violation { rule, function: Some(self.function), instruction: Some(instruction), detail });
    }

    /// Strings end at their first NUL in a file, so a name with one would not come back.
    fn nul(&mut self, name: &str) {
        if name.contains('\0') {
            self.add(Rule::NulInName, Detail::Name(name.to_string()));
        }
    }
}
