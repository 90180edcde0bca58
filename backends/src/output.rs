//! A written shader: its code, and what is in it.

use crate::interface::Interface;

/// A written shader.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    /// Its text or words.
    pub code: Code,
    /// What it reads and writes, by the names and numbers in it.
    pub interface: Interface,
    /// The entry points, inputs, outputs and members that have another name in it than in the module.
    pub renamed: Vec<Renamed>,
}

/// A name that the output could not keep: a word of the language, the name of something else, or not a word at all.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Renamed {
    /// The name in the module.
    pub wanted: String,
    /// The name in the output.
    pub given: String,
}

/// The code of a written shader.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Code {
    /// Text.
    Text(String),
    /// The words of a SPIR-V module.
    Words(Vec<u32>),
}
