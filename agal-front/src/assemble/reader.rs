//! Collects the findings about source text, the names that imply a stage, and the version requirements.

use std::ops::Range;

use crate::finding::{Kind, Level};
use crate::kept::Limit;
use crate::register::{File, Stage};

/// A range of the original source text, and the index of the macro call being expanded, if any.
pub(super) type Written = (Range<usize>, Option<usize>);

/// A bounded list of findings whose lines and columns have not been computed yet.
#[derive(Debug, Default)]
pub(super) struct NoteList<P = Range<usize>> {
    list: Vec<(Kind, P)>,
    limit: Limit,
    has_error: bool,
}

impl<P> NoteList<P> {
    /// Adds a finding to the list, or only counts it if the list is full. Reports whether the finding was added.
    pub(super) fn push(&mut self, kind: Kind, place: P) -> bool {
        self.has_error |= kind.level() == Level::Error;
        let is_kept = self.limit.keeps(&kind);
        if is_kept {
            self.list.push((kind, place));
        }
        is_kept
    }

    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Reports whether to search for the most similar word. The search is skipped after [`KEPT`](sdlbc::front::KEPT) errors
    /// because it is slow.
    pub(super) fn may_suggest(&self) -> bool {
        !self.limit.is_full()
    }

    /// Reports whether the source text has an error that the caller cannot allow.
    pub(super) fn has_error(&self) -> bool {
        self.has_error
    }

    /// Returns the kept findings, with a final finding that counts the dropped ones.
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

pub(super) struct StageMark<'a> {
    pub(super) name: &'a str,
    pub(super) stage: Stage,
    pub(super) range: Range<usize>,
    pub(super) role: Role,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Opcode,
    Register,
    /// An index register, whose stage Adobe's assembler does not check.
    Index,
}

pub(super) struct Reader<'a> {
    pub(super) text: &'a str,
    pub(super) notes: NoteList,
    /// The stage that the source text or the caller states.
    pub(super) given: Option<Stage>,
    /// The first name that implies a stage, followed by all names that imply a stage other than the stated one. If no stage is
    /// stated, the first name determines the stage.
    pub(super) marks: Vec<StageMark<'a>>,
    /// The highest register number used in each register file, indexed by the file's number.
    pub(super) highest: [Option<u32>; File::ALL.len()],
    /// The first AGAL version that supports every opcode and option in the program.
    pub(super) since: u32,
    pub(super) options_seen: bool,
    /// The bytes of the `.trailing` line, which must be the last line.
    pub(super) trailing: Vec<u8>,
}

pub(super) fn quote(text: &str) -> String {
    /// The maximum length of a quotation in a message, in characters.
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
