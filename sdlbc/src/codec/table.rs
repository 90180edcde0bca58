//! Decodes the debug table.
//!
//! Rule: the records have a fixed order, so that each debug table has only one encoding. [`crate::verify()`] checks whether the
//! functions and values that the records refer to exist.

use std::collections::BTreeMap;

use super::DecodeErrorKind;
use super::layout::Record;
use super::region::{Region, Result, word_at};
use crate::limits::Counted;
use crate::{Debug, FunctionDebug, Id, Member, SourceBinding, ValueNames};

impl Region<'_> {
    /// Decodes the records of the debug table in their fixed order: the program, the sources, and then the records of each
    /// function.
    pub(super) fn debug_table(&mut self) -> Result<Debug> {
        let mut debug = Debug::default();
        let mut last = None;
        while !self.is_empty() {
            let (tag, at, mut words) = self.tagged(Record::WHAT)?;
            let Some(record) = Record::of(tag) else {
                self.counts.step_over(DecodeErrorKind::DebugRecord(tag).at(at))?;
                continue;
            };
            words.what = Record::WHAT;
            let place = record.place(words.peek()?, last);
            last = Some(place.ok_or_else(|| DecodeErrorKind::DebugOrder.at(at))?);
            match record {
                Record::Program => debug.program = Some(words.word()?),
                Record::Source => {
                    self.counts.add(Counted::Sources, 1, at)?;
                    debug.sources.push(words.source()?);
                }
                _ => words.of_function(record, at, &mut debug.functions)?,
            }
            if !words.is_empty() {
                let found = word_at(words.bytes, at + 4).unwrap_or_default();
                return Err(DecodeErrorKind::WordCount { what: Record::WHAT, found }.at(at + 4));
            }
        }
        Ok(debug)
    }

    fn of_function(&mut self, record: Record, at: usize, functions: &mut Vec<FunctionDebug>) -> Result<()> {
        let function = self.word()?;
        if functions.last().is_none_or(|entry| entry.function != function) {
            self.counts.add(Counted::DebugFunctions, 1, at)?;
            functions.push(FunctionDebug { function, ..FunctionDebug::default() });
        }
        let Some(entry) = functions.last_mut() else { return Ok(()) };
        match record {
            Record::Program | Record::Source => {}
            Record::FunctionName => {
                let at = self.at;
                entry.name = self.name()?;
                if entry.name.is_empty() {
                    return Err(DecodeErrorKind::DebugEmpty.at(at));
                }
            }
            Record::ValueNames => entry.ids = self.value_names()?,
            Record::Members => entry.members = self.members()?,
            Record::Bindings => entry.bindings = self.bindings()?,
            Record::Lines => {
                self.counts.add(Counted::Lines, self.words_left().saturating_sub(1), at)?;
                entry.lines = Some(self.lines()?);
            }
        }
        Ok(())
    }

    fn value_names(&mut self) -> Result<ValueNames> {
        if self.is_empty() {
            return Err(DecodeErrorKind::DebugEmpty.at(self.at));
        }
        let mut names = ValueNames::default();
        while !self.is_empty() {
            let at = self.at;
            self.counts.add(Counted::ValueNames, 1, at)?;
            let id = self.id()?;
            if names.last().is_some_and(|(last, _)| last >= id) {
                return Err(DecodeErrorKind::NamesOrder(id.0).at(at));
            }
            names.insert(id, self.name()?);
        }
        Ok(names)
    }

    fn bindings(&mut self) -> Result<BTreeMap<Id, SourceBinding>> {
        if self.is_empty() {
            return Err(DecodeErrorKind::DebugEmpty.at(self.at));
        }
        let mut bindings = BTreeMap::new();
        while !self.is_empty() {
            let at = self.at;
            self.counts.add(Counted::Bindings, 1, at)?;
            let id = self.id()?;
            if bindings.last_key_value().is_some_and(|(&last, _)| last >= id) {
                return Err(DecodeErrorKind::BindingsOrder(id.0).at(at));
            }
            let at = self.at;
            let words = [[self.word()?, self.word()?], [self.word()?, self.word()?]];
            let binding = SourceBinding::from_words(words).ok_or_else(|| DecodeErrorKind::BindingWords.at(at))?;
            bindings.insert(id, binding);
        }
        Ok(bindings)
    }

    /// Decodes the members of a function's uniform arrays. The members of one array are consecutive in the file.
    fn members(&mut self) -> Result<BTreeMap<Id, Vec<Member>>> {
        if self.is_empty() {
            return Err(DecodeErrorKind::DebugEmpty.at(self.at));
        }
        let mut members: BTreeMap<Id, Vec<Member>> = BTreeMap::new();
        while !self.is_empty() {
            let at = self.at;
            self.counts.add(Counted::Members, 1, at)?;
            let id = self.id()?;
            let member = self.member()?;
            match members.last_entry() {
                Some(last) if *last.key() > id => return Err(DecodeErrorKind::MembersOrder(id.0).at(at)),
                Some(mut last) if *last.key() == id => last.get_mut().push(member),
                // The list has capacity for exactly one member, because each entry of a hostile file may name a different array.
                _ => drop(members.insert(id, Vec::from([member]))),
            }
        }
        Ok(members)
    }
}
