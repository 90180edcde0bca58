//! Splits source text into lines for the parsers of parts, procedures and names.

use std::ops::Range;

/// Returns the ranges of all lines that are not blank, including comments, without surrounding white space.
pub(super) fn lines(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut next = 0;
    text.split(['\n', '\r', '\x0b', '\x0c']).filter_map(move |line| {
        let start = next;
        next += line.len() + 1;
        let outer = |c: char| c.is_whitespace() || c == '\u{feff}';
        let kept = line.trim_start_matches(outer);
        let start = start + line.len() - kept.len();
        let kept = kept.trim_end_matches(outer);
        (!kept.is_empty()).then(|| start..start + kept.len())
    })
}
