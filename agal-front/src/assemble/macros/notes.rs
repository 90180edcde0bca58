//! The findings of the macro language about a text.
//!
//! Rule: an error in a macro's body is reported once, for the first call that shows it. A finding that is not kept is counted each
//! time, so that the set of known findings stays bounded too.

use std::collections::HashSet;
use std::mem::{Discriminant, discriminant};
use std::ops::Range;

use crate::finding::{Kind, Level};
use crate::kept::Limit;
use sdlbc::nearest::nearest;

/// A finding whose line and column are not yet counted.
#[derive(Debug)]
pub(in crate::assemble) struct MacroNote {
    pub(in crate::assemble) kind: Kind,
    pub(in crate::assemble) range: Range<usize>,
    /// The number of the call whose expansion contains the text.
    pub(in crate::assemble) call: Option<usize>,
}

/// The findings so far.
#[derive(Debug, Default)]
pub(in crate::assemble) struct Notes {
    list: Vec<MacroNote>,
    limit: Limit,
    has_error: bool,
    seen: HashSet<(usize, usize, Discriminant<Kind>)>,
    suggestions: usize,
}

impl Notes {
    pub(in crate::assemble) fn push(&mut self, kind: Kind, range: Range<usize>) {
        self.push_in(kind, range, None);
    }

    pub(super) fn push_in(&mut self, kind: Kind, range: Range<usize>, call: Option<usize>) {
        let key = (range.start, range.end, discriminant(&kind));
        if self.seen.contains(&key) {
            return;
        }
        self.has_error |= kind.level() == Level::Error;
        if self.limit.keeps(&kind) {
            self.seen.insert(key);
            self.list.push(MacroNote { kind, range, call });
        }
    }

    /// Whether there is a finding that leaves the text without a meaning.
    pub(in crate::assemble) fn has_error(&self) -> bool {
        self.has_error
    }

    /// Whether to look for the nearest of many names, which requires comparing each one.
    pub(super) fn may_suggest(&mut self) -> bool {
        /// Number of mistakes after which findings have no suggestions.
        const SUGGESTIONS: usize = 100;
        self.suggestions += 1;
        self.suggestions <= SUGGESTIONS
    }

    /// The findings that were kept, and the count of the others.
    pub(in crate::assemble) fn into_parts(self) -> (Vec<MacroNote>, Option<Kind>) {
        (self.list, self.limit.further())
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
