//! Chooses the compiler of a source: a program on the PATH, or else the library, for GLSL and with the feature `glsl`.
//!
//! The programs come first, because a fault in the library's C++ code would end this process and not only a child process.

use sdlbc::FunctionKind;
use sdlbc::front::GlslVersion;

use crate::failure::{Failure, Rules};
use crate::program;
use crate::source::Language;

#[cfg(all(feature = "glsl", not(target_family = "wasm")))]
use crate::library;

/// Stands for the library where there is none.
#[cfg(any(not(feature = "glsl"), target_family = "wasm"))]
mod library {
    use super::{Failure, FunctionKind, GlslVersion, Rules};

    pub(super) fn compile(_: &str, _: FunctionKind, _: Option<GlslVersion>, _: Rules) -> Result<Vec<u8>, Failure> {
        Err(Failure::Missing)
    }

    pub(super) fn preprocess(_: &str, _: FunctionKind, _: Option<GlslVersion>) -> Result<Option<String>, Failure> {
        Ok(None)
    }

    pub(super) fn version() -> Option<String> {
        None
    }
}

/// Returns the message for a source whose compiler is missing.
pub(crate) fn missing(language: Language<'_>) -> &'static str {
    match (language, cfg!(target_family = "wasm")) {
        (Language::Glsl { .. }, true) => {
            "GLSL is not read in WebAssembly; translate it to SPIR-V, for example with `glslangValidator -V`"
        }
        (Language::Hlsl { .. }, true) => {
            "HLSL is not read in WebAssembly; translate it to SPIR-V, for example with `dxc -spirv`"
        }
        (Language::Glsl { .. }, false) => {
            "GLSL is read by glslang, and neither `glslangValidator` nor `glslc` is on the PATH; install one (Debian's packages \
             glslang-tools and glslc, or the Vulkan SDK), build agalc with the feature `glsl`, or give the shader as SPIR-V"
        }
        (Language::Hlsl { .. }, false) => {
            "HLSL is read by Microsoft's compiler, and neither `dxc` nor `glslc` is on the PATH; install one (the Vulkan SDK, or \
             Debian's package glslc), or give the shader as SPIR-V"
        }
    }
}

/// Compiles a source. The version of GLSL, if there is one, replaces the version that the source states.
pub(crate) fn compile(
    text: &str,
    stage: FunctionKind,
    language: Language<'_>,
    rules: Rules,
) -> Result<Vec<u8>, Failure> {
    match (program::compile(text, stage, language, rules), language) {
        (Err(Failure::Missing), Language::Glsl { version }) => library::compile(text, stage, version, rules),
        (done, _) => done,
    }
}

/// Preprocesses a GLSL source as `version`, or as the version that the source states. Returns `None` if only `glslc` can compile it.
pub(crate) fn preprocess(
    text: &str,
    stage: FunctionKind,
    version: Option<GlslVersion>,
) -> Result<Option<String>, Failure> {
    match program::preprocess(text, stage, version)? {
        None if !program::has_glslc() => library::preprocess(text, stage, version),
        processed => Ok(processed),
    }
}

/// Returns what the compiler of a language prints about its version, or `None` if there is no compiler.
pub(crate) fn version(language: Language<'_>) -> Option<String> {
    let is_glsl = matches!(language, Language::Glsl { .. });
    program::version(language).or_else(|| if is_glsl { library::version() } else { None })
}
