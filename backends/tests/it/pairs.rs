//! Tests the GLSL versions that have neither locations for varyings nor bindings, and therefore link the two shaders of a pair by
//! name. The names must match, whether the stages are translated together or separately.

use sdlbc::FunctionKind;
use sdlbc_naga::{Code, Glsl, Layout, Renamed, Target};

fn texts(module: &str) -> [String; 2] {
    let module = sdlbc::parse(module).expect("a module");
    [FunctionKind::Vertex, FunctionKind::Fragment]
        .map(|stage| sdlbc_naga::glsl(&module, stage, Glsl::Core330, &Layout::default()).expect("GLSL"))
}

#[test]
fn a_varying_has_one_name_in_both_stages_even_if_a_function_of_one_stage_has_that_name() {
    let [vertex, fragment] = texts(
        r#"
generic function "v0" {
  input %1 a: float4 = parameter
  output 0 out: float4 = returned
  %2 = multiply %1, %1
  return %2
}

vertex function "vs_main" {
  input %1 va0: float4 = attribute 0
  output 0 op: float4 = position
  output 1 v0: float4 = varying 0
  poke %1, 0
  poke %1, 1
}

fragment function "fs_main" {
  input %1 v0: float4 = varying 0
  output 0 oc: float4 = colour 0
  %2 = call 0, %1
  poke %2, 0
}
"#,
    );
    assert!(vertex.contains("smooth out vec4 v0;\n"), "{vertex}");
    assert!(fragment.contains("smooth in vec4 v0;\n") && fragment.contains("vec4 v0_1(vec4 a)"), "{fragment}");
}

#[test]
fn two_textures_of_a_pair_have_two_names_even_if_a_called_function_reads_one() {
    let [vertex, fragment] = texts(
        r#"
generic function "helper" {
  input %1 fs0: texture2d = texture 3 {filter 1, mip 2, wrap 1 1, format 0, special 0, bias 0}
  input %2 a: float4 = parameter
  output 0 out: float4 = returned
  %3 = swizzle %2, xy
  %4 = literalfloat 0
  %5 = samplelod %1, %3, %4
  return %5
}

vertex function "vs_main" {
  input %1 va0: float4 = attribute 0
  output 0 op: float4 = position
  output 1 v0: float4 = varying 0
  %2 = call 0, %1
  poke %2, 0
  poke %1, 1
}

fragment function "fs_main" {
  input %1 v0: float4 = varying 0
  input %2 fs0: texture2d = texture 0 {filter 1, mip 2, wrap 1 1, format 0, special 0, bias 0}
  output 0 oc: float4 = colour 0
  %3 = swizzle %1, xy
  %4 = sample %2, %3
  poke %4, 0
}
"#,
    );
    assert!(vertex.contains("uniform sampler2D fs0;\n"), "{vertex}");
    assert!(fragment.contains("uniform sampler2D fs0_1;\n"), "{fragment}");
}

const VERTEX: &str = r#"
vertex function "vs_main" {
  input %1 va0: float4 = attribute 0
  input %2 v1: float4 = uniform
  output 0 op: float4 = position
  output 1 uv: float4 = varying 1
  poke %2, 0
  poke %1, 1
}
"#;

const FRAGMENT: &str = r#"
fragment function "fs_main" {
  input %1 v1: float4 = varying 1
  output 0 oc: float4 = colour 0
  poke %1, 0
}
"#;

#[test]
fn varyings_of_stages_that_are_translated_apart_are_called_by_their_number() {
    for version in [Glsl::Core330, Glsl::Es300] {
        let write = |text: &str| {
            let module = sdlbc::parse(text).expect("a module");
            crate::write(&module, Target::Glsl(version), None, &Layout::default()).expect("GLSL")
        };
        let (vertex, fragment) = (write(VERTEX), write(FRAGMENT));
        let [Code::Text(out), Code::Text(into)] = [&vertex.code, &fragment.code] else { panic!("texts") };
        assert!(out.contains("smooth out vec4 v1;\n"), "{out}");
        assert!(into.contains("smooth in vec4 v1;\n"), "{into}");
        let renamed = |wanted: &str, given: &str| Renamed { wanted: wanted.into(), given: given.into() };
        assert_eq!(vertex.renamed, [renamed("uv", "v1"), renamed("v1", "v1_1")]);
        assert_eq!(fragment.renamed, []);
        assert_eq!(vertex.interface.entries[0].outputs[1].name, "v1");
    }
    // If varyings have locations, their names may differ between the stages.
    let module = sdlbc::parse(VERTEX).expect("a module");
    let text = sdlbc_naga::glsl(&module, FunctionKind::Vertex, Glsl::Core450, &Layout::default()).expect("GLSL");
    assert!(text.contains("layout(location = 1) smooth out vec4 uv;\n"), "{text}");
}
