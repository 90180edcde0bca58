//! Shader sources.

use sdlbc::FunctionKind;

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
}

impl<'a> Source<'a> {
    /// Returns the source code.
    pub const fn text(&self) -> &'a str {
        match *self {
            Source::Wgsl(text) | Source::Glsl { text, .. } => text,
        }
    }
}
