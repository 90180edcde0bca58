//! Rewrites sources in GLSL ES 1.00 and GLSL 1.10 to 1.30 so that glslang reads them as GLSL 3.30.
//!
//! The source keeps its lines, but words are replaced: storage qualifiers, the names of texture functions and of built-in variables
//! that GLSL 1.40 removed, and names that became keywords. Directives and precisions are left out. Before the source come declarations
//! of the functions and variables that it uses. Their names begin with `legacy_`, because names such as `gl_FragColor` may not be
//! declared.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use sdlbc::FunctionKind;
use sdlbc::front::GlslVersion;

use crate::tokens::{Token, tokens};

/// A texture function: its name, the type of its sampler `s`, the parameters after the sampler, and the call in GLSL 3.30. If `biased` is a
/// call with the bias `b`, fragment shaders also have the function with a bias.
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

/// The variables that a vertex shader of GLSL 1.20 has without declaring them, each with its declaration.
const OF_VERTEX: [(&str, &str); 18] = [
    ("gl_Vertex", "in vec4 legacy_Vertex;"),
    ("gl_Normal", "in vec3 legacy_Normal;"),
    ("gl_Color", "in vec4 legacy_Color;"),
    ("gl_SecondaryColor", "in vec4 legacy_SecondaryColor;"),
    ("gl_MultiTexCoord0", "in vec4 legacy_MultiTexCoord0;"),
    ("gl_MultiTexCoord1", "in vec4 legacy_MultiTexCoord1;"),
    ("gl_MultiTexCoord2", "in vec4 legacy_MultiTexCoord2;"),
    ("gl_MultiTexCoord3", "in vec4 legacy_MultiTexCoord3;"),
    ("gl_MultiTexCoord4", "in vec4 legacy_MultiTexCoord4;"),
    ("gl_MultiTexCoord5", "in vec4 legacy_MultiTexCoord5;"),
    ("gl_MultiTexCoord6", "in vec4 legacy_MultiTexCoord6;"),
    ("gl_MultiTexCoord7", "in vec4 legacy_MultiTexCoord7;"),
    ("gl_FrontColor", "out vec4 legacy_Colour;"),
    ("gl_ModelViewProjectionMatrix", "uniform mat4 legacy_ModelViewProjectionMatrix;"),
    ("gl_ModelViewMatrix", "uniform mat4 legacy_ModelViewMatrix;"),
    ("gl_ProjectionMatrix", "uniform mat4 legacy_ProjectionMatrix;"),
    ("gl_NormalMatrix", "uniform mat3 legacy_NormalMatrix;"),
    ("gl_FogFragCoord", "out float legacy_FogFragCoord;"),
];

/// The variables that a fragment shader has without declaring them.
const OF_FRAGMENT: [(&str, &str); 2] =
    [("gl_Color", "in vec4 legacy_Colour;"), ("gl_FogFragCoord", "in float legacy_FogFragCoord;")];

/// Words that GLSL 1.20 and GLSL ES 1.00 allow as names, and GLSL 3.30 for Vulkan does not.
const KEYWORDS: [&str; 13] = [
    "sampler",
    "filter",
    "common",
    "active",
    "partition",
    "shared",
    "resource",
    "case",
    "noperspective",
    "smooth",
    "input",
    "output",
    "uint",
];

/// The functions of GLSL 4.60 that a source for OpenGL may define itself, which glslang rejects when it compiles for Vulkan.
const BUILT_IN: &str = "\
    abs acos acosh all any asin asinh atan atanh bitCount bitfieldExtract bitfieldInsert bitfieldReverse ceil clamp cos cosh
    cross dFdx dFdxCoarse dFdxFine dFdy dFdyCoarse dFdyFine degrees determinant distance dot equal exp exp2 faceforward findLSB
    findMSB floatBitsToInt floatBitsToUint floor fma fract frexp fwidth greaterThan greaterThanEqual imageLoad imageSize
    imageStore imulExtended intBitsToFloat inverse inversesqrt isinf isnan ldexp length lessThan lessThanEqual log log2
    matrixCompMult max min mix mod modf normalize not notEqual outerProduct packHalf2x16 packSnorm2x16 packSnorm4x8
    packUnorm2x16 packUnorm4x8 pow radians reflect refract round roundEven sign sin sinh smoothstep sqrt step tan tanh
    texelFetch texelFetchOffset texture textureGather textureGrad textureLod textureOffset textureProj textureProjLod
    textureSize transpose trunc uaddCarry uintBitsToFloat umulExtended unpackHalf2x16 unpackSnorm2x16 unpackSnorm4x8
    unpackUnorm2x16 unpackUnorm4x8 usubBorrow";

/// Returns a source of an old version in GLSL 3.30, or in the later version of a source in the compatibility profile.
pub(crate) fn rewrite(text: &str, stage: FunctionKind, version: GlslVersion) -> String {
    let tokens: Vec<Token<'_>> = tokens(text).collect();
    let words: BTreeSet<&str> = tokens.iter().map(|token| token.text).collect();
    let is_fragment = stage == FunctionKind::Fragment;
    let mut head = format!("#version {}\n", version.number.max(330));
    let mut renamed: BTreeMap<&str, String> = BTreeMap::new();
    let passed = if is_fragment { "in" } else { "out" };
    renamed.extend([("attribute", "in".to_string()), ("varying", passed.to_string())]);
    let is_old = version.is_es || version.number < 130;
    let keywords = KEYWORDS.into_iter().filter(|word| is_old || *word == "sampler");
    renamed.extend(keywords.map(|word| (word, format!("{word}_"))));
    let has_transform = !is_fragment && words.contains("ftransform");
    let is_needed = |name: &str| {
        words.contains(name) || has_transform && ["gl_Vertex", "gl_ModelViewProjectionMatrix"].contains(&name)
    };
    let variables: &[(&str, &str)] = if is_fragment { &OF_FRAGMENT } else { &OF_VERTEX };
    for &(name, declaration) in variables.iter().filter(|(name, _)| is_needed(name)) {
        _ = writeln!(head, "{declaration}");
        let own = declaration.trim_end_matches(';').rsplit(' ').next().unwrap_or_default();
        renamed.insert(name, own.to_string());
    }
    if has_transform {
        head.push_str("vec4 legacy_transform() { return legacy_ModelViewProjectionMatrix * legacy_Vertex; }\n");
        renamed.insert("ftransform", "legacy_transform".to_string());
    }
    renamed.extend(array(&mut head, &tokens, "gl_TexCoord", &format!("{passed} vec4")));
    renamed.extend(array(&mut head, &tokens, "gl_TextureMatrix", "uniform mat4"));
    if is_fragment {
        if words.contains("gl_FragData") {
            renamed.extend(array(&mut head, &tokens, "gl_FragData", "layout(location = 0) out vec4"));
            renamed.insert("gl_FragColor", "legacy_FragData[0]".to_string());
        } else if words.contains("gl_FragColor") {
            head.push_str("layout(location = 0) out vec4 legacy_FragColor;\n");
            renamed.insert("gl_FragColor", "legacy_FragColor".to_string());
        }
        renamed.insert("gl_FragDepthEXT", "gl_FragDepth".to_string());
    }
    let own = own_functions(&tokens);
    let mut functions = replaced_functions(&own);
    for of in SAMPLING.iter().filter(|of| words.contains(of.name) && !own.contains(of.name)) {
        let Sampling { name, sampler, parameters, call, biased } = of;
        // A lookup of a shadow returned the result as a luminance, except in GLSL ES.
        let is_scalar = name.ends_with("EXT");
        let call_of = |call: &str| match sampler.ends_with("Shadow") && !is_scalar {
            true => format!("vec4(vec3({call}), 1.0)"),
            false => call.to_string(),
        };
        let result = if sampler.ends_with("Shadow") && is_scalar { "float" } else { "vec4" };
        _ = writeln!(head, "{result} legacy_{name}({sampler} s, {parameters}) {{ return {}; }}", call_of(call));
        if let Some(biased) = biased.filter(|_| is_fragment) {
            let biased = call_of(biased);
            _ = writeln!(head, "{result} legacy_{name}({sampler} s, {parameters}, float b) {{ return {biased}; }}");
        }
        functions.insert(name, format!("legacy_{name}"));
    }
    head.push_str("#line 1\n");
    replaced(text, &tokens, &renamed, &functions, &mut head);
    head
}

/// Reports whether a source uses texture functions or colours that GLSL 1.40 removed from the core profile.
pub(crate) fn has_removed_names(text: &str) -> bool {
    let tokens: Vec<Token<'_>> = tokens(text).collect();
    let words: BTreeSet<&str> = tokens.iter().map(|token| token.text).collect();
    let own = own_functions(&tokens);
    words.contains("gl_FragColor")
        || words.contains("gl_FragData")
        || SAMPLING.iter().any(|of| words.contains(of.name) && !own.contains(of.name))
}

/// Returns a source for OpenGL in which names are changed that only Vulkan does not allow: the name `sampler`, unless it is also a type, and
/// the names of functions that replace built-in functions. Returns `None` if no name changes.
pub(crate) fn for_vulkan(text: &str) -> Option<String> {
    let tokens: Vec<Token<'_>> = tokens(text).collect();
    let mut words = BTreeMap::new();
    if is_only_a_name(&tokens, "sampler") {
        words.insert("sampler", "sampler_".to_string());
    }
    let functions = replaced_functions(&own_functions(&tokens));
    if words.is_empty() && functions.is_empty() {
        return None;
    }
    let mut out = String::new();
    let mut end = 0;
    for (at, token) in tokens.iter().enumerate() {
        out.push_str(text.get(end..token.at).unwrap_or_default());
        end = token.at + token.text.len();
        // The method `length()` of arrays is not a function.
        let is_method =
            at.checked_sub(1).and_then(|before| tokens.get(before)).is_some_and(|before| before.text == ".");
        let is_call = !is_method && tokens.get(at + 1).is_some_and(|next| next.text == "(");
        let function = functions.get(token.text).filter(|_| is_call);
        out.push_str(function.or_else(|| words.get(token.text)).map_or(token.text, String::as_str));
    }
    out.push_str(text.get(end..).unwrap_or_default());
    Some(out)
}

/// Reports whether a source contains a word, and never before a name, as a type would be.
fn is_only_a_name(tokens: &[Token<'_>], word: &str) -> bool {
    let is_name = |token: &Token<'_>| token.text.starts_with(|c: char| c.is_alphabetic() || c == '_');
    let mut found = tokens.iter().enumerate().filter(|(_, token)| token.text == word).peekable();
    found.peek().is_some() && !found.any(|(at, _)| tokens.get(at + 1).is_some_and(is_name))
}

/// Returns new names for the functions of a source that replace built-in functions.
fn replaced_functions<'a>(own: &BTreeSet<&'a str>) -> BTreeMap<&'a str, String> {
    let built_in: BTreeSet<&str> = BUILT_IN.split_whitespace().collect();
    own.iter().filter(|name| built_in.contains(*name)).map(|&name| (name, format!("{name}_"))).collect()
}

/// Appends a source in which words and the names of called functions are replaced. Directives, and precisions, are left out.
fn replaced(
    text: &str,
    tokens: &[Token<'_>],
    words: &BTreeMap<&str, String>,
    functions: &BTreeMap<&str, String>,
    out: &mut String,
) {
    let mut end = 0;
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        out.push_str(text.get(end..token.at).unwrap_or_default());
        end = token.at + token.text.len();
        let next = tokens.get(at + 1).map_or("", |next| next.text);
        at += 1;
        match token.text {
            "#" if matches!(next, "version" | "extension") => {
                let line = text
                    .get(token.at..)
                    .and_then(|rest| rest.find('\n'))
                    .map_or(text.len(), |length| token.at + length);
                while tokens.get(at).is_some_and(|token| token.at < line) {
                    at += 1;
                }
                end = line;
            }
            "precision" => {
                let begin = end;
                while let Some(skipped) = tokens.get(at) {
                    at += 1;
                    end = skipped.at + skipped.text.len();
                    if skipped.text == ";" {
                        break;
                    }
                }
                let breaks = text.get(begin..end).unwrap_or_default().matches('\n').count();
                out.push_str(&"\n".repeat(breaks));
            }
            "highp" | "mediump" | "lowp" => {}
            word => {
                let function = functions.get(word).filter(|_| next == "(");
                out.push_str(function.or_else(|| words.get(word)).map_or(word, String::as_str));
            }
        }
    }
    out.push_str(text.get(end..).unwrap_or_default());
}

/// Returns the names of the functions that a source defines or declares.
fn own_functions<'a>(tokens: &[Token<'a>]) -> BTreeSet<&'a str> {
    let mut open = 0usize;
    let mut names = BTreeSet::new();
    for (at, token) in tokens.iter().enumerate() {
        match token.text {
            "(" | "{" => open += 1,
            ")" | "}" => open = open.saturating_sub(1),
            name if open == 0 && tokens.get(at + 1).is_some_and(|next| next.text == "(") => {
                names.insert(name);
            }
            _ => {}
        }
    }
    names
}

/// Declares an array that a shader has without declaring it, with the length that the constant indices need. `declaration` is the
/// declaration before the array's name. Returns the old and the new name.
fn array<'n>(head: &mut String, tokens: &[Token<'_>], name: &'n str, declaration: &str) -> Option<(&'n str, String)> {
    let mut length = None;
    for (at, _) in tokens.iter().enumerate().filter(|(_, token)| token.text == name) {
        let index = tokens.get(at + 2).filter(|_| tokens.get(at + 1).is_some_and(|token| token.text == "["));
        let index = index.and_then(|index| index.text.parse::<u8>().ok()).unwrap_or(7).min(7);
        length = length.max(Some(index + 1));
    }
    let own = name.replace("gl_", "legacy_");
    _ = writeln!(head, "{declaration} {own}[{}];", length?);
    Some((name, own))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::version::stated;

    fn rewritten(text: &str, stage: FunctionKind) -> String {
        rewrite(text, stage, stated(text))
    }

    #[test]
    fn a_source_keeps_its_lines() {
        let text = "#version 100 /* é */\n#extension GL_OES_standard_derivatives : enable\nprecision\nhighp float;\nvoid main() {}";
        let rewritten = rewritten(text, FunctionKind::Fragment);
        let (_, own) = rewritten.split_once("#line 1\n").expect("the source follows");
        assert_eq!(own.lines().nth(4), Some("void main() {}"), "{own}");
        assert!(own.lines().take(4).all(|line| line.trim().is_empty()), "{own}");
    }

    #[test]
    fn only_what_a_source_uses_is_declared() {
        let text = rewritten("void main() { gl_FragData[1] = vec4(1.0); }", FunctionKind::Fragment);
        assert!(text.contains("layout(location = 0) out vec4 legacy_FragData[2];"), "{text}");
        assert!(!text.contains("legacy_FragColor") && !text.contains("texture2D"), "{text}");
        let text = rewritten("void main() { gl_Position = ftransform(); }", FunctionKind::Vertex);
        assert!(text.contains("in vec4 legacy_Vertex;") && !text.contains("legacy_Normal"), "{text}");
    }

    #[test]
    fn functions_of_the_source_and_names_that_became_keywords_are_kept_apart() {
        let text = rewritten(
            "uniform sampler2D sampler; vec4 texture2D(vec2 c) { return vec4(c, 0.0, 1.0); } void main() { gl_FragColor = texture2D(vec2(0.5)); }",
            FunctionKind::Fragment,
        );
        assert!(text.contains("sampler2D sampler_;") && text.contains("vec4 texture2D(vec2 c)"), "{text}");
        assert!(!text.contains("legacy_texture2D"), "{text}");
        let text = rewritten("mat3 transpose(mat3 m) { return m; }", FunctionKind::Vertex);
        assert!(text.contains("mat3 transpose_(mat3 m)"), "{text}");
        let renamed = for_vulkan("uniform sampler2D sampler ; float round(float x) { return x; } // é");
        let expected = "uniform sampler2D sampler_ ; float round_(float x) { return x; } // é";
        assert_eq!(renamed.as_deref(), Some(expected));
        assert_eq!(for_vulkan("uniform sampler s; float f() { return round(1.0); }"), None);
    }
}
