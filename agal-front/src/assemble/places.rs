//! Where findings and tokens are in the text as it was written, before macros are expanded.
//!
//! Rule: lines and columns are counted in a single pass, whatever the order of the requests.

use std::ops::Range;

use super::macros::Origin;
use super::statement::Statement;
use crate::finding::{Call, Finding, FindingPlace, InstructionSpans, Kind, SourceMap, Span};

/// A stretch of the original text, and the macro call that it is read for.
pub(super) type Written = (Range<usize>, Option<usize>);

/// Finds the original position of expanded text.
pub(super) struct Places<'a> {
    pub(super) text: &'a str,
    /// For a text in the macro language.
    pub(super) origin: Option<&'a Origin>,
}

impl Places<'_> {
    /// The original position of a stretch of the expanded text.
    pub(super) fn find(&self, range: Range<usize>) -> Written {
        self.origin.map_or((range.clone(), None), |origin| origin.find(range))
    }

    /// The findings in text order, with line and column. The same finding twice at one place is reported once.
    pub(super) fn findings(&self, mut notes: Vec<(Kind, Written)>) -> Vec<Finding> {
        notes.sort_by_key(|(_, (range, _))| range.start);
        let lines = self.lines(notes.iter().map(|(_, written)| written));
        let mut findings: Vec<Finding> = Vec::new();
        for (kind, written) in notes {
            let place = FindingPlace::text(self.span(&lines, written));
            let same = |other: &&Finding| other.place.span.map(|span| span.start) == place.span.map(|span| span.start);
            if self.origin.is_none() || !findings.iter().rev().take_while(same).take(8).any(|other| other.kind == kind)
            {
                findings.push(Finding::new(kind, place));
            }
        }
        findings
    }

    /// The spans of stretches of the original text, in the order given.
    pub(super) fn spans(&self, written: Vec<Written>) -> Vec<Span> {
        let lines = self.lines(written.iter());
        written.into_iter().map(|written| self.span(&lines, written)).collect()
    }

    pub(super) fn source_map(&self, statements: Vec<Statement>) -> SourceMap {
        let written: Vec<[Option<Written>; 4]> = statements
            .into_iter()
            .map(|Statement { operation, destination, sources: [first, second], .. }| {
                [Some(operation), destination, first, second].map(|range| range.map(|range| self.find(range)))
            })
            .collect();
        let lines = self.lines(written.iter().flatten().flatten());
        let spans = written.into_iter().map(|written| {
            let [operation, destination, first, second] =
                written.map(|written| written.map(|written| self.span(&lines, written)));
            let operation = operation.unwrap_or(Span { start: 0, end: 0, line: 1, column: 1, call: None });
            InstructionSpans { operation, destination, sources: [first, second, None] }
        });
        SourceMap { instructions: spans.collect() }
    }

    /// Lines and columns of all places, counted in a single pass whatever their order.
    fn lines<'w>(&self, written: impl Iterator<Item = &'w Written>) -> Vec<(usize, u32, u32)> {
        let call = |number: Option<usize>| Some(self.origin?.call(number?)?.start);
        let mut offsets: Vec<usize> =
            written.flat_map(|(range, number)| [Some(range.start), call(*number)]).flatten().collect();
        offsets.sort_unstable();
        offsets.dedup();
        let mut locator = Locator { text: self.text, at: 0, line: 1, column: 1 };
        offsets.into_iter().map(|offset| locator.locate(offset)).collect()
    }

    fn span(&self, lines: &[(usize, u32, u32)], (range, number): Written) -> Span {
        let at = |offset: usize| {
            let index = lines.binary_search_by_key(&offset, |(offset, ..)| *offset).ok();
            index.and_then(|index| lines.get(index)).map_or((1, 1), |&(_, line, column)| (line, column))
        };
        let call = self.origin.zip(number).and_then(|(origin, number)| origin.call(number));
        let call = call.map(|range| {
            let (line, column) = at(range.start);
            Call { start: range.start, end: range.end, line, column }
        });
        let (line, column) = at(range.start);
        Span { start: range.start, end: range.end, line, column, call }
    }
}

/// Counts lines and columns, in the order of the text.
struct Locator<'a> {
    text: &'a str,
    at: usize,
    line: u32,
    column: u32,
}

impl Locator<'_> {
    /// Lines end as in an editor: at LF, CR LF or CR. VT and FF separate statements but are characters of a line.
    fn locate(&mut self, offset: usize) -> (usize, u32, u32) {
        let mut rest = self.text.get(self.at..).unwrap_or_default().chars().peekable();
        while self.at < offset
            && let Some(c) = rest.next()
        {
            self.at += c.len_utf8();
            if c == '\n' || c == '\r' && rest.peek() != Some(&'\n') {
                self.line = self.line.saturating_add(1);
                self.column = 1;
            } else {
                self.column = self.column.saturating_add(1);
            }
        }
        (offset, self.line, self.column)
    }
}
