//! A written shader: its code and its interface.

use crate::interface::Interface;

/// A shader in the target language, with a description of its interface.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    /// The source code, or the words of a SPIR-V module.
    pub code: Code,
    /// The inputs, outputs and resources, with the names and numbers that the code uses.
    pub interface: Interface,
    /// The entry points, inputs, outputs and members that have different names in the code and in the module.
    pub renamed: Vec<Renamed>,
}

/// A name that the output could not keep, because the name is a reserved word, is already in use, or is not an identifier.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Renamed {
    /// The item's name in the module.
    pub wanted: String,
    /// The item's name in the output.
    pub given: String,
}

/// The code of a written shader.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Code {
    /// Source code in a text language: WGSL, GLSL, HLSL or MSL.
    Text(String),
    /// The words of a SPIR-V module.
    Words(Vec<u32>),
}
