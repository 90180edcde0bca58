//! Determines the version of a GLSL source.

use sdlbc::front::GlslVersion;

use crate::tokens::{Token, tokens};

/// Reports whether sources of a version must be rewritten because they may contain syntax that GLSL 1.40 or GLSL ES 3.00 removed.
pub(crate) fn is_legacy(version: GlslVersion) -> bool {
    if version.is_es { version.number < 300 } else { version.number < 140 }
}

/// Returns the version that glslang assumes for a source. GLSL ES 3.00 is read as 3.10, the lowest ES version that glslang
/// compiles to SPIR-V.
pub(crate) fn read_as(version: GlslVersion) -> GlslVersion {
    let is_es_300 = version.is_es && version.number == 300;
    if is_es_300 { GlslVersion { number: 310, is_es: true } } else { version }
}

/// Returns the version that a source states with `#version`, which only comments may precede. Without it, the source is in GLSL ES 1.00
/// if it has precisions, and otherwise in GLSL 1.10.
pub(crate) fn stated(text: &str) -> GlslVersion {
    let mut all = tokens(text);
    let mut next = || all.next().map(|Token { text, .. }| text);
    if next() != Some("#") || next() != Some("version") {
        let is_es =
            tokens(text).any(|token| matches!(token.text, "precision" | "highp" | "mediump" | "lowp" | "GL_ES"));
        return GlslVersion { number: if is_es { 100 } else { 110 }, is_es };
    }
    let number = next().and_then(|number| number.parse().ok()).unwrap_or(110);
    GlslVersion { number, is_es: number == 100 || next() == Some("es") }
}

/// Reports whether a source is in the compatibility profile, which has what GLSL 1.40 removed.
pub(crate) fn is_compatible(text: &str) -> bool {
    let words: Vec<&str> = tokens(text).take(4).map(|token| token.text).collect();
    matches!(words[..], ["#", "version", _, "compatibility"])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_is_read_after_comments_and_is_110_if_none_is_stated() {
        for (text, number, is_es) in [
            ("#version 450", 450, false),
            ("// a\n/* b */ # version 300 es\n", 300, true),
            ("#version 100\n", 100, true),
            ("#version 310 es", 310, true),
            ("#version 330 core", 330, false),
            ("void main() {}\n#version 450", 110, false),
            ("", 110, false),
            ("precision mediump float;", 100, true),
        ] {
            assert_eq!(stated(text), GlslVersion { number, is_es }, "{text}");
        }
    }
}
