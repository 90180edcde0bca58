//! The law of sources: any WGSL, GLSL or SPIR-V source is either lifted to a valid module, or refused for a reason other than a
//! fault of the lifter.

use std::path::Path;

use sdlbc::FunctionKind;
use sdlbc::front::{Lifted, Refusal, RefusalKind, SourceOptions};

/// A source text.
#[derive(Clone, Copy, Debug)]
pub enum Source<'a> {
    /// A text in WGSL.
    Wgsl(&'a str),
    /// A text in GLSL for a stage.
    Glsl(&'a str, FunctionKind),
}

impl<'a> Source<'a> {
    /// Returns a text as a source in the language that its file extension indicates.
    pub fn of(path: &Path, text: &'a str) -> Option<Source<'a>> {
        match path.extension().and_then(|extension| extension.to_str())? {
            "wgsl" => Some(Source::Wgsl(text)),
            "vert" => Some(Source::Glsl(text, FunctionKind::Vertex)),
            "frag" => Some(Source::Glsl(text, FunctionKind::Fragment)),
            "comp" => Some(Source::Glsl(text, FunctionKind::Compute)),
            _ => None,
        }
    }

    /// Reads the source.
    ///
    /// # Errors
    /// Returns the reasons why the source is refused.
    pub fn read(self, options: &SourceOptions) -> Result<Lifted, Vec<Refusal>> {
        match self {
            Source::Wgsl(text) => naga_front::read(text, options),
            Source::Glsl(text, stage) => {
                let source = glsl_front::Source { text, stage, language: glsl_front::Language::Glsl { version: None } };
                spirv_front::read(&glsl_front::compile(&source)?.bytes, options)
            }
        }
    }
}

/// Checks the law of sources for a source encoded in bytes. A first line `v`, `f` or `c` marks GLSL for a vertex, fragment or
/// compute shader. A first line `s`, or SPIR-V's magic number, marks SPIR-V. Any other UTF-8 text is WGSL.
pub fn sources(bytes: &[u8]) {
    let text = |bytes| std::str::from_utf8(bytes).ok();
    let source = match bytes {
        [stage @ (b'v' | b'f' | b'c'), b'\n', rest @ ..] => {
            let stage = match stage {
                b'v' => FunctionKind::Vertex,
                b'f' => FunctionKind::Fragment,
                _ => FunctionKind::Compute,
            };
            text(rest).map(|text| Source::Glsl(text, stage))
        }
        [b's', b'\n', rest @ ..] => {
            spirv_is_lifted_or_refused(rest);
            None
        }
        [0x03, 0x02, 0x23, 0x07, ..] => {
            spirv_is_lifted_or_refused(bytes);
            None
        }
        _ => text(bytes).map(Source::Wgsl),
    };
    if let Some(source) = source {
        lifted_or_refused(source);
    }
}

/// Checks the law of sources for a source, and reports whether the source was lifted.
///
/// # Panics
/// Panics if the law of sources does not hold.
pub fn lifted_or_refused(source: Source<'_>) -> bool {
    holds(source.read(&SourceOptions::default().file("source".to_string())))
}

/// Checks the law of sources for the bytes of a SPIR-V module, and reports whether the module was lifted.
///
/// # Panics
/// Panics if the law of sources does not hold.
pub fn spirv_is_lifted_or_refused(bytes: &[u8]) -> bool {
    holds(spirv_front::read(bytes, &SourceOptions::default()))
}

fn holds(read: Result<Lifted, Vec<Refusal>>) -> bool {
    match read {
        Ok(lifted) => {
            assert_eq!(sdlbc::verify(&lifted.module), Ok(()));
            true
        }
        Err(refusals) => {
            let fault = refusals.iter().find(|refusal| matches!(refusal.kind, RefusalKind::Internal { .. }));
            assert!(fault.is_none(), "{}", fault.map(ToString::to_string).unwrap_or_default());
            assert!(!refusals.is_empty(), "a refusal without a reason");
            false
        }
    }
}
