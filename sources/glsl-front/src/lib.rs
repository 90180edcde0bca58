//! Compiles GLSL and HLSL to SPIR-V with external programs. For GLSL, [`compile`] runs Khronos' compiler glslang, either as
//! `glslangValidator` or as a part of `glslc`. If both are missing, the feature `glsl` calls glslang as a library, built from its C++
//! sources. For HLSL, [`compile`] runs Microsoft's compiler `dxc`, or `glslc` if `dxc` is missing.
//!
//! glslang compiles GLSL 1.40 and later, and GLSL ES 3.10 and later, to SPIR-V. GLSL ES 3.00 is read as 3.10. Still older sources, and
//! those in the compatibility profile, are preprocessed as their own version and then rewritten (`legacy.rs`). No line moves.

// These lints warn about code that may panic or truncate a number, because no input may cause either. Tests are exempt from the lints.
#![cfg_attr(not(test), warn(clippy::indexing_slicing, clippy::cast_possible_truncation))]
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::unreachable))]

mod compiler;
mod failure;
mod legacy;
#[cfg(all(feature = "glsl", not(target_family = "wasm")))]
mod library;
mod messages;
mod program;
mod source;
mod tokens;
mod version;

use failure::{Failure, Rules};
use sdlbc::FunctionKind;
use sdlbc::front::{BinaryPlace, Convention, GlslVersion, Refusal, RefusalKind};

pub use source::{Language, Source};

/// A part of glslang's message about an input or output without a location.
const NO_LOCATION: &str = "requires location";

/// Parts of glslang's messages about what Vulkan's rules do not allow and the relaxed rules do. `gl_VertexID` and `gl_InstanceID` are not
/// declared under Vulkan's rules.
const RELAXED: [&str; 3] = ["not allowed when using GLSL for Vulkan", "'gl_VertexID'", "'gl_InstanceID'"];

/// A compiled source.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// The bytes of the SPIR-V module, which has the names and lines of the source.
    pub bytes: Vec<u8>,
    /// Whether the compiler numbered the varyings, because the source links them by name.
    pub links_by_name: bool,
}

/// Compiles a source to a SPIR-V module.
///
/// # Errors
/// The errors in the source, or the reason why no compiler could be run.
pub fn compile(source: &Source<'_>) -> Result<Compiled, Vec<Refusal>> {
    if source.stage == FunctionKind::Generic {
        return Err(vec![Refusal::new(RefusalKind::NoEntry { name: String::new() }, None)]);
    }
    // Line ends of all kinds become those that glslang counts. No byte moves.
    let mut text = source.text.replace("\r\n", " \n").replace('\r', "\n");
    if let Some(place) = tokens::directives(&text, "include").into_iter().next() {
        let message = "a source cannot include other files; insert the text of the file".to_string();
        return Err(vec![Refusal::new(RefusalKind::Unreadable { message }, Some(place))]);
    }
    // The places in messages are those of this text, not of the files from which it was generated.
    for place in tokens::directives(&text, "line") {
        let blank = " ".repeat(place.len());
        text.replace_range(place, &blank);
    }
    let source = &Source { text: &text, ..*source };
    match source.language {
        Language::Hlsl { .. } => {
            let bytes = run(source.text, source, source.language, true)?;
            Ok(Compiled { bytes, links_by_name: true })
        }
        Language::Glsl { version } => glsl(source, version),
    }
}

/// Compiles a source in GLSL. `given` replaces the version that the source states.
fn glsl(source: &Source<'_>, given: Option<GlslVersion>) -> Result<Compiled, Vec<Refusal>> {
    let text = source.text;
    if let Some(place) = tokens::uniform_with_value(text) {
        let what = "uniforms with an initial value".to_string();
        return Err(vec![Refusal::new(RefusalKind::Types { what }, Some(place))]);
    }
    let stated = version::stated(text);
    let own = given.unwrap_or(stated);
    let of = |version| Language::Glsl { version };
    let is_deprecated = !own.is_es && own.number <= 330 && legacy::has_removed_names(text);
    if version::is_legacy(own) || version::is_compatible(text) || is_deprecated {
        // Conditionals are evaluated as the source's own version.
        let version = given.or_else(|| tokens::directives(text, "version").is_empty().then_some(own));
        let processed = compiler::preprocess(text, source.stage, version).map_err(|failure| failed(failure, source))?;
        let rewritten = legacy::rewrite(processed.as_deref().unwrap_or(text), source.stage, own);
        let bytes = run(&rewritten, source, of(None), true)?;
        return Ok(Compiled { bytes, links_by_name: !tokens::has_locations(text, source.stage) });
    }
    let version = Some(version::read_as(own)).filter(|own| *own != stated);
    let is_open_gl = source.convention() == Convention::OpenGl;
    let renamed = if is_open_gl { legacy::for_vulkan(text) } else { None };
    let text = renamed.as_deref().unwrap_or(text);
    match run(text, source, of(version), false) {
        Err(refusals) if refusals.iter().any(|refusal| refusal.to_string().contains(NO_LOCATION)) => {}
        done => return done.map(|bytes| Compiled { bytes, links_by_name: false }),
    }
    if let Some(declaration) = tokens::unclear_location(text) {
        let message = match declaration.is_block {
            true => "the members of this block need locations; write `layout(location = 0)` before the block",
            false => "this declaration has no location, and others have; give each of them a location, or none",
        };
        let message = message.to_string();
        return Err(vec![Refusal::new(RefusalKind::Unreadable { message }, Some(declaration.place))]);
    }
    let bytes = run(text, source, of(version), true)?;
    Ok(Compiled { bytes, links_by_name: true })
}

/// Runs a compiler on a text. `numbers` is whether the compiler numbers inputs and outputs without locations.
///
/// GLSL for Vulkan is first read by Vulkan's own rules. Under the relaxed rules, which also allow uniforms outside blocks, glslang since
/// version 13 reads a texture and a sampler that are combined from the parameters of a function as a new variable.
fn run(text: &str, source: &Source<'_>, language: Language<'_>, numbers: bool) -> Result<Vec<u8>, Vec<Refusal>> {
    let compile = |is_relaxed| compiler::compile(text, source.stage, language, Rules { numbers, is_relaxed });
    let is_relaxed = source.convention() == Convention::OpenGl;
    let may_relax = |printed: &str| !is_relaxed && RELAXED.iter().any(|message| printed.contains(message));
    match compile(is_relaxed) {
        Err(Failure::Errors(printed)) if may_relax(&printed) && source.is_glsl() => compile(true),
        done => done,
    }
    .map_err(|failure| failed(failure, source))
}

fn failed(failure: Failure, source: &Source<'_>) -> Vec<Refusal> {
    match failure {
        Failure::Missing => vec![unreadable(compiler::missing(source.language))],
        Failure::Broken(what) => vec![unreadable(what)],
        Failure::Errors(printed) => messages::refusals(&printed, source.text),
    }
}

/// Returns what the compiler of a language prints about its version, or `None` if no compiler is found. The SPIR-V of a source depends on
/// the compiler's version.
pub fn compiler(language: Language<'_>) -> Option<String> {
    compiler::version(language)
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
