//! What the macro language has to say about a text.
//!
//! Rule: what is wrong in a macro's body is said once, for the first call that shows it. What is not kept is counted each
//! time, so that what was seen need not be kept either.

use std::collections::HashSet;
use std::mem::{Discriminant, discriminant};
use std::ops::Range;

use crate::finding::{Kind, Level};
use crate::kept::Limit;
use sdlbc::nearest::nearest;

/// A finding whose lines and columns are still to be counted.
#[derive(Debug)]
pub(in crate::assemble) struct MacroNote {
    pub(in crate::assemble) kind: Kind,
    pub(in crate::assemble) range: Range<usize>,
    /// The call, by its number, that brought the text in.
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
    pub(super) fn push(&mut self, kind: Kind, range: Range<usize>) {
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

    /// Whether something was noted that leaves the text no meaning.
    pub(in crate::assemble) fn has_error(&self) -> bool {
        self.has_error
    }

    /// Whether the nearest of many names may still be looked for: it takes a look at each.
    pub(super) fn may_suggest(&mut self) -> bool {
        /// More mistakes than these are told without.
        const SUGGESTIONS: usize = 100;
        self.suggestions += 1;
        self.suggestions <= SUGGESTIONS
    }

    /// Those that were kept, and the count of the others.
    pub(in crate::assemble) fn into_parts(self) -> (Vec<MacroNote>, Option<Kind>) {
        (self.list, self.limit.further())
    }
}

/// The name of `names` that is most like `found`, whatever their case and order.
pub(super) fn similar<'n>(found: &str, names: impl Iterator<Item = &'n str>) -> Option<String> {
    /// No longer name is worth a look.
    const LONGEST: usize = 40;
    let mut names: Vec<(String, &str)> =
        names.filter(|name| name.len() <= LONGEST).map(|name| (name.to_ascii_lowercase(), name)).collect();
    names.sort_unstable();
    let near = nearest(found, names.iter().map(|(lower, _)| lower.as_str()))?;
    names.iter().find(|(lower, _)| lower == near).map(|(_, name)| (*name).to_string())
}
