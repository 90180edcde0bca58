//! Text that is combined from pieces of a source. Each piece keeps its position in the source.
//!
//! Rule: this file maps all positions in decoded text to positions in the text that the user sees. Lines and columns are
//! counted in a single pass, regardless of the number of positions.

use std::ops::Range;

use agal_front::Span;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Pieced {
    text: String,
    pieces: Vec<Piece>,
}

/// A piece of text, from the offset `at` to the beginning of the next piece.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Piece {
    at: usize,
    from: Range<usize>,
    /// Whether the source contains the same bytes in the range `from`.
    is_exact: bool,
}

impl Pieced {
    pub(crate) fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns the size of the text in memory, in bytes.
    pub(crate) fn weight(&self) -> usize {
        self.text.len() + self.pieces.len() * size_of::<Piece>()
    }

    /// Adds text that the source contains unchanged, beginning at the offset `from`.
    pub(crate) fn copy(&mut self, text: &str, from: usize) {
        if text.is_empty() {
            return;
        }
        let continues = self.pieces.last().is_some_and(|last| last.is_exact && last.from.end == from);
        match self.pieces.last_mut().filter(|_| continues) {
            Some(last) => last.from.end += text.len(),
            None => self.pieces.push(Piece { at: self.text.len(), from: from..from + text.len(), is_exact: true }),
        }
        self.text.push_str(text);
    }

    /// Adds text that the source encodes in the range `from`, for example as an escape.
    pub(crate) fn put(&mut self, text: &str, from: Range<usize>) {
        if !text.is_empty() {
            self.pieces.push(Piece { at: self.text.len(), from, is_exact: false });
            self.text.push_str(text);
        }
    }

    pub(crate) fn append(&mut self, other: &Pieced) {
        let at = self.text.len();
        self.pieces.extend(other.pieces.iter().map(|piece| Piece { at: at + piece.at, ..piece.clone() }));
        self.text.push_str(&other.text);
    }

    /// Adds a line end that does not occur in the source, unless the text is empty or already ends with a line end.
    pub(crate) fn end_line(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with('\n') {
            self.separate("\n");
        }
    }

    /// Adds text that the source does not contain. The added text is assigned the position at the end of the last
    /// piece.
    pub(crate) fn separate(&mut self, text: &str) {
        let end = self.pieces.last().map_or(0, |last| last.from.end);
        self.put(text, end..end);
    }

    /// Returns the source offsets at which the pieces begin, in the order of the text.
    pub(crate) fn starts(&self) -> impl Iterator<Item = usize> {
        self.pieces.iter().map(|piece| piece.from.start)
    }

    /// Converts a range of the text to a range of the source. If the range would end before it begins in the source, as can
    /// happen with a variable's value, the result ends with the first piece.
    pub(crate) fn written(&self, range: Range<usize>) -> Range<usize> {
        let piece = |at: usize| self.pieces.get(self.pieces.partition_point(|piece| piece.at <= at).checked_sub(1)?);
        let Some(first) = piece(range.start) else { return 0..0 };
        let start = match first.is_exact {
            true => (first.from.start + range.start.saturating_sub(first.at)).min(first.from.end),
            false => first.from.start,
        };
        let last = match range.is_empty() {
            true => return start..start,
            false => range.end - 1,
        };
        let end = piece(last).map_or(start, |piece| match piece.is_exact {
            true => (piece.from.start + (last + 1).saturating_sub(piece.at)).min(piece.from.end),
            false => piece.from.end,
        });
        start..if end < start { first.from.end.max(start) } else { end }
    }
}

/// Maps spans to positions in `source`, using `written` to convert byte ranges. A span of several lines is cut off at the end of
/// its first line.
pub(crate) fn relocate<'s>(
    source: &str,
    spans: impl Iterator<Item = &'s mut Span>,
    written: impl Fn(Range<usize>) -> Range<usize>,
) {
    let mut spans: Vec<&mut Span> = spans.collect();
    let mut offsets = Vec::with_capacity(spans.len());
    let written = |range| {
        let range: Range<usize> = written(range);
        let inside = source.get(range.clone()).unwrap_or_default();
        let line = inside.split(['\n', '\r']).next().unwrap_or_default();
        range.start..if line.len() < inside.len() { range.start + line.trim_end().len() } else { range.end }
    };
    for span in &mut spans {
        let range = written(span.start..span.end);
        (span.start, span.end) = (range.start, range.end);
        offsets.push(span.start);
        if let Some(call) = &mut span.call {
            let range = written(call.start..call.end);
            (call.start, call.end) = (range.start, range.end);
            offsets.push(call.start);
        }
    }
    offsets.sort_unstable();
    offsets.dedup();
    let places = positions(source, &offsets);
    let place = |offset: usize| {
        let index = offsets.binary_search(&offset).ok();
        index.and_then(|index| places.get(index)).copied().unwrap_or((1, 1))
    };
    for span in spans {
        (span.line, span.column) = place(span.start);
        if let Some(call) = &mut span.call {
            (call.line, call.column) = place(call.start);
        }
    }
}

/// Returns the lines and columns of sorted offsets. Lines end with LF, CR LF or CR.
fn positions(source: &str, offsets: &[usize]) -> Vec<(u32, u32)> {
    let mut found = Vec::with_capacity(offsets.len());
    let (mut line, mut column) = (1u32, 1u32);
    let mut offsets = offsets.iter().peekable();
    let mut rest = source.char_indices().peekable();
    while let Some((at, c)) = rest.next() {
        while offsets.next_if(|&&offset| offset <= at).is_some() {
            found.push((line, column));
        }
        if offsets.peek().is_none() {
            return found;
        }
        if c == '\n' || c == '\r' && rest.peek().is_none_or(|&(_, next)| next != '\n') {
            line = line.saturating_add(1);
            column = 1;
        } else {
            column = column.saturating_add(1);
        }
    }
    found.extend(offsets.map(|_| (line, column)));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stretch_leads_back_to_where_it_is_written() {
        let source = "é \"ab\\ncd\" + \"ef\"";
        let mut text = Pieced::default();
        text.copy("ab", 4);
        text.put("\n", 6..8);
        text.copy("cd", 8);
        let mut more = Pieced::default();
        more.copy("ef", 15);
        text.append(&more);
        assert_eq!(text.as_str(), "ab\ncdef");
        let shown = |range| source.get(text.written(range)).expect("a stretch");
        assert_eq!(shown(0..2), "ab");
        assert_eq!(shown(1..4), "b\\nc");
        assert_eq!(shown(2..3), "\\n");
        assert_eq!(shown(3..5), "cd");
        assert_eq!(shown(4..6), "d\" + \"e");
        assert_eq!((text.written(5..7), text.written(7..7)), (15..17, 17..17));
        let mut spans = [
            Span { start: 3, end: 5, line: 2, column: 1, call: None },
            Span { start: 5, end: 7, line: 2, column: 3, call: None },
        ];
        relocate(source, spans.iter_mut(), |range| text.written(range));
        assert_eq!(spans.map(|span| (span.start, span.line, span.column)), [(8, 1, 8), (15, 1, 15)]);
    }

    #[test]
    fn lines_end_with_cr_lf_or_both() {
        assert_eq!(positions("a\rb\r\nc\nd", &[0, 2, 5, 7, 8, 99]), [(1, 1), (2, 1), (3, 1), (4, 1), (4, 2), (4, 2)]);
    }

    #[test]
    fn text_that_is_not_written_anywhere_is_at_the_end_of_what_is() {
        let mut text = Pieced::default();
        text.end_line();
        assert_eq!(text.as_str(), "");
        text.copy("ab", 10);
        text.end_line();
        text.end_line();
        text.copy("c", 20);
        assert_eq!((text.as_str(), text.written(2..3), text.written(0..4)), ("ab\nc", 12..12, 10..21));
    }
}
