//! Results of reading a text: findings, names that imply the stage, and the requirements on the version.

use std::ops::Range;

use crate::finding::{Kind, Level};
use crate::kept::Limit;
use crate::register::{File, Stage};

/// A stretch of the original text, and the number of the macro call whose expansion contains it.
pub(super) type Written = (Range<usize>, Option<usize>);

/// Findings in text order, as many as are kept, with places whose lines and columns are not yet counted.
#[derive(Debug, Default)]
pub(super) struct NoteList<P = Range<usize>> {
    list: Vec<(Kind, P)>,
    limit: Limit,
    has_error: bool,
}

impl<P> NoteList<P> {
    /// Adds a finding, or counts it; returns whether it is kept.
    pub(super) fn push(&mut self, kind: Kind, place: P) -> bool {
        self.has_error |= kind.level() == Level::Error;
        let is_kept = self.limit.keeps(&kind);
        if is_kept {
            self.list.push((kind, place));
        }
        is_kept
    }

    /// Whether there are no findings.
    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Whether to search for the most similar word, which takes time; not after [`KEPT`](sdlbc::front::KEPT) errors.
    pub(super) fn may_suggest(&self) -> bool {
        !self.limit.is_full()
    }

    /// Whether there is a finding that leaves the text without a meaning.
    pub(super) fn has_error(&self) -> bool {
        self.has_error
    }

    /// The findings that were kept, and the count of the others.
    pub(super) fn into_parts(self) -> (Vec<(Kind, P)>, Option<Kind>) {
        (self.list, self.limit.further())
    }
}

impl<P> Extend<(Kind, P)> for NoteList<P> {
    fn extend<T: IntoIterator<Item = (Kind, P)>>(&mut self, notes: T) {
        for (kind, place) in notes {
            self.push(kind, place);
        }
    }
}

/// A name that belongs to one stage.
pub(super) struct StageMark<'a> {
    pub(super) name: &'a str,
    pub(super) stage: Stage,
    pub(super) range: Range<usize>,
    pub(super) role: Role,
}

/// Role of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Opcode,
    Register,
    /// A register between brackets, whose stage Adobe's assembler does not check.
    Index,
}

/// Reads statements, and collects their implications for the program.
pub(super) struct Reader<'a> {
    pub(super) text: &'a str,
    pub(super) notes: NoteList,
    /// The stage that is stated or requested.
    pub(super) given: Option<Stage>,
    /// The first mark, and the marks of a stage other than the given one or, without a given stage, that of the first mark.
    pub(super) marks: Vec<StageMark<'a>>,
    /// The highest register used of each file, by the file's number.
    pub(super) highest: [Option<u32>; File::ALL.len()],
    /// The first version that has every opcode used.
    pub(super) since: u32,
    /// Whether a texture opcode has had options so far.
    pub(super) options_seen: bool,
    /// The bytes of a `.trailing` line, after which nothing may follow.
    pub(super) trailing: Vec<u8>,
}

/// A piece of source text, shortened for a message.
pub(super) fn quote(text: &str) -> String {
    /// The longest text that keeps a message on one line.
    const LONGEST: usize = 40;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_string(),
    }
}

impl<'a> Reader<'a> {
    pub(super) fn new(text: &'a str) -> Reader<'a> {
        Reader {
            text,
            notes: NoteList::default(),
            given: None,
            marks: Vec::new(),
            highest: Default::default(),
            since: 1,
            options_seen: false,
            trailing: Vec::new(),
        }
    }

    /// Records a name that belongs to one stage.
    pub(super) fn mark(&mut self, mark: StageMark<'a>) {
        let expected = self.given.or(self.marks.first().map(|first| first.stage));
        if expected != Some(mark.stage) || self.marks.is_empty() {
            self.marks.push(mark);
        }
    }

    pub(super) fn note(&mut self, kind: Kind, range: &Range<usize>) {
        self.notes.push(kind, range.clone());
    }

    pub(super) fn text_of(&self, range: &Range<usize>) -> &'a str {
        self.text.get(range.clone()).unwrap_or_default()
    }
}
