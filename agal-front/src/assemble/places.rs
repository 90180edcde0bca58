//! Maps positions in expanded text to lines and columns of the original source text.
//!
//! Rule: the lines of the source text are counted only once, and positions may be requested in any order. Each search for a line
//! and a column starts from a mark near the position.

use std::cell::Cell;
use std::ops::Range;

use super::macros::Origin;
use super::reader::Written;
use super::statement::Statement;
use crate::finding::{Call, Finding, FindingPlace, InstructionSpans, Kind, Span};

pub(super) struct Places<'a> {
    text: &'a str,
    /// The source map of the macro expansion, or `None` if no macros were expanded.
    origin: Option<&'a Origin>,
    /// The lines and columns of characters that are about [`STEP`] bytes apart.
    marks: Vec<Locator>,
    /// The character that was located last. The next position requested is often shortly after this character.
    last: Cell<Locator>,
}

const STEP: usize = 256;

impl<'a> Places<'a> {
    pub(super) fn new(text: &'a str, origin: Option<&'a Origin>) -> Places<'a> {
        let mut at = START;
        let mut marks = vec![at];
        while at.at < text.len() {
            at.go(text, at.at + STEP);
            marks.push(at);
        }
        Places { text, origin, marks, last: Cell::new(START) }
    }

    pub(super) fn find(&self, range: Range<usize>) -> Written {
        self.origin.map_or((range.clone(), None), |origin| origin.find(range))
    }

    /// Returns the findings in source order, with their lines and columns. A finding that recurs at the same position is reported
    /// once.
    pub(super) fn findings(&self, mut notes: Vec<(Kind, Written)>) -> Vec<Finding> {
        notes.sort_by_key(|(_, (range, _))| range.start);
        let mut findings: Vec<Finding> = Vec::new();
        for (kind, written) in notes {
            let place = FindingPlace::text(self.span(written));
            let same = |other: &&Finding| other.place.span.map(|span| span.start) == place.span.map(|span| span.start);
            if self.origin.is_none() || !findings.iter().rev().take_while(same).take(8).any(|other| other.kind == kind)
            {
                findings.push(Finding::new(kind, place));
            }
        }
        findings
    }

    pub(super) fn spans_of(&self, statement: Statement) -> InstructionSpans {
        let Statement { operation, destination, sources: [first, second], .. } = statement;
        let span = |range: Range<usize>| self.span(self.find(range));
        let [destination, first, second] = [destination, first, second].map(|range| range.map(span));
        InstructionSpans { operation: span(operation), destination, sources: [first, second, None] }
    }

    fn at(&self, offset: usize) -> (u32, u32) {
        let mut found = self.last.get();
        if offset < found.at || offset > found.at + STEP {
            let before = self.marks.partition_point(|mark| mark.at <= offset).saturating_sub(1);
            found = self.marks.get(before).copied().unwrap_or(START);
        }
        found.go(self.text, offset);
        self.last.set(found);
        (found.line, found.column)
    }

    pub(super) fn span(&self, (range, number): Written) -> Span {
        let call = self.origin.zip(number).and_then(|(origin, number)| origin.call(number));
        let call = call.map(|range| {
            let (line, column) = self.at(range.start);
            Call { start: range.start, end: range.end, line, column }
        });
        let (line, column) = self.at(range.start);
        Span { start: range.start, end: range.end, line, column, call }
    }
}

#[derive(Clone, Copy)]
struct Locator {
    at: usize,
    line: u32,
    column: u32,
}

const START: Locator = Locator { at: 0, line: 1, column: 1 };

impl Locator {
    /// Advances to the first character at or after `offset`. Lines end as in an editor, at LF, CR LF or CR. VT and FF separate
    /// statements but do not end lines.
    fn go(&mut self, text: &str, offset: usize) {
        let mut rest = text.get(self.at..).unwrap_or_default().chars().peekable();
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
    }
}
