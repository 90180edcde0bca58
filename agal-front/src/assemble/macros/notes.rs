//! The findings about source text in the macro language.
//!
//! Rule: an error in a macro's body is reported once, for the first call in which the error occurs. Findings beyond the limit are
//! counted but not recorded for comparison with later findings, so the set of recorded findings stays small.

use std::collections::HashSet;
use std::mem::{Discriminant, discriminant};
use std::ops::Range;

use crate::assemble::reader::{NoteList, Written};
use crate::finding::Kind;
use sdlbc::nearest::nearest;

#[derive(Debug, Default)]
pub(in crate::assemble) struct Notes {
    pub(in crate::assemble) list: NoteList<Written>,
    /// The index of the outermost macro call that is being expanded.
    pub(super) call: Option<usize>,
    seen: HashSet<(usize, usize, Discriminant<Kind>)>,
    suggestions: usize,
}

impl Notes {
    /// Adds a finding about the source text at `range` in the current macro call.
    pub(in crate::assemble) fn push(&mut self, kind: Kind, range: Range<usize>) {
        self.push_in(kind, range, self.call);
    }

    pub(super) fn push_in(&mut self, kind: Kind, range: Range<usize>, call: Option<usize>) {
        let key = (range.start, range.end, discriminant(&kind));
        if !self.seen.contains(&key) && self.list.push(kind, (range, call)) {
            self.seen.insert(key);
        }
    }

    /// Reports whether to suggest the nearest name. Suggestions are limited, because each requires comparing many names.
    pub(super) fn may_suggest(&mut self) -> bool {
        /// The number of mistakes after which findings no longer suggest names.
        const SUGGESTIONS: usize = 100;
        self.suggestions += 1;
        self.suggestions <= SUGGESTIONS
    }
}

/// Returns the name in `names` that is most similar to `found`. Neither the case nor the order of `names` matters.
pub(super) fn similar<'n>(found: &str, names: impl Iterator<Item = &'n str>) -> Option<String> {
    /// The maximum length of a suggested name.
    const LONGEST: usize = 40;
    let mut names: Vec<(String, &str)> =
        names.filter(|name| name.len() <= LONGEST).map(|name| (name.to_ascii_lowercase(), name)).collect();
    names.sort_unstable();
    let near = nearest(found, names.iter().map(|(lower, _)| lower.as_str()))?;
    names.iter().find(|(lower, _)| lower == near).map(|(_, name)| (*name).to_string())
}
