//! A source, and what it leaves open.

use sdlbc::FunctionKind;
use sdlbc::front::Stage;

/// A source in one of naga's languages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source<'a> {
    /// WGSL.
    Wgsl(&'a str),
    /// GLSL 4.40 or later for Vulkan, with separate textures and samplers; y of the position points down.
    Glsl {
        /// The text.
        text: &'a str,
        /// The stage that it is for: that of vertex, fragment or compute functions.
        stage: FunctionKind,
    },
    /// SPIR-V, as words in either byte order.
    Spirv(&'a [u8]),
}

impl<'a> Source<'a> {
    /// The text, if it is one.
    pub const fn text(&self) -> Option<&'a str> {
        match *self {
            Source::Wgsl(text) | Source::Glsl { text, .. } => Some(text),
            Source::Spirv(_) => None,
        }
    }
}

/// What a source leaves open.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Options {
    /// The names of the entry points to take, at most one of each stage. If there are none, the source may have only one of each.
    pub entries: Vec<String>,
    /// The stage to take if the source has both.
    pub stage: Option<Stage>,
    /// The name of the file, for the debug table; no debug table has lines if it is empty.
    pub file: String,
    /// Values of overrides, by their names or their numbers; what is not an override of the source is ignored.
    pub overrides: Vec<(String, f64)>,
}
