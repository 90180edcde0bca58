//! A source and its language.

use sdlbc::FunctionKind;
use sdlbc::front::{Convention, GlslVersion};

use crate::version;

/// A source.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// The source code.
    pub text: &'a str,
    /// The stage: vertex, fragment or compute.
    pub stage: FunctionKind,
    /// The language, and what its compiler is told besides.
    pub language: Language<'a>,
}

/// The language of a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language<'a> {
    /// GLSL.
    Glsl {
        /// The version in which the source is read. `None` selects the version that its `#version` states, or else GLSL 1.10.
        version: Option<GlslVersion>,
    },
    /// HLSL.
    Hlsl {
        /// The name of the entry point.
        entry: &'a str,
    },
}

impl Source<'_> {
    /// Returns the interface whose coordinate system the source uses by default. For GLSL, it is OpenGL if the version is older than
    /// GLSL 4.40 and GLSL ES 3.10.
    pub fn convention(&self) -> Convention {
        match self.language {
            Language::Hlsl { .. } => Convention::Direct3d,
            Language::Glsl { version } => {
                let GlslVersion { number, is_es } = version.unwrap_or_else(|| version::stated(self.text));
                let is_open_gl = if is_es { number < 310 } else { number < 440 };
                if is_open_gl { Convention::OpenGl } else { Convention::Vulkan }
            }
        }
    }
}
