//! The constants whose values a program in the macro language states, so that they can become literals.
//!
//! Rule: the value of a component is unknown if aliases state two different numbers for it, or a number for which
//! targets have no literal.

use std::collections::BTreeMap;

use agal_front::assemble::{Alias, Extent, Registers};
use agal_front::lift::{ConstantComponent, KnownValue};
use agal_front::{Program, Stage};

/// Returns the register of an alias.
fn register(alias: &Alias) -> Option<u32> {
    let (registers, _) = Registers::prefix(&alias.target.to_ascii_lowercase()).ok()?;
    match registers.extent {
        Extent::Whole { first, .. } => Some(first),
        Extent::Part { number, .. } => Some(number),
        Extent::File => None,
    }
}

/// Returns the components whose values are known.
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

/// Removes known values from the aliases, since literals replace them and the application need not upload them. A program
/// that reads constants at computed indices may read any constant, so its aliases do not change.
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
