//! Shader sources, and the options for reading them.

use sdlbc::FunctionKind;
use sdlbc::front::Stage;

/// A shader source in one of the languages that naga reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source<'a> {
    /// WGSL source code.
    Wgsl(&'a str),
    /// Source code in GLSL 4.40 or later for Vulkan, with separate textures and samplers. The position's y points down.
    Glsl {
        /// The GLSL source code.
        text: &'a str,
        /// The stage that the shader is compiled for: vertex, fragment or compute.
        stage: FunctionKind,
    },
    /// A SPIR-V module, as words in either byte order.
    Spirv(&'a [u8]),
}

impl<'a> Source<'a> {
    /// Returns the source code of WGSL or GLSL, or `None` for SPIR-V.
    pub const fn text(&self) -> Option<&'a str> {
        match *self {
            Source::Wgsl(text) | Source::Glsl { text, .. } => Some(text),
            Source::Spirv(_) => None,
        }
    }
}

sdlbc::options! {
    /// Options for selecting entry points, setting overrides and writing debug data.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct Options {
        /// The names of the entry points to lift, at most one for each stage. If the list is empty, the source may have at most one
        /// entry point for each stage.
        pub entries: Vec<String>,
        /// The only stage to lift: vertex or fragment. `None` lifts the entry points of all stages.
        pub stage: Option<Stage>,
        /// The name of the source file for the debug table. If the name is empty, the debug table contains no lines.
        pub file: String,
        /// The values of overrides, as pairs of a name or number and a value. Names that are not overrides of the source are ignored.
        pub overrides: Vec<(String, f64)>,
    }
}
