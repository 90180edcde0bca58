//! The debug table as the module has it.
//!
//! Rule: the records stand in one order, so that a table has one form; what they say of functions and values that do
//! not exist is [`crate::verify()`]'s.

use std::collections::BTreeMap;

use super::region::{Counts, Region, Result, word_at};
use super::{DecodeErrorKind, FUNCTION_NAME, NAMES, PROGRAM, SOURCE};
use crate::limits::Counted;
use crate::{Debug, FunctionDebug, Id, Lines, Source, Unit};

/// The records of the debug table, which stand in one order: the program, the sources, then each function's.
pub(super) fn debug(mut table: Region<'_>, counts: &mut Counts) -> Result<Debug> {
    let mut debug = Debug::default();
    let mut last = None;
    while !table.is_empty() {
        let (tag, at, mut words) = table.tagged("debug record")?;
        if super::debug_place(tag, 0).is_none() {
            return Err(DecodeErrorKind::DebugRecord(tag).at(at));
        }
        words.what = "debug record";
        let number = words.word()?;
        let place = super::debug_place(tag, number);
        if place < last || place.is_some() && place == last && tag != SOURCE {
            return Err(DecodeErrorKind::DebugOrder.at(at));
        }
        last = place;
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
            (_, Some(entry)) => {
                let source = words.word()?;
                counts.add(Counted::Lines, words.words_left(), at)?;
                let numbers = words.words(words.words_left())?.into();
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

/// A source behind its unit.
fn source(unit: u32, words: &mut Region<'_>, counts: &mut Counts) -> Result<Source> {
    let at = words.at - 4;
    let unit = Unit::ALL.into_iter().find(|&known| known as u32 == unit);
    let unit = unit.ok_or_else(|| DecodeErrorKind::SourceUnit.at(at))?;
    Ok(Source { unit, file: words.name(counts)?, text: words.string(counts)? })
}

/// The names of values of a function.
fn value_names(words: &mut Region<'_>, counts: &mut Counts) -> Result<BTreeMap<Id, String>> {
    if words.is_empty() {
        return Err(DecodeErrorKind::DebugEmpty.at(words.at));
    }
    let mut names = BTreeMap::new();
    while !words.is_empty() {
        let at = words.at;
        counts.add(Counted::ValueNames, 1, at)?;
        let id = words.id()?;
        if names.last_key_value().is_some_and(|(&last, _)| last >= id) {
            return Err(DecodeErrorKind::NamesOrder(id.0).at(at));
        }
        names.insert(id, words.name(counts)?);
    }
    Ok(names)
}
