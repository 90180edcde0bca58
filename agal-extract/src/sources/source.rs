//! Source files, and the units that they are compiled to.

use std::collections::BTreeMap;

use swf::avm2::types::AbcFile;
use swf::avm2::write::Writer;

use crate::avm::abc::{Abc, Problem};

/// A source: its name, whose ending tells its language, and its text.
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
    /// Lines of instructions, counted from 1, by method and offset. An instruction without an entry has the line of the one before
    /// it.
    pub(crate) lines: BTreeMap<(u32, u32), u32>,
}

impl Unit {
    /// The code as a block like that of a SWF.
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
