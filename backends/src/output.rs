//! A written shader: its code and its interface.

use crate::interface::Interface;

/// A written shader.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    /// Its text or words.
    pub code: Code,
    /// Its inputs, outputs and resources, by the names and numbers in the code.
    pub interface: Interface,
    /// The entry points, inputs, outputs and members whose names in the code differ from those in the module.
    pub renamed: Vec<Renamed>,
}

/// A name that the output could not keep, because it is a word of the language, the name of something else, or not
/// an identifier.
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
