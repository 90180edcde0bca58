//! A program in a paste, as AGAL text or as bytecode.

use std::ops::Range;

use agal_front::Stage;

use super::bytes::Written;
use super::pieced::Pieced;

#[derive(Debug)]
pub(crate) struct Pasted {
    /// The program's stage, if it is known.
    pub(super) stage: Option<Stage>,
    /// The stage that code or a heading outside the program's text states.
    pub(crate) asked: Option<Stage>,
    /// The version that code outside the program's text states.
    pub(crate) version: Option<u32>,
    pub(crate) code: Code,
}

#[derive(Debug)]
pub(crate) enum Code {
    Text(Pieced),
    Bytes(Written),
}

impl Pasted {
    pub(super) fn of_bytes(written: Written) -> Pasted {
        let stage = match written.bytes.get(6) {
            Some(0) => Some(Stage::Vertex),
            Some(1) => Some(Stage::Fragment),
            _ => None,
        };
        Pasted { stage, asked: None, version: None, code: Code::Bytes(written) }
    }

    pub(super) fn start(&self) -> Range<usize> {
        match &self.code {
            Code::Text(text) => text.written(0..text.as_str().lines().next().map_or(0, str::len)),
            Code::Bytes(written) => written.written(0..1),
        }
    }
}
