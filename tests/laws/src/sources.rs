//! The law of sources: any WGSL, GLSL or SPIR-V source is either lifted to a valid module, or refused for a reason other than a
//! fault of the lifter.

use naga_front::Source;
use sdlbc::FunctionKind;
use sdlbc::front::{Lifted, Refusal, RefusalKind, SourceOptions};

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
            text(rest).map(|text| Source::Glsl { text, stage })
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
        lifted_or_refused(&source);
    }
}

/// Checks the law of sources for a source, and reports whether the source was lifted.
///
/// # Panics
/// Panics if the law of sources does not hold.
pub fn lifted_or_refused(source: &Source<'_>) -> bool {
    holds(naga_front::read(source, &SourceOptions::default().file("source".to_string())))
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
