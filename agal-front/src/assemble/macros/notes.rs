//! The findings of the macro language about a text.
//!
//! Rule: an error in a macro's body is reported once, for the first call in which it occurs. A finding that is not kept is counted
//! each time, so that the set of known findings stays bounded too.

use std::collections::HashSet;
use std::mem::{Discriminant, discriminant};
use std::ops::Range;

use crate::assemble::reader::{NoteList, Written};
use crate::finding::Kind;
use sdlbc::nearest::nearest;

/// The findings so far.
#[derive(Debug, Default)]
pub(in crate::assemble) struct Notes {
    pub(in crate::assemble) list: NoteList<Written>,
    /// The number of the macro call in the program itself that is being expanded.
    pub(super) call: Option<usize>,
    seen: HashSet<(usize, usize, Discriminant<Kind>)>,
    suggestions: usize,
}

impl Notes {
    /// Adds a finding about the text at `range`, in the current call.
    pub(in crate::assemble) fn push(&mut self, kind: Kind, range: Range<usize>) {
        self.push_in(kind, range, self.call);
    }

    pub(super) fn push_in(&mut self, kind: Kind, range: Range<usize>, call: Option<usize>) {
        let key = (range.start, range.end, discriminant(&kind));
        if !self.seen.contains(&key) && self.list.push(kind, (range, call)) {
            self.seen.insert(key);
        }
    }

    /// Whether to look for the nearest of many names, which requires comparing each one.
    pub(super) fn may_suggest(&mut self) -> bool {
        /// Number of mistakes after which findings have no suggestions.
        const SUGGESTIONS: usize = 100;
        self.suggestions += 1;
        self.suggestions <= SUGGESTIONS
    }
}

/// The name in `names` that is most similar to `found`, regardless of their case and order.
pub(super) fn similar<'n>(found: &str, names: impl Iterator<Item = &'n str>) -> Option<String> {
    /// Length beyond which names are not considered.
    const LONGEST: usize = 40;
    let mut names: Vec<(String, &str)> =
        names.filter(|name| name.len() <= LONGEST).map(|name| (name.to_ascii_lowercase(), name)).collect();
    names.sort_unstable();
    let near = nearest(found, names.iter().map(|(lower, _)| lower.as_str()))?;
    names.iter().find(|(lower, _)| lower == near).map(|(_, name)| (*name).to_string())
}
