//! Rewrites sources in GLSL ES 1.00 and GLSL 1.10 to 1.30 so that glslang reads them as GLSL 3.30.
//!
//! Declarations and macros are inserted before the source. They replace the features that the source uses but GLSL 1.40 removed: storage
//! qualifiers, texture functions, outputs, attributes and matrices. Spaces replace the directives `#version` and `#extension`, and
//! `#line 1` precedes the source, so line numbers do not change. The declared names begin with `legacy_`, because names that begin with
//! `gl_`, such as `gl_FragColor`, cannot be declared.

use std::collections::BTreeSet;
use std::fmt::Write;

use sdlbc::FunctionKind;
use sdlbc::front::GlslVersion;

use crate::tokens::{Token, tokens};
use crate::version::is_legacy;

/// A texture function: its name, the type of its sampler, the parameters after the sampler, and the call in GLSL 3.30 that replaces it. In
/// a fragment shader, a variant with a bias is also declared, if `biased` contains its call. The call names the bias `b`.
struct Sampling {
    name: &'static str,
    sampler: &'static str,
    parameters: &'static str,
    call: &'static str,
    biased: Option<&'static str>,
}

const fn sampling(
    name: &'static str,
    sampler: &'static str,
    parameters: &'static str,
    call: &'static str,
    biased: Option<&'static str>,
) -> Sampling {
    Sampling { name, sampler, parameters, call, biased }
}

/// The texture functions of GLSL 1.20 and GLSL ES 1.00 (section 8.7 of both specifications), and those of the extensions
/// EXT_shader_texture_lod, ARB_shader_texture_lod and EXT_shadow_samplers.
const SAMPLING: [Sampling; 27] = [
    sampling("texture1D", "sampler1D", "float c", "texture(s, c)", Some("texture(s, c, b)")),
    sampling("texture1DLod", "sampler1D", "float c, float l", "textureLod(s, c, l)", None),
    sampling("texture2D", "sampler2D", "vec2 c", "texture(s, c)", Some("texture(s, c, b)")),
    sampling("texture2DProj", "sampler2D", "vec3 c", "textureProj(s, c)", Some("textureProj(s, c, b)")),
    sampling("texture2DProj", "sampler2D", "vec4 c", "textureProj(s, c)", Some("textureProj(s, c, b)")),
    sampling("texture2DLod", "sampler2D", "vec2 c, float l", "textureLod(s, c, l)", None),
    sampling("texture2DLodEXT", "sampler2D", "vec2 c, float l", "textureLod(s, c, l)", None),
    sampling("texture2DProjLod", "sampler2D", "vec3 c, float l", "textureProjLod(s, c, l)", None),
    sampling("texture2DProjLod", "sampler2D", "vec4 c, float l", "textureProjLod(s, c, l)", None),
    sampling("texture2DProjLodEXT", "sampler2D", "vec3 c, float l", "textureProjLod(s, c, l)", None),
    sampling("texture2DProjLodEXT", "sampler2D", "vec4 c, float l", "textureProjLod(s, c, l)", None),
    sampling("texture2DGradEXT", "sampler2D", "vec2 c, vec2 x, vec2 y", "textureGrad(s, c, x, y)", None),
    sampling("texture2DGradARB", "sampler2D", "vec2 c, vec2 x, vec2 y", "textureGrad(s, c, x, y)", None),
    sampling("texture3D", "sampler3D", "vec3 c", "texture(s, c)", Some("texture(s, c, b)")),
    sampling("texture3DProj", "sampler3D", "vec4 c", "textureProj(s, c)", Some("textureProj(s, c, b)")),
    sampling("texture3DLod", "sampler3D", "vec3 c, float l", "textureLod(s, c, l)", None),
    sampling("textureCube", "samplerCube", "vec3 c", "texture(s, c)", Some("texture(s, c, b)")),
    sampling("textureCubeLod", "samplerCube", "vec3 c, float l", "textureLod(s, c, l)", None),
    sampling("textureCubeLodEXT", "samplerCube", "vec3 c, float l", "textureLod(s, c, l)", None),
    sampling("textureCubeGradEXT", "samplerCube", "vec3 c, vec3 x, vec3 y", "textureGrad(s, c, x, y)", None),
    sampling("textureCubeGradARB", "samplerCube", "vec3 c, vec3 x, vec3 y", "textureGrad(s, c, x, y)", None),
    sampling("shadow2D", "sampler2DShadow", "vec3 c", "texture(s, c)", Some("texture(s, c, b)")),
    sampling("shadow2DProj", "sampler2DShadow", "vec4 c", "textureProj(s, c)", Some("textureProj(s, c, b)")),
    sampling("shadow2DLod", "sampler2DShadow", "vec3 c, float l", "textureLod(s, c, l)", None),
    sampling("shadow2DEXT", "sampler2DShadow", "vec3 c", "texture(s, c)", None),
    sampling("shadow2DProjEXT", "sampler2DShadow", "vec4 c", "textureProj(s, c)", None),
    sampling("shadow1D", "sampler1DShadow", "vec3 c", "texture(s, c)", Some("texture(s, c, b)")),
];

/// The built-in variables of vertex shaders in GLSL 1.20, each with the declaration that replaces it.
const OF_VERTEX: [(&str, &str); 14] = [
    ("gl_Vertex", "in vec4 legacy_Vertex;"),
    ("gl_Normal", "in vec3 legacy_Normal;"),
    ("gl_Color", "in vec4 legacy_Color;"),
    ("gl_SecondaryColor", "in vec4 legacy_SecondaryColor;"),
    ("gl_MultiTexCoord0", "in vec4 legacy_MultiTexCoord0;"),
    ("gl_MultiTexCoord1", "in vec4 legacy_MultiTexCoord1;"),
    ("gl_MultiTexCoord2", "in vec4 legacy_MultiTexCoord2;"),
    ("gl_MultiTexCoord3", "in vec4 legacy_MultiTexCoord3;"),
    ("gl_FrontColor", "out vec4 legacy_Colour;"),
    ("gl_ModelViewProjectionMatrix", "uniform mat4 legacy_ModelViewProjectionMatrix;"),
    ("gl_ModelViewMatrix", "uniform mat4 legacy_ModelViewMatrix;"),
    ("gl_ProjectionMatrix", "uniform mat4 legacy_ProjectionMatrix;"),
    ("gl_NormalMatrix", "uniform mat3 legacy_NormalMatrix;"),
    ("gl_FogFragCoord", "out float legacy_FogFragCoord;"),
];

/// The built-in variables of fragment shaders, each with the declaration that replaces it.
const OF_FRAGMENT: [(&str, &str); 3] = [
    ("gl_FragColor", "layout(location = 0) out vec4 legacy_FragColor;"),
    ("gl_Color", "in vec4 legacy_Colour;"),
    ("gl_FogFragCoord", "in float legacy_FogFragCoord;"),
];

/// Returns the rewritten source, or `None` if sources of this version need no rewriting.
pub(crate) fn rewrite(text: &str, stage: FunctionKind, version: GlslVersion) -> Option<String> {
    if !is_legacy(version) {
        return None;
    }
    let tokens: Vec<Token<'_>> = tokens(text).collect();
    let words: BTreeSet<&str> = tokens.iter().map(|token| token.text).collect();
    let is_fragment = stage == FunctionKind::Fragment;
    let mut head = "#version 330\n".to_string();
    if is_fragment {
        head.push_str("#define varying in\n");
    } else {
        head.push_str("#define attribute in\n#define varying out\n");
    }
    let variables: &[(&str, &str)] = if is_fragment { &OF_FRAGMENT } else { &OF_VERTEX };
    let has_transform = !is_fragment && words.contains("ftransform");
    let is_needed = |name: &str| {
        words.contains(name) || has_transform && ["gl_Vertex", "gl_ModelViewProjectionMatrix"].contains(&name)
    };
    for (name, declaration) in variables.iter().filter(|(name, _)| is_needed(name)) {
        let own = declaration.trim_end_matches(';').rsplit(' ').next().unwrap_or_default();
        _ = writeln!(head, "{declaration}\n#define {name} {own}");
    }
    if has_transform {
        head.push_str("vec4 legacy_transform() { return gl_ModelViewProjectionMatrix * gl_Vertex; }\n");
        head.push_str("#define ftransform legacy_transform\n");
    }
    array(&mut head, &tokens, "gl_TexCoord", if is_fragment { "in" } else { "out" });
    if is_fragment {
        array(&mut head, &tokens, "gl_FragData", "layout(location = 0) out");
        head.push_str("#define gl_FragDepthEXT gl_FragDepth\n");
    }
    let mut defined = BTreeSet::new();
    for of in SAMPLING.iter().filter(|of| words.contains(of.name)) {
        let Sampling { name, sampler, parameters, call, biased } = of;
        // In GLSL 1.20, a shadow lookup returns a vector.
        let call_of = |call: &str| if sampler.ends_with("Shadow") { format!("vec4({call})") } else { call.to_string() };
        _ = writeln!(head, "vec4 legacy_{name}({sampler} s, {parameters}) {{ return {}; }}", call_of(call));
        if let Some(biased) = biased.filter(|_| is_fragment) {
            let biased = call_of(biased);
            _ = writeln!(head, "vec4 legacy_{name}({sampler} s, {parameters}, float b) {{ return {biased}; }}");
        }
        defined.insert(*name);
    }
    for name in defined {
        _ = writeln!(head, "#define {name} legacy_{name}");
    }
    head.push_str("#line 1\n");
    head.push_str(&without_directives(text, &tokens));
    Some(head)
}

/// Declares a built-in array if the source uses it. The length is the highest constant index plus 1, and 8 if an index is larger or not a
/// number.
fn array(head: &mut String, tokens: &[Token<'_>], name: &str, qualifier: &str) {
    let mut length = None;
    for (at, _) in tokens.iter().enumerate().filter(|(_, token)| token.text == name) {
        let index = tokens.get(at + 2).filter(|_| tokens.get(at + 1).is_some_and(|token| token.text == "["));
        let index = index.and_then(|index| index.text.parse::<u8>().ok()).unwrap_or(7).min(7);
        length = length.max(Some(index + 1));
    }
    if let Some(length) = length {
        let own = name.replace("gl_", "legacy_");
        _ = writeln!(head, "{qualifier} vec4 {own}[{length}];\n#define {name} {own}");
    }
}

/// Returns a source whose `#version` and `#extension` directives are replaced by spaces. GLSL 3.30 needs no extension directives, because
/// it contains the features of these extensions.
fn without_directives(text: &str, tokens: &[Token<'_>]) -> String {
    let mut blank = text.to_string();
    for pair in tokens.windows(2) {
        let [hash, word] = pair else { continue };
        if hash.text != "#" || !matches!(word.text, "version" | "extension") {
            continue;
        }
        let end = text.get(hash.at..).and_then(|rest| rest.find('\n')).map_or(text.len(), |length| hash.at + length);
        let spaces: String = text.get(hash.at..end).unwrap_or_default().chars().map(|_| ' ').collect();
        // The spaces are as many as the bytes of the directive, which may contain multibyte characters.
        let fill = format!("{spaces:width$}", width = end - hash.at);
        blank.replace_range(hash.at..end, &fill);
    }
    blank
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::version::stated;

    fn rewritten(text: &str, stage: FunctionKind) -> String {
        rewrite(text, stage, stated(text)).expect("it is rewritten")
    }

    #[test]
    fn only_versions_without_in_and_out_are_rewritten() {
        for version in ["#version 140", "#version 300 es", "#version 450"] {
            assert_eq!(rewrite(version, FunctionKind::Vertex, stated(version)), None);
        }
    }

    #[test]
    fn a_source_keeps_its_lines_and_columns() {
        let text = "#version 100 /* é */\n#extension GL_OES_standard_derivatives : enable\nvoid main() {}";
        let rewritten = rewritten(text, FunctionKind::Fragment);
        let (_, own) = rewritten.split_once("#line 1\n").expect("the source follows");
        assert_eq!(own.len(), text.len());
        assert_eq!(own.lines().nth(2), Some("void main() {}"));
        assert!(own.lines().take(2).all(|line| line.trim().is_empty()), "{own}");
    }

    #[test]
    fn only_what_a_source_uses_is_declared() {
        let text = rewritten("void main() { gl_FragData[1] = vec4(1.0); }", FunctionKind::Fragment);
        assert!(text.contains("layout(location = 0) out vec4 legacy_FragData[2];"), "{text}");
        assert!(!text.contains("legacy_FragColor") && !text.contains("texture2D"), "{text}");
        let text = rewritten("void main() { gl_Position = ftransform(); }", FunctionKind::Vertex);
        assert!(text.contains("in vec4 legacy_Vertex;") && !text.contains("legacy_Normal"), "{text}");
    }
}
