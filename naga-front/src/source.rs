//! A source, and options for reading it.

use sdlbc::FunctionKind;
use sdlbc::front::Stage;

/// A source in one of naga's languages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source<'a> {
    /// WGSL.
    Wgsl(&'a str),
    /// GLSL 4.40 or later for Vulkan, with separate textures and samplers; the position's y points down.
    Glsl {
        /// The text.
        text: &'a str,
        /// Its stage: vertex, fragment or compute.
        stage: FunctionKind,
    },
    /// SPIR-V, as words in either byte order.
    Spirv(&'a [u8]),
}

impl<'a> Source<'a> {
    /// The text of WGSL or GLSL.
    pub const fn text(&self) -> Option<&'a str> {
        match *self {
            Source::Wgsl(text) | Source::Glsl { text, .. } => Some(text),
            Source::Spirv(_) => None,
        }
    }
}

sdlbc::options! {
    /// Options for reading a source.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct Options {
        /// The names of the entry points to lift, at most one of each stage. If the list is empty, the source may have at most one of
        /// each stage.
        pub entries: Vec<String>,
        /// The stage to lift if the source has both.
        pub stage: Option<Stage>,
        /// The name of the file, for the debug table; if it is empty, the debug table has no lines.
        pub file: String,
        /// Values of overrides, by their names or their numbers; names that are not overrides of the source are ignored.
        pub overrides: Vec<(String, f64)>,
    }
}
