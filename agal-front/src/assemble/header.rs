//! The header comment `// agal VERSION STAGE` on the first line of the source text.
//!
//! Rule: the header's spaces must match exactly, and its letters may be of either case. A comment in any other form is not a
//! header.

use std::ops::Range;

use super::reader::NoteList;
use crate::finding::Kind;
use crate::register::Stage;

pub(super) struct Header {
    pub(super) version: u32,
    pub(super) stage: Stage,
    pub(super) range: Range<usize>,
}

impl Header {
    /// Parses the first line of the source text, which is at `range`.
    pub(super) fn read(text: &str, range: Range<usize>) -> Option<Header> {
        let comment = text.get(range.clone())?.strip_prefix("// ")?;
        let (_, words) = comment.split_once(' ').filter(|(name, _)| name.eq_ignore_ascii_case("agal"))?;
        let (version, stage) = words.split_once(' ')?;
        let stage = stage_named(stage)?;
        let digits = version.bytes().all(|byte| byte.is_ascii_digit());
        version.parse().ok().filter(|_| digits).map(|version| Header { version, stage, range })
    }

    /// Reports a requested stage or version that contradicts the header comment.
    pub(super) fn check(&self, (stage, version): (Option<Stage>, Option<u32>), notes: &mut NoteList) {
        let version = version.filter(|&given| given != self.version).map(|given| format!("version {given}"));
        let stage = stage.filter(|&given| given != self.stage).map(|given| format!("a {given} program"));
        for given in [version, stage].into_iter().flatten() {
            notes.push(Kind::HeaderDiffers { given }, self.range.clone());
        }
    }
}

/// Returns the stage that a word names, with letters of either case.
pub(super) fn stage_named(word: &str) -> Option<Stage> {
    [Stage::Vertex, Stage::Fragment].into_iter().find(|known| known.to_string().eq_ignore_ascii_case(word))
}
