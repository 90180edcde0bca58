//! A document: its text, its changes, and the conversion between byte offsets and protocol positions.

use std::cell::OnceCell;
use std::ops::Range;
use std::rc::Rc;

use agalc::Profile;
use lsp_types::{Position, TextDocumentContentChangeEvent};

use crate::analysis::Analysis;
use crate::reading::Source;

/// The unit in which a protocol position counts characters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Encoding {
    Utf8,
    /// UTF-16 code units, which every client supports.
    #[default]
    Utf16,
}

#[derive(Debug)]
pub(crate) struct Document {
    pub(crate) version: i32,
    source: Rc<Source>,
    /// The other document of the pair, if the client has opened it.
    partner: Option<Rc<Source>>,
    /// The byte offset at which each line begins.
    lines: Vec<usize>,
    encoding: Encoding,
    analysis: OnceCell<Analysis>,
}

/// Returns the byte offset at which each line of a text begins. A line ends at LF, CR LF or CR.
fn lines_of(text: &str) -> Vec<usize> {
    let bytes = text.as_bytes();
    let is_end = |at: usize| match bytes.get(at) {
        Some(b'\n') => true,
        Some(b'\r') => bytes.get(at + 1) != Some(&b'\n'),
        _ => false,
    };
    std::iter::once(0).chain((0..bytes.len()).filter(|at| is_end(*at)).map(|at| at + 1)).collect()
}

impl Document {
    pub(crate) fn new(source: Source, version: i32, encoding: Encoding) -> Document {
        let lines = lines_of(&source.text);
        Document { version, source: Rc::new(source), partner: None, lines, encoding, analysis: OnceCell::new() }
    }

    pub(crate) fn text(&self) -> &str {
        &self.source.text
    }

    pub(crate) fn profile(&self) -> Option<Profile> {
        self.source.profile
    }

    /// Returns the document's text and programs, for use by the other document of a pair.
    pub(crate) fn source(&self) -> Rc<Source> {
        Rc::clone(&self.source)
    }

    pub(crate) fn with_text(&self, text: String) -> Document {
        let document = Document::new(self.source.with_text(text), self.version, self.encoding);
        Document { partner: self.partner.clone(), ..document }
    }

    /// Pairs the document with another document, or dissolves the pair. Returns whether the document's partner has changed.
    pub(crate) fn pair_with(&mut self, partner: Option<Rc<Source>>) -> bool {
        let is_same = match (&self.partner, &partner) {
            (Some(before), Some(after)) => Rc::ptr_eq(before, after),
            (before, after) => before.is_none() && after.is_none(),
        };
        if !is_same {
            (self.partner, self.analysis) = (partner, OnceCell::new());
        }
        !is_same
    }

    /// Sets the profile against which the document's programs are checked.
    pub(crate) fn set_profile(&mut self, profile: Option<Profile>) {
        self.put(Source::new(self.source.name.clone(), self.source.text.clone(), profile));
    }

    fn put(&mut self, source: Source) {
        self.lines = lines_of(&source.text);
        (self.source, self.analysis) = (Rc::new(source), OnceCell::new());
    }

    /// Returns the analysis of the text, which is computed on first use.
    pub(crate) fn analysis(&self) -> &Analysis {
        self.analysis.get_or_init(|| Analysis::new(&self.source, self.partner.as_deref()))
    }

    /// Applies a change from the client. A position beyond the end of the text means the end of the text.
    pub(crate) fn change(&mut self, change: &TextDocumentContentChangeEvent) {
        let text = match change.range {
            None => change.text.clone(),
            Some(range) => {
                let (start, end) = (self.offset(range.start), self.offset(range.end));
                let mut text = self.text().to_string();
                text.replace_range(start..end.max(start), &change.text);
                text
            }
        };
        self.put(self.source.with_text(text));
    }

    pub(crate) fn line_count(&self) -> usize {
        self.lines.len()
    }

    pub(crate) fn line_of(&self, offset: usize) -> usize {
        self.lines.partition_point(|start| *start <= offset).saturating_sub(1)
    }

    /// Returns the byte range of a line without its line terminator.
    pub(crate) fn line(&self, number: usize) -> Range<usize> {
        let start = self.lines.get(number).copied().unwrap_or(self.text().len());
        let end = self.lines.get(number + 1).copied().unwrap_or(self.text().len());
        let line = self.text().get(start..end).unwrap_or_default();
        start..start + line.trim_end_matches(['\n', '\r']).len()
    }

    pub(crate) fn slice(&self, range: &Range<usize>) -> &str {
        self.text().get(range.clone()).unwrap_or_default()
    }

    /// Returns the byte offset of a position. The offset is always at a character boundary, and a position beyond the end of a
    /// line means the end of that line.
    pub(crate) fn offset(&self, position: Position) -> usize {
        let range = self.line(position.line as usize);
        let line = self.slice(&range);
        let wanted = position.character as usize;
        let mut before = 0;
        for (at, c) in line.char_indices() {
            if before >= wanted {
                return range.start + at;
            }
            before += self.width(c);
        }
        range.end
    }

    fn width(&self, c: char) -> usize {
        match self.encoding {
            Encoding::Utf8 => c.len_utf8(),
            Encoding::Utf16 => c.len_utf16(),
        }
    }

    pub(crate) fn position(&self, offset: usize) -> Position {
        let line = self.line_of(offset);
        let start = self.lines.get(line).copied().unwrap_or_default();
        let before = self.slice(&(start..offset.min(self.text().len())));
        Position { line: number(line), character: number(self.length(before)) }
    }

    /// Returns the length of a text without line breaks, in the unit of protocol positions.
    pub(crate) fn length(&self, text: &str) -> usize {
        text.chars().map(|c| self.width(c)).sum()
    }

    pub(crate) fn range(&self, range: Range<usize>) -> lsp_types::Range {
        lsp_types::Range { start: self.position(range.start), end: self.position(range.end) }
    }
}

pub(crate) fn number(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document(text: &str, encoding: Encoding) -> Document {
        Document::new(Source::new("a.agal".into(), text.into(), None), 1, encoding)
    }

    #[test]
    fn positions_are_those_of_the_clients_encoding() {
        for (encoding, character) in [(Encoding::Utf16, 5), (Encoding::Utf8, 7)] {
            let text = "mov\r\n// 𝕏é x\rlast\n";
            let document = document(text, encoding);
            assert_eq!(document.line_count(), 4);
            let at = text.find('é').expect("it is there");
            assert_eq!(document.position(at), Position { line: 1, character });
            for offset in (0..text.len()).filter(|at| text.is_char_boundary(*at)) {
                let line = document.line(document.line_of(offset));
                // A position between CR and LF means the end of the line.
                assert_eq!(document.offset(document.position(offset)), offset.min(line.end), "{offset}");
            }
        }
    }

    #[test]
    fn places_beyond_the_text_are_its_end() {
        let mut document = document("mov op, va0\nmov", Encoding::Utf16);
        let far = Position { line: 7, character: 9 };
        assert_eq!(document.offset(far), 15);
        assert_eq!(document.offset(Position { line: 0, character: 90 }), 11);
        let range = Some(lsp_types::Range { start: far, end: Position { line: 0, character: 0 } });
        document.change(&TextDocumentContentChangeEvent { range, range_length: None, text: " v0, va1".into() });
        assert_eq!(document.text(), "mov op, va0\nmov v0, va1");
    }
}
