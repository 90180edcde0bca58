//! The comment `// agal VERSION STAGE` on a text's first line.
//!
//! Rule: its spaces must match exactly, and its letters may be of either case; any other comment is only a comment.

use std::ops::Range;

use super::reader::NoteList;
use crate::finding::Kind;
use crate::register::Stage;

/// Contents and position of the comment.
pub(super) struct Header {
    pub(super) version: u32,
    pub(super) stage: Stage,
    pub(super) range: Range<usize>,
}

impl Header {
    /// Reads the text's first line, which is at `range`.
    pub(super) fn read(text: &str, range: Range<usize>) -> Option<Header> {
        let comment = text.get(range.clone())?.strip_prefix("// ")?;
        let (_, words) = comment.split_once(' ').filter(|(name, _)| name.eq_ignore_ascii_case("agal"))?;
        let (version, stage) = words.split_once(' ')?;
        let stage = stage_named(stage)?;
        let digits = version.bytes().all(|byte| byte.is_ascii_digit());
        version.parse().ok().filter(|_| digits).map(|version| Header { version, stage, range })
    }

    /// Reports a requested stage or version that differs from the comment.
    pub(super) fn check(&self, (stage, version): (Option<Stage>, Option<u32>), notes: &mut NoteList) {
        let version = version.filter(|&given| given != self.version).map(|given| format!("version {given}"));
        let stage = stage.filter(|&given| given != self.stage).map(|given| format!("a {given} program"));
        for given in [version, stage].into_iter().flatten() {
            notes.push(Kind::HeaderDiffers { given }, self.range.clone());
        }
    }
}

/// The stage that a word names, in letters of either case.
pub(super) fn stage_named(word: &str) -> Option<Stage> {
    [Stage::Vertex, Stage::Fragment].into_iter().find(|known| known.to_string().eq_ignore_ascii_case(word))
}
