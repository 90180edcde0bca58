//! Sources in GLSL and HLSL, which other compilers translate to SPIR-V, and the messages of these compilers.

use agalc::{Input, InputError, InputErrorKind, Options, Stage, load_all};

/// Returns the module text of a source.
fn lifted(name: &str, text: &str, options: &Options) -> Result<String, InputError> {
    let input = Input { name: name.to_string(), bytes: text.as_bytes().to_vec() };
    match load_all(&[input], options) {
        Ok(loaded) => Ok(sdlbc::print(&loaded.module)),
        Err(refused) => Err(refused.errors().next().expect("an error").clone()),
    }
}

/// Returns the line, column and message of the first error in a source.
fn refused(name: &str, text: &str, options: &Options) -> (Option<(usize, usize)>, String) {
    let error = lifted(name, text, options).expect_err("it is refused");
    let InputErrorKind::Source { refusals, .. } = &error.kind else { panic!("{error}") };
    (refusals[0].position(text), refusals[0].to_string())
}

fn module(name: &str, text: &str) -> String {
    lifted(name, text, &Options::default()).unwrap_or_else(|error| panic!("{text}\n{error}"))
}

#[test]
fn every_version_from_1_00_es_to_4_60_is_read() {
    for (head, body) in [
        ("", "varying vec2 uv; uniform sampler2D t; void main() { gl_FragColor = texture2D(t, uv); }"),
        (
            "#version 100",
            "precision mediump float; varying vec2 uv; uniform sampler2D t; void main() { gl_FragColor = texture2D(t, uv); }",
        ),
        (
            "#version 110",
            "varying vec2 uv; uniform sampler2D t; void main() { gl_FragData[0] = texture2D(t, uv, 1.0); }",
        ),
        (
            "#version 120",
            "varying vec2 uv; uniform sampler2D texture; void main() { gl_FragColor = texture2DProj(texture, vec3(uv, 1)); }",
        ),
        ("#version 130", "in vec2 uv; uniform sampler2D t; out vec4 o; void main() { o = texture(t, uv); }"),
        ("#version 140", "in vec2 uv; uniform sampler2D t; out vec4 o; void main() { o = texture(t, uv); }"),
        ("#version 330 core", "in vec2 uv; uniform sampler2D t; out vec4 o; void main() { o = texture(t, uv); }"),
        (
            "#version 300 es",
            "precision mediump float; in vec2 uv; uniform sampler2D t; out vec4 o; void main() { o = texture(t, uv); }",
        ),
        (
            "#version 310 es",
            "precision mediump float; layout(location = 0) in vec2 uv; layout(binding = 0) uniform sampler2D t; layout(location = 0) out vec4 o; void main() { o = texture(t, uv); }",
        ),
        (
            "#version 450",
            "layout(location = 0) in vec2 uv; layout(binding = 0) uniform sampler2D t; layout(location = 0) out vec4 o; void main() { o = texture(t, uv); }",
        ),
    ] {
        let text = module("a.frag", &format!("{head}\n{body}"));
        assert!(text.contains("uv: float2 = varying 0") && text.contains("texture2d"), "{head}: {text}");
    }
}

#[test]
fn the_vertex_shader_of_a_port_has_its_names_and_the_depth_of_open_gl() {
    let text = "attribute vec4 position;\nuniform mat4 transform;\nvarying vec2 uv;\nvoid main() {\n  uv = position.xy;\n  gl_Position = transform * position;\n}\n";
    let module = module("a.vert", text);
    assert!(module.contains("position: float4 = attribute 0"), "{module}");
    assert!(module.contains("transform"), "{module}");
    assert!(module.contains("uv: float2 = varying 0"), "{module}");
    // z is (z + w) / 2.
    assert!(module.contains("literalfloat 0.5"), "{module}");
}

#[test]
fn messages_have_the_place_in_the_source_even_if_it_was_rewritten() {
    for text in [
        "varying vec2 uv;\nvoid main() {\n  gl_FragColor = vec4(oops, 1.0);\n}\n",
        "#version 450\nlayout(location = 0) out vec4 o;\n         o = vec4(oops);\n",
    ] {
        let (place, message) = refused("a.frag", text, &Options::default());
        assert_eq!(place.map(|(line, _)| line), Some(3), "{message}");
    }
}

#[test]
fn what_the_format_lacks_is_refused_with_its_line() {
    let text = "#version 450\nlayout(local_size_x = 1) in;\nlayout(r32ui, binding = 0) uniform uimage2D n;\nvoid main() {\n  imageAtomicAdd(n, ivec2(0), 1u);\n}\n";
    let (place, message) = refused("a.comp", text, &Options::default());
    assert_eq!(place, Some((5, 3)), "{message}");
}

#[test]
fn integer_remainders_global_initialisers_and_side_effects_are_those_of_glsl() {
    let text = "#version 450\nlayout(location = 0) flat in int k;\nlayout(location = 0) out vec4 o;\nfloat half_of = float(k) * 0.5;\nvoid main() {\n  int i = 0;\n  int a[3] = int[3](k, k, k);\n  a[i++] += 1;\n  o = vec4(half_of, float(k % 10), float(a[0]), float(i));\n}\n";
    let module = module("a.frag", text);
    // The remainder is one of integers, and the initialiser is computed from the input.
    assert!(module.contains("modulo") && !module.contains("floor") && !module.contains("trunc"), "{module}");
    assert!(module.contains("literalfloat 0.5"), "{module}");
}

#[test]
fn what_a_compiler_would_change_or_drop_is_refused_at_its_place() {
    for (name, text, line, said) in [
        ("a.frag", "#version 450\n#include \"b\"\nvoid main() {}\n", Some(2), "cannot include other files"),
        ("a.frag", "#version 120\nuniform float k = 0.5;\nvoid main() {}\n", Some(2), "uniforms with an initial value"),
        (
            "a.vert",
            "#version 330\nin vec4 a;\nlayout(location = 0) in vec4 b;\nvoid main() { gl_Position = a + b; }\n",
            Some(2),
            "has no location, and others have",
        ),
        (
            "a.vert",
            "#version 330\nout Passed { vec4 a; };\nvoid main() { gl_Position = a = vec4(1.0); }\n",
            Some(2),
            "the members of this block need locations",
        ),
        (
            "a.frag",
            "#version 450\nlayout(pixel_center_integer) in vec4 gl_FragCoord;\nlayout(location = 0) out vec4 o;\nvoid main() { o = gl_FragCoord; }\n",
            Some(4),
            "the centres of pixels at whole numbers",
        ),
    ] {
        let (place, message) = refused(name, text, &Options::default());
        assert!(message.contains(said), "{text}: {message}");
        assert_eq!(place.map(|(line, _)| line), line, "{text}");
    }
}

#[test]
fn conditionals_of_an_old_source_are_those_of_its_version() {
    let text = "#version 100\nprecision highp float;\n#define INDEX 0\nvoid main() {\n#if defined(GL_ES) && __VERSION__ == 100\n  gl_FragData[INDEX] = vec4(0.25);\n#else\n  gl_FragColor = vec4(0.75);\n#endif\n}\n";
    let module = module("a.frag", text);
    assert!(module.contains("literalfloat 0.25") && !module.contains("0.75"), "{module}");
    assert!(!module.contains("colour 1"), "{module}");
}

/// Links a vertex and a fragment source. Returns the module text, or the error of the pair.
fn pair(sources: [(&str, &str); 2]) -> Result<String, String> {
    let inputs = sources.map(|(name, text)| Input { name: name.to_string(), bytes: text.as_bytes().to_vec() });
    match load_all(&inputs, &Options::default()) {
        Ok(loaded) => Ok(sdlbc::print(&loaded.module)),
        Err(refused) => Err(refused.to_string()),
    }
}

#[test]
fn a_pair_is_linked_by_semantics_in_hlsl_and_by_names_only_without_locations() {
    let vertex = "struct O { float4 p : SV_Position; float4 a : COLOR0; float4 b : TEXCOORD0; };\n\
        O main(float4 p : POSITION) { O o; o.p = p; o.a = p.wzyx; o.b = p; return o; }\n";
    let fragment = "float4 main(float4 b : TEXCOORD0, float4 a : COLOR0) : SV_Target { return a * b.x; }\n";
    let module = pair([("a.vs.hlsl", vertex), ("a.ps.hlsl", fragment)]).expect("it is linked");
    assert!(module.matches("TEXCOORD0: float4 = varying 1").count() == 2, "{module}");

    let vertex = "varying vec2 uv;\nvoid main() { uv = vec2(1.0); gl_Position = vec4(1.0); }\n";
    let fragment = "varying vec2 nowhere;\nvoid main() { gl_FragColor = vec4(nowhere, 0.0, 1.0); }\n";
    let error = pair([("a.vert", vertex), ("a.frag", fragment)]).expect_err("nothing writes it");
    assert_eq!(error, "the vertex program does not write the varying `nowhere`");

    let vertex =
        "#version 450\nlayout(location = 3) out vec2 one;\nvoid main() { one = vec2(1.0); gl_Position = vec4(1.0); }\n";
    let fragment = "#version 450\nlayout(location = 3) in vec2 other;\nlayout(location = 0) out vec4 o;\nvoid main() { o = other.xyxy; }\n";
    let module = pair([("a.vert", vertex), ("a.frag", fragment)]).expect("it is linked");
    assert!(module.contains("other: float2 = varying 3"), "{module}");
}

#[test]
fn hlsl_is_read_with_its_names_and_the_coordinates_of_direct3d() {
    let text = "cbuffer Camera : register(b0) { float4x4 transform; };\n\
        struct Out { float4 position : SV_Position; float2 uv : TEXCOORD0; };\n\
        Out vs(float3 position : POSITION, float2 uv : TEXCOORD0) {\n\
          Out o; o.position = mul(transform, float4(position, 1.0)); o.uv = uv; return o;\n}\n";
    let of = |entry: &str| Options::default().stage(Some(Stage::Vertex)).entries(vec![entry.to_string()]);
    let module = lifted("a.hlsl", text, &of("vs")).unwrap_or_else(|error| panic!("{error}"));
    assert!(module.contains("varying 0") && module.contains("position") && !module.contains("negate"), "{module}");
    let (_, message) = refused("a.hlsl", text, &of("none"));
    assert!(message.contains("entry point"), "{message}");
    let wrong = text.replace("o.uv = uv;", "o.uv = oops;");
    let (place, message) = refused("a.hlsl", &wrong, &of("vs"));
    assert_eq!(place.map(|(line, _)| line), Some(4), "{message}");
}
