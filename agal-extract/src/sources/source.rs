//! Source files, and the units to which they are compiled.

use std::collections::BTreeMap;

use swf::avm2::types::AbcFile;
use swf::avm2::write::Writer;

use crate::avm::abc::{Abc, Problem};

/// A source file, whose extension determines the language.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Source<'a> {
    pub(crate) name: &'a str,
    pub(crate) text: &'a str,
}

#[derive(Debug)]
pub(crate) struct Unit {
    /// The index of the source, or `None` for the Haxe library.
    pub(crate) file: Option<usize>,
    pub(crate) abc: AbcFile,
    /// The source lines, numbered from 1 and keyed by method index and byte offset. An instruction without an entry has the line
    /// of the preceding instruction.
    pub(crate) lines: BTreeMap<(u32, u32), u32>,
}

impl Unit {
    /// Encodes the unit as an ABC block, and parses the block as if it came from a SWF file.
    pub(crate) fn into_block(self) -> Result<Abc, Problem> {
        let mut bytes = Vec::new();
        Writer::new(&mut bytes).write(self.abc).map_err(|_| "it cannot be written")?;
        Abc::read(&bytes, usize::MAX)
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SourceWarning {
    pub(crate) file: usize,
    pub(crate) line: u32,
    pub(crate) column: u32,
    pub(crate) message: String,
}
