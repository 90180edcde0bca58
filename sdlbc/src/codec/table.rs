//! Decodes the debug table.
//!
//! Rule: the records have a fixed order, so that a table has only one form. [`crate::verify()`] checks whether the functions
//! and values that they refer to exist.

use std::collections::BTreeMap;

use super::region::{Counts, Region, Result, word_at};
use super::{DecodeErrorKind, FUNCTION_NAME, MEMBERS, NAMES, PROGRAM, SOURCE};
use crate::limits::Counted;
use crate::{Debug, FunctionDebug, Id, Lines, Member, Source, Unit, ValueNames};

/// Decodes the records of the debug table, in their fixed order: the program, the sources, then those of each function.
pub(super) fn debug(mut table: Region<'_>, counts: &mut Counts) -> Result<Debug> {
    let mut debug = Debug::default();
    let mut last = None;
    while !table.is_empty() {
        let (tag, at, mut words) = table.tagged("debug record")?;
        if super::debug_order(tag, 0).is_none() {
            return Err(DecodeErrorKind::DebugRecord(tag).at(at));
        }
        words.what = "debug record";
        let number = words.word()?;
        let key = super::debug_order(tag, number);
        if key < last || key.is_some() && key == last && tag != SOURCE {
            return Err(DecodeErrorKind::DebugOrder.at(at));
        }
        last = key;
        let of_function = !matches!(tag, PROGRAM | SOURCE);
        if of_function && debug.functions.last().is_none_or(|entry| entry.function != number) {
            counts.add(Counted::DebugFunctions, 1, at)?;
            debug.functions.push(FunctionDebug { function: number, ..FunctionDebug::default() });
        }
        match (tag, debug.functions.last_mut()) {
            (PROGRAM, _) => debug.program = Some(number),
            (SOURCE, _) => {
                counts.add(Counted::Sources, 1, at)?;
                debug.sources.push(source(number, &mut words, counts)?);
            }
            (FUNCTION_NAME, Some(entry)) => {
                let at = words.at;
                entry.name = words.name(counts)?;
                if entry.name.is_empty() {
                    return Err(DecodeErrorKind::DebugEmpty.at(at));
                }
            }
            (NAMES, Some(entry)) => entry.ids = value_names(&mut words, counts)?,
            (MEMBERS, Some(entry)) => entry.members = members(&mut words, counts)?,
            (_, Some(entry)) => {
                let source = words.word()?;
                counts.add(Counted::Lines, words.words_left(), at)?;
                let numbers = words.words(words.words_left())?.into_vec();
                entry.lines = Some(Lines { source, numbers });
            }
            (_, None) => {}
        }
        if !words.is_empty() {
            let found = word_at(words.bytes, at + 4).unwrap_or_default();
            return Err(DecodeErrorKind::WordCount { what: "debug record", found }.at(at + 4));
        }
    }
    Ok(debug)
}

/// The rest of a source, after its unit.
fn source(unit: u32, words: &mut Region<'_>, counts: &mut Counts) -> Result<Source> {
    let at = words.at - 4;
    let unit = Unit::ALL.into_iter().find(|&known| known as u32 == unit);
    let unit = unit.ok_or_else(|| DecodeErrorKind::SourceUnit.at(at))?;
    Ok(Source { unit, file: words.name(counts)?, text: words.string(counts)? })
}

/// The value names of a function.
fn value_names(words: &mut Region<'_>, counts: &mut Counts) -> Result<ValueNames> {
    if words.is_empty() {
        return Err(DecodeErrorKind::DebugEmpty.at(words.at));
    }
    let mut names = ValueNames::default();
    while !words.is_empty() {
        let at = words.at;
        counts.add(Counted::ValueNames, 1, at)?;
        let id = words.id()?;
        if names.last().is_some_and(|(last, _)| last >= id) {
            return Err(DecodeErrorKind::NamesOrder(id.0).at(at));
        }
        names.insert(id, words.name(counts)?);
    }
    Ok(names)
}

/// The members of a function's arrays of uniforms. Those of one array follow one another.
fn members(words: &mut Region<'_>, counts: &mut Counts) -> Result<BTreeMap<Id, Vec<Member>>> {
    if words.is_empty() {
        return Err(DecodeErrorKind::DebugEmpty.at(words.at));
    }
    let mut members: BTreeMap<Id, Vec<Member>> = BTreeMap::new();
    while !words.is_empty() {
        let at = words.at;
        counts.add(Counted::Members, 1, at)?;
        let id = words.id()?;
        let member =
            Member { first: words.word()?, component: words.word()?, ty: words.ty()?, name: words.name(counts)? };
        match members.last_entry() {
            Some(last) if *last.key() > id => return Err(DecodeErrorKind::MembersOrder(id.0).at(at)),
            Some(mut last) if *last.key() == id => last.get_mut().push(member),
            // Exactly one, as most words of a hostile file may be about different arrays.
            _ => drop(members.insert(id, Vec::from([member]))),
        }
    }
    Ok(members)
}
