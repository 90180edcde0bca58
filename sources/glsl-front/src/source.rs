//! Defines a source and its language.

use sdlbc::FunctionKind;
use sdlbc::front::{Convention, GlslVersion};

use crate::version;

/// A source, with its stage and language.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// The source code.
    pub text: &'a str,
    /// The stage: vertex, fragment or compute.
    pub stage: FunctionKind,
    /// The language, with the version or the entry point to assume.
    pub language: Language<'a>,
}

/// The language of a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language<'a> {
    /// GLSL.
    Glsl {
        /// The version to assume. `None` selects the version that the source's `#version` states, or GLSL 1.10 if there is no `#version`.
        version: Option<GlslVersion>,
    },
    /// HLSL.
    Hlsl {
        /// The name of the entry point.
        entry: &'a str,
    },
}

impl Source<'_> {
    pub(crate) fn is_glsl(&self) -> bool {
        matches!(self.language, Language::Glsl { .. })
    }

    /// Returns the graphics interface whose coordinate system the source uses by default. HLSL uses Direct3D. GLSL uses OpenGL before
    /// version 4.40, and GLSL ES uses OpenGL before version 3.10; later versions use Vulkan.
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
