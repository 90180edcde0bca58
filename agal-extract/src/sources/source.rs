//! Source files, and the units to which they are compiled.

use std::collections::BTreeMap;

use swf::avm2::types::AbcFile;
use swf::avm2::write::Writer;

use crate::avm::abc::{Abc, Problem};

/// A source: its name and its text. The ending of the name determines the language.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Source<'a> {
    pub(crate) name: &'a str,
    pub(crate) text: &'a str,
}

/// The compiled form of one source.
#[derive(Debug)]
pub(crate) struct Unit {
    /// Index of the source. `None` for the library that Haxe code uses.
    pub(crate) file: Option<usize>,
    pub(crate) abc: AbcFile,
    /// Source lines, counting from 1, by method and offset of an instruction. An instruction without an entry has the line of the
    /// instruction before it.
    pub(crate) lines: BTreeMap<(u32, u32), u32>,
}

impl Unit {
    /// Converts the code to a block like the blocks in SWFs.
    pub(crate) fn into_block(self) -> Result<Abc, Problem> {
        let mut bytes = Vec::new();
        Writer::new(&mut bytes).write(self.abc).map_err(|_| "it cannot be written")?;
        Abc::read(&bytes, usize::MAX)
    }
}

/// A part of a source that was left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SourceWarning {
    /// Index of the source.
    pub(crate) file: usize,
    pub(crate) line: u32,
    pub(crate) column: u32,
    pub(crate) message: String,
}
