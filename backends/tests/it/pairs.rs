//! The two GLSL shaders of a pair are linked by name if the version has neither locations for varyings nor bindings.

use sdlbc::FunctionKind;
use sdlbc_naga::{Glsl, Layout};

/// The GLSL of both stages of a pair, from the text of a module.
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
