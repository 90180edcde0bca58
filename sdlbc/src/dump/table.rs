//! Dumps the debug table.

use super::{Dumper, Within};
use crate::codec::DecodeErrorKind;
use crate::codec::layout::Record;
use crate::{SourceBinding, limits};

impl Dumper<'_> {
    pub(super) fn debug_table(&mut self, end: usize) {
        let table = Within { end, what: "debug table" };
        let (mut last, mut sources) = (None, 0);
        while self.at < end {
            let tag = self.peek(0).unwrap_or_default();
            let Some(record) = Record::of(tag) else {
                self.fault(self.at, DecodeErrorKind::DebugRecord(tag));
                self.tagged(table, Record::WHAT, "unknown debug record", |dumper, end| dumper.rest(end, "skipped"));
                continue;
            };
            match record.place(self.peek(2).unwrap_or_default(), last) {
                None => self.fault(self.at, DecodeErrorKind::DebugOrder),
                place => last = place,
            }
            let mut name = record.name().to_string();
            if record == Record::Source {
                name = format!("{name} {sources}");
                sources += 1;
            }
            self.tagged(table, Record::WHAT, &name, |dumper, end| {
                dumper.debug_record(record, Within { end, what: Record::WHAT });
            });
        }
    }

    fn debug_record(&mut self, record: Record, within: Within) -> Option<()> {
        if record.is_of_function() {
            self.number(within, |index| format!("of function {index}"))?;
        }
        match record {
            Record::Program => self.number(within, |checksum| format!("of the file with checksum {checksum:08x}")),
            Record::Source => self.source(within),
            Record::FunctionName => {
                if self.at < within.end && self.peek(0) == Some(0) {
                    self.fault(self.at, DecodeErrorKind::DebugEmpty);
                }
                self.name(within, "name")
            }
            Record::ValueNames => self.value_names(within),
            Record::Members => self.members(within),
            Record::Bindings => self.bindings(within),
            Record::Lines => self.lines(within),
        }
    }

    fn value_names(&mut self, within: Within) -> Option<()> {
        let falls = |last, id| last >= id;
        self.by_id(within, ("id", "no id"), falls, DecodeErrorKind::NamesOrder, |dumper| dumper.name(within, "name"))
    }

    fn members(&mut self, within: Within) -> Option<()> {
        let falls = |last, id| last > id;
        self.by_id(within, ("of id", "of no id"), falls, DecodeErrorKind::MembersOrder, |dumper| {
            dumper.depth += 1;
            let known = dumper.member(within);
            dumper.depth -= 1;
            known
        })
    }

    fn bindings(&mut self, within: Within) -> Option<()> {
        let falls = |last, id| last >= id;
        self.by_id(within, ("of id", "of no id"), falls, DecodeErrorKind::BindingsOrder, |dumper| {
            let words = [[dumper.peek(0)?, dumper.peek(1)?], [dumper.peek(2)?, dumper.peek(3)?]];
            if SourceBinding::from_words(words).is_none() {
                dumper.fault(dumper.at, DecodeErrorKind::BindingWords);
            }
            dumper.depth += 1;
            let shown = ["group", "binding", "group of the sampler", "binding of the sampler"]
                .into_iter()
                .try_for_each(|what| {
                    dumper.number(within, |number| match number {
                        u32::MAX => format!("no {what}"),
                        _ => format!("{what} {number}"),
                    })
                });
            dumper.depth -= 1;
            shown
        })
    }

    /// Writes a list of ids, each followed by the words that `content` writes. `falls` reports whether two consecutive ids are
    /// out of order.
    fn by_id(
        &mut self,
        within: Within,
        (name, absent): (&str, &str),
        falls: fn(u32, u32) -> bool,
        fault: fn(u32) -> DecodeErrorKind,
        content: impl Fn(&mut Self) -> Option<()>,
    ) -> Option<()> {
        if self.at >= within.end {
            self.fault(within.end, DecodeErrorKind::DebugEmpty);
        }
        let mut last = None;
        while self.at < within.end {
            if let Some(id) = self.peek(0) {
                // An id above the limit already has a mark.
                if last.is_some_and(|last| falls(last, id)) && id <= limits::MAX_ID {
                    self.fault(self.at, fault(id));
                }
                last = last.max(Some(id));
            }
            self.id(within, name, absent)?;
            content(self)?;
        }
        Some(())
    }

    pub(super) fn line_numbers(&mut self, within: Within) -> Option<()> {
        let mut index = 0;
        while self.at < within.end {
            self.number(within, |number| match number {
                0 => format!("#{index} none"),
                _ => format!("#{index} at {number}"),
            })?;
            index += 1;
        }
        Some(())
    }
}
