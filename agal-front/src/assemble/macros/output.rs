//! The expanded text for the mini assembler, and the source position of each piece of the text.
//!
//! Rule: every position in the expanded text maps to a position in the source text. Text from a macro's body maps to the body,
//! and text from an argument maps to the call.

use std::ops::Range;

use super::operand::SourcePlace;

/// A piece of the expanded text that comes from one contiguous range of the source text.
#[derive(Clone, Debug)]
struct Piece {
    /// The start of the piece in the expanded text; the piece ends where the next one starts.
    at: usize,
    place: SourcePlace,
    /// Whether the piece equals its source text, byte for byte.
    exact: bool,
}

#[derive(Clone, Debug, Default)]
pub(in crate::assemble) struct Origin {
    pieces: Vec<Piece>,
    /// The source range of each macro call outside macro bodies.
    calls: Vec<Range<usize>>,
}

impl Origin {
    /// Maps a range of the expanded text to its source range and to the macro call whose expansion contains it.
    pub(in crate::assemble) fn find(&self, range: Range<usize>) -> (Range<usize>, Option<usize>) {
        let count_up_to = |at: usize| self.pieces.partition_point(|piece| piece.at <= at);
        let from = count_up_to(range.start).saturating_sub(1);
        let to = count_up_to(range.end.saturating_sub(1).max(range.start));
        let Some(first) = self.pieces.get(from) else { return (0..0, None) };
        let call = first.place.call;
        let parts = self.pieces.get(from..to).unwrap_or_default().iter().enumerate();
        let parts = parts.filter(|(_, piece)| piece.place.call == call).map(|(index, piece)| {
            // The range may cover only part of the first and last pieces.
            let offset = |at: usize| piece.place.range.start + at.saturating_sub(piece.at);
            let Range { start, end } = piece.place.range.clone();
            let is_last = from + index + 1 == to;
            let end = if piece.exact && is_last { offset(range.end).min(end) } else { end };
            (if piece.exact && index == 0 { offset(range.start) } else { start }, end)
        });
        let (start, end) = parts.fold((usize::MAX, 0), |whole, part| (whole.0.min(part.0), whole.1.max(part.1)));
        if start == usize::MAX { (first.place.range.clone(), call) } else { (start..end.max(start), call) }
    }

    pub(in crate::assemble) fn call(&self, number: usize) -> Option<Range<usize>> {
        self.calls.get(number).cloned()
    }
}

#[derive(Debug, Default)]
pub(in crate::assemble) struct Line {
    text: String,
    pieces: Vec<Piece>,
}

impl Line {
    /// Adds text that replaces the source text at `place`.
    pub(in crate::assemble) fn push(&mut self, text: &str, place: &SourcePlace) {
        self.add(text, place, false);
    }

    /// Adds the source text at `place` unchanged.
    pub(in crate::assemble) fn copy(&mut self, text: &str, place: &SourcePlace) {
        self.add(text, place, true);
    }

    fn add(&mut self, text: &str, place: &SourcePlace, exact: bool) {
        if !text.is_empty() {
            self.pieces.push(Piece { at: self.text.len(), place: place.clone(), exact });
            self.text.push_str(text);
        }
    }
}

#[derive(Debug, Default)]
pub(in crate::assemble) struct ExpandedText {
    text: String,
    origin: Origin,
}

impl ExpandedText {
    /// Adds a statement to the expanded text, and returns the statement's length in bytes.
    pub(in crate::assemble) fn line(&mut self, line: Line) -> usize {
        let start = self.text.len();
        self.origin.pieces.extend(line.pieces.into_iter().map(|piece| Piece { at: start + piece.at, ..piece }));
        self.text.push_str(&line.text);
        self.text.push('\n');
        line.text.len()
    }

    /// Records a macro call outside macro bodies, and returns the call's index.
    pub(super) fn call(&mut self, range: Range<usize>) -> usize {
        self.origin.calls.push(range);
        self.origin.calls.len() - 1
    }

    pub(super) fn call_range(&self, number: usize) -> Range<usize> {
        self.origin.call(number).unwrap_or_default()
    }

    pub(in crate::assemble) fn finish(self) -> (String, Origin) {
        (self.text, self.origin)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_lead_back_to_the_source() {
        let mut output = ExpandedText::default();
        let place = |range: Range<usize>, call| SourcePlace { range, call };
        let call = output.call(50..60);
        let mut line = Line::default();
        line.push("mov", &place(12..13, None));
        line.push(" ", &place(12..13, None));
        line.copy("ft0.xy", &place(20..26, Some(call)));
        line.push(", ft1", &place(70..74, None));
        output.line(line);
        let (text, origin) = output.finish();
        assert_eq!(text, "mov ft0.xy, ft1\n");
        assert_eq!(origin.find(0..3), (12..13, None));
        assert_eq!(origin.find(4..7), (20..23, Some(0)));
        assert_eq!(origin.find(4..10), (20..26, Some(0)));
        assert_eq!(origin.find(4..15), (20..26, Some(0)), "pieces of two calls");
        assert_eq!(origin.find(12..15), (70..74, None));
        assert_eq!(origin.find(0..15), (12..74, None), "only pieces of the first call");
        assert_eq!(origin.call(0), Some(50..60));
        assert_eq!(Origin::default().find(3..4), (0..0, None));
    }
}
