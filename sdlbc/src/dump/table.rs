//! The debug table in the dump.

use super::{Dumper, UNKNOWN};
use crate::codec::{self, DecodeErrorKind, FUNCTION_NAME, LINES, MEMBERS, NAMES, PROGRAM, SOURCE};
use crate::members::COMPONENTS;
use crate::{Unit, limits};

/// The name of a record in errors.
const RECORD: &str = "debug record";
/// A record and the struct that contains it.
const IN_TABLE: (&str, &str) = ("debug table", RECORD);

impl Dumper<'_> {
    pub(super) fn debug_table(&mut self, end: usize) {
        let (mut last, mut sources) = (None, 0);
        while self.at < end {
            let tag = self.peek(0).unwrap_or_default();
            let number = self.peek(2).unwrap_or_default();
            match codec::debug_order(tag, number) {
                Some(key) if last.is_some_and(|last| key < last || key == last && tag != SOURCE) => {
                    self.fault(self.at, DecodeErrorKind::DebugOrder);
                }
                Some(key) => last = Some(key),
                None => self.fault(self.at, DecodeErrorKind::DebugRecord(tag)),
            }
            match tag {
                PROGRAM => self.tagged(end, IN_TABLE, "program", |dumper, end| {
                    dumper.goes_on(end, RECORD);
                    dumper.word(end, |checksum| format!("of the file with checksum {checksum:08x}"));
                }),
                SOURCE => {
                    self.tagged(end, IN_TABLE, &format!("source {sources}"), Self::source);
                    sources += 1;
                }
                FUNCTION_NAME => self.tagged(end, IN_TABLE, "name of a function", |dumper, end| {
                    dumper.of_function(end);
                    if dumper.at < end && dumper.peek(0) == Some(0) {
                        dumper.fault(dumper.at, DecodeErrorKind::DebugEmpty);
                    }
                    dumper.string(end, RECORD, "name");
                }),
                NAMES => self.tagged(end, IN_TABLE, "names of values", Self::names),
                MEMBERS => self.tagged(end, IN_TABLE, "members of uniforms", Self::members),
                LINES => self.tagged(end, IN_TABLE, "line numbers of instructions", Self::lines),
                _ => self.tagged(end, IN_TABLE, "unknown debug record", |dumper, end| dumper.rest(end, "skipped")),
            }
        }
    }

    fn of_function(&mut self, end: usize) {
        self.goes_on(end, RECORD);
        self.word(end, |index| format!("of function {index}"));
    }

    fn source(&mut self, end: usize) {
        self.goes_on(end, RECORD);
        self.known(
            end,
            |number| {
                let unit = Unit::ALL.into_iter().find(|&unit| unit as u32 == number);
                unit.map(|unit| format!("counted in {}", unit.name()))
            },
            |_| DecodeErrorKind::SourceUnit,
        );
        if self.string(end, RECORD, "file") {
            self.string(end, RECORD, "text");
        }
    }

    fn names(&mut self, end: usize) {
        self.of_function(end);
        if self.at >= end {
            self.fault(end, DecodeErrorKind::DebugEmpty);
        }
        let mut last = None;
        while self.at < end {
            if let Some(id) = self.peek(0) {
                // An id above the limit has its own mark.
                if last.is_some_and(|last| last >= id) && id <= limits::MAX_ID {
                    self.fault(self.at, DecodeErrorKind::NamesOrder(id));
                }
                last = last.max(Some(id));
            }
            self.id(end, "id", "no id");
            if !self.string(end, RECORD, "name") {
                self.rest(end, UNKNOWN);
            }
        }
    }

    fn members(&mut self, end: usize) {
        self.of_function(end);
        if self.at >= end {
            self.fault(end, DecodeErrorKind::DebugEmpty);
        }
        let mut last = 0;
        while self.at < end {
            if let Some(id) = self.peek(0) {
                // An id above the limit has its own mark.
                if last > id && id <= limits::MAX_ID {
                    self.fault(self.at, DecodeErrorKind::MembersOrder(id));
                }
                last = last.max(id);
            }
            self.id(end, "of id", "of no id");
            self.depth += 1;
            for meaning in [element, component] {
                self.goes_on(end, RECORD);
                self.word(end, meaning);
            }
            if !self.goes_on(end, RECORD) || !self.ty(end, RECORD) || !self.string(end, RECORD, "name") {
                self.rest(end, UNKNOWN);
            }
            self.depth -= 1;
        }
    }

    fn lines(&mut self, end: usize) {
        self.of_function(end);
        self.goes_on(end, RECORD);
        self.word(end, |source| format!("in source {source}"));
        let mut index = 0;
        while self.at < end {
            self.word(
                end,
                |number| if number == 0 { format!("#{index} none") } else { format!("#{index} at {number}") },
            );
            index += 1;
        }
    }
}

/// The first element of a member.
fn element(number: u32) -> String {
    format!("element {number}")
}

/// The first component of a member.
fn component(number: u32) -> String {
    let name = usize::try_from(number).ok().and_then(|number| COMPONENTS.get(number));
    name.map_or_else(|| format!("component {number}"), |name| format!("component {name}"))
}
