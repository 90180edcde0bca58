//! Tests of sources that glslang compiles, and of its messages.

use glsl_front::{Source, compile, in_source};
use sdlbc::FunctionKind::{self, Compute, Fragment, Vertex};
use sdlbc::front::{Convention, Refusal, SourceOptions};

/// Returns the module text of a source.
fn lifted(text: &str, stage: FunctionKind) -> Result<String, Vec<Refusal>> {
    let source = Source { text, stage, version: None };
    let convention = source.is_open_gl().then_some(Convention::OpenGl);
    let read = spirv_front::read(&compile(&source)?, &SourceOptions::default().convention(convention));
    match read {
        Ok(lifted) => Ok(sdlbc::print(&lifted.module)),
        Err(refusals) => Err(refusals.into_iter().map(|refusal| in_source(refusal, text)).collect()),
    }
}

fn module(text: &str, stage: FunctionKind) -> String {
    lifted(text, stage).unwrap_or_else(|refusals| panic!("{text}\n{refusals:?}"))
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
        let text = module(&format!("{head}\n{body}"), Fragment);
        assert!(text.contains("uv: float2 = varying 0") && text.contains("texture2d"), "{head}: {text}");
    }
}

#[test]
fn the_vertex_shader_of_a_port_has_its_names_and_the_depth_of_open_gl() {
    let text = "attribute vec4 position;\nuniform mat4 transform;\nvarying vec2 uv;\nvoid main() {\n  uv = position.xy;\n  gl_Position = transform * position;\n}\n";
    let module = module(text, Vertex);
    assert!(module.contains("position: float4 = attribute 0"), "{module}");
    assert!(module.contains("transform"), "{module}");
    assert!(module.contains("uv: float2 = varying 0"), "{module}");
    // z is (z + w) / 2.
    assert!(module.contains("literal 0.5"), "{module}");
}

#[test]
fn messages_have_the_place_in_the_source_even_if_it_was_rewritten() {
    for text in [
        "varying vec2 uv;\nvoid main() {\n  gl_FragColor = vec4(oops, 1.0);\n}\n",
        "#version 450\nlayout(location = 0) out vec4 o;\n         o = vec4(oops);\n",
    ] {
        let refusals = lifted(text, Fragment).expect_err("it has an error");
        let (line, _) = refusals[0].position(text).expect("a place");
        assert_eq!(line, 3, "{refusals:?}");
    }
}

#[test]
fn what_the_format_lacks_is_refused_with_its_line() {
    let text = "#version 450\nlayout(local_size_x = 1) in;\nlayout(std430, binding = 0) buffer B { uint n; };\nvoid main() {\n  atomicAdd(n, 1u);\n}\n";
    let refusals = lifted(text, Compute).expect_err("there are no atomics");
    assert_eq!(refusals[0].position(text), Some((5, 3)), "{refusals:?}");
}

#[test]
fn integer_remainders_global_initialisers_and_side_effects_are_those_of_glsl() {
    let text = "#version 450\nlayout(location = 0) flat in int k;\nlayout(location = 0) out vec4 o;\nfloat half_of = float(k) * 0.5;\nvoid main() {\n  int i = 0;\n  int a[3] = int[3](k, k, k);\n  a[i++] += 1;\n  o = vec4(half_of, float(k % 10), float(a[0]), float(i));\n}\n";
    let module = module(text, Fragment);
    assert!(module.contains("remainder") || module.contains("modulo"), "{module}");
}
