//! Finds the constants whose values are stated in a program in the macro language, so that literals can replace these
//! constants.
//!
//! Rule: a component's value is unknown if aliases state two different numbers for the component, or state a number that targets
//! cannot write as a literal.

use std::collections::BTreeMap;

use agal_front::assemble::{Alias, Extent, Registers};
use agal_front::lift::{ConstantComponent, KnownValue};
use agal_front::{Program, Stage};

/// Returns the number of the register that an alias names, or `None` if the alias names an entire register file.
fn register(alias: &Alias) -> Option<u32> {
    let (registers, _) = Registers::prefix(&alias.target.to_ascii_lowercase()).ok()?;
    match registers.extent {
        Extent::Whole { first, .. } => Some(first),
        Extent::Part { number, .. } => Some(number),
        Extent::File => None,
    }
}

/// Returns the value of each constant component that aliases define.
pub(crate) fn values(stage: Stage, aliases: &[Alias]) -> BTreeMap<ConstantComponent, KnownValue> {
    let mut found: BTreeMap<ConstantComponent, Option<KnownValue>> = BTreeMap::new();
    for alias in aliases {
        let (Some(number), Some(values)) = (register(alias), alias.values) else { continue };
        for (component, value) in (0u8..).zip(values) {
            let Some(value) = value else { continue };
            let key = ConstantComponent { stage, number, component };
            let value = KnownValue::new(value);
            found.entry(key).and_modify(|known| *known = known.filter(|known| Some(*known) == value)).or_insert(value);
        }
    }
    found.into_iter().filter_map(|(key, value)| Some((key, value?))).collect()
}

/// Removes known values from the aliases, because literals replace the constants and the application need not upload them. The
/// aliases do not change if the program reads constants at computed indices, since such a read may reach any constant.
pub(super) fn inlined(program: &Program, aliases: &mut [Alias]) {
    if program.tokens.iter().any(|token| [0, 1].iter().any(|&slot| token.src(slot).indirect)) {
        return;
    }
    let known = values(program.stage, aliases);
    for alias in aliases {
        let (Some(number), Some(values)) = (register(alias), &mut alias.values) else { continue };
        for (component, value) in (0u8..).zip(values.iter_mut()) {
            if known.contains_key(&ConstantComponent { stage: program.stage, number, component }) {
                *value = None;
            }
        }
        if values.iter().all(Option::is_none) {
            alias.values = None;
        }
    }
}
