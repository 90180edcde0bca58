//! Compiles GLSL and HLSL to SPIR-V with external programs. For GLSL, [`compile`] runs Khronos' compiler glslang, either as
//! `glslangValidator` or as a part of `glslc`. For HLSL, [`compile`] runs Microsoft's compiler `dxc`, or `glslc` if `dxc` is missing.
//!
//! glslang compiles GLSL 1.40 and later, and GLSL ES 3.10 and later, to SPIR-V. GLSL ES 3.00 is read as 3.10. GLSL ES 1.00 and GLSL 1.10 to
//! 1.30 are read as GLSL 3.30, after declarations of the removed features are added (`legacy.rs`). Line numbers do not change.
//!
//! The program runs in a new temporary folder, so a source cannot include files from the working folder by name. However, some of the
//! compilers follow absolute paths, and paths that begin with `..`.

// These lints warn about code that may panic or truncate a number, because no input may cause either. Tests are exempt from the lints.
#![cfg_attr(not(test), warn(clippy::indexing_slicing, clippy::cast_possible_truncation))]
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::unreachable))]

mod legacy;
mod messages;
mod program;
mod source;
mod tokens;
mod version;

use sdlbc::FunctionKind;
use sdlbc::front::{BinaryPlace, Refusal, RefusalKind};

pub use source::{Language, Source};

/// Compiles a source to a SPIR-V module, with the names and lines of the source.
///
/// # Errors
/// Returns the errors in the source, or the reason why no compiler could be run.
pub fn compile(source: &Source<'_>) -> Result<Vec<u8>, Vec<Refusal>> {
    if source.stage == FunctionKind::Generic {
        return Err(vec![Refusal::new(RefusalKind::NoEntry { name: String::new() }, None)]);
    }
    let mut rewritten = None;
    let mut language = source.language;
    if let Language::Glsl { version } = &mut language {
        if let Some(block) = tokens::block_without_location(source.text, source.stage) {
            let message =
                "the varyings of a block need locations; write `layout(location = 0)` before the block".to_string();
            return Err(vec![Refusal::new(RefusalKind::Unreadable { message }, Some(block))]);
        }
        let stated = version::stated(source.text);
        let own = version.unwrap_or(stated);
        rewritten = legacy::rewrite(source.text, source.stage, own);
        // A rewritten source already states the version that the compiler must assume.
        *version = rewritten.is_none().then_some(version::read_as(own)).filter(|own| *own != stated);
    }
    let text = rewritten.as_deref().unwrap_or(source.text);
    match program::compile(text, source.stage, language) {
        Ok(bytes) => Ok(bytes),
        Err(program::Failure::Missing) => Err(vec![unreadable(program::missing(language))]),
        Err(program::Failure::Broken(what)) => Err(vec![unreadable(what)]),
        Err(program::Failure::Errors(printed)) => Err(messages::refusals(&printed, source.text)),
    }
}

/// Returns what the compiler of a language prints about its version, or `None` if no compiler is found. The SPIR-V of a source depends on
/// the compiler's version.
pub fn compiler(language: Language<'_>) -> Option<String> {
    program::version(language)
}

fn unreadable(message: impl Into<String>) -> Refusal {
    Refusal::new(RefusalKind::Unreadable { message: message.into() }, None)
}

/// Replaces the location of a refusal in the SPIR-V module of a source with the location of the source line.
pub fn in_source(mut refusal: Refusal, text: &str) -> Refusal {
    match refusal.place.as_deref() {
        Some(&BinaryPlace::Line { line, .. }) => refusal.bytes = messages::line(text, line),
        Some(BinaryPlace::Byte(_)) | None => {}
    }
    refusal.place = None;
    refusal
}
