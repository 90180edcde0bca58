//! Places of layouts: those that collide in a pipeline are refused, and those of a text are what its interface says.

use sdlbc::{FunctionKind, Module};
use sdlbc_naga::{Code, Error, Layout, Length, Modules, Output, ResourceKind, ShaderModel, Target};

use crate::write;

/// A pair whose stages have constants and one texture each.
const PAIR: &str = r#"
vertex function "vs_main" {
  input %1 va0: float4 = attribute 0
  input %2 vc: float4[1] = uniform
  input %3 vs0: texture2d = texture 0 { filter 1, mip 2, wrap 1 1, format 0, special 0, bias 0 }
  output 0 op: float4 = position
  output 1 v0: float4 = varying 0
  %4 = peek %2, 0
  %5 = swizzle %1, xy
  %6 = literalfloat 0
  %7 = samplelod %3, %5, %6
  poke %4, 0
  poke %7, 1
}

fragment function "fs_main" {
  input %1 v0: float4 = varying 0
  input %2 fc: float4[1] = uniform
  input %3 fs1: texture2d = texture 1 { filter 1, mip 2, wrap 1 1, format 0, special 0, bias 0 }
  output 0 oc: float4 = colour 0
  %4 = swizzle %1, xy
  %5 = sample %3, %4
  %6 = peek %2, 0
  %7 = multiply %5, %6
  poke %7, 0
}
"#;

fn pair() -> Module {
    sdlbc::parse(PAIR).unwrap_or_else(|errors| panic!("{errors:?}"))
}

fn text(output: Output) -> String {
    match output.code {
        Code::Text(text) => text,
        Code::Words(_) => panic!("a text"),
    }
}

/// A layout whose vertex constants and fragment textures are at one place.
fn shared() -> Layout {
    let mut layout = Layout { name: "shared", ..Layout::STAGE3D };
    layout.fragment.textures.binding = layout.vertex.constants.binding;
    layout.fragment.textures.step = 0;
    layout
}

#[test]
fn a_place_that_both_stages_have_is_refused_where_a_pipeline_shares_them() {
    for target in [Target::Spirv, Target::Wgsl] {
        for (layout, stages) in [
            (shared(), &[None][..]),
            // Files of their own are used in one pipeline too.
            (
                Layout { modules: Modules::Apart, ..shared() },
                &[Some(FunctionKind::Vertex), Some(FunctionKind::Fragment)][..],
            ),
        ] {
            for &stage in stages {
                let refused = write(&pair(), target, stage, &layout).expect_err("a collision");
                let is_both = matches!(
                    refused,
                    Error::SameBinding { stages: [FunctionKind::Vertex, FunctionKind::Fragment], group: 0, binding: 0 }
                );
                assert!(is_both, "{target}, {stage:?}: {refused}");
                assert!(refused.to_string().contains("a resource of the vertex stage and one of the fragment stage"));
            }
        }
    }
}

#[test]
fn each_stage_has_registers_of_its_own_in_hlsl_and_msl() {
    for target in [Target::Hlsl(ShaderModel::V6_0), Target::Msl(sdlbc_naga::MslVersion::default())] {
        let output = write(&pair(), target, None, &shared());
        assert!(output.is_ok(), "{target}: {output:?}");
    }
}

#[test]
fn registers_of_textures_in_hlsl_are_what_the_interface_says() {
    // The texture of each stage is at the place of its constants, which is another register.
    let mut layout = Layout::STAGE3D;
    layout.vertex.textures = layout.vertex.constants;
    layout.fragment.textures = layout.fragment.constants;
    let output = write(&pair(), Target::Hlsl(ShaderModel::V6_0), None, &layout).expect("HLSL");
    let textures = output.interface.resources.iter().filter_map(|resource| match resource.kind {
        ResourceKind::Texture { .. } => Some((resource.name.clone(), resource.binding.expect("a place").1)),
        _ => None,
    });
    let textures: Vec<(String, u32)> = textures.collect();
    assert_eq!(textures, [("vs0".to_string(), 0), ("fs1".to_string(), 2)]);
    let text = text(output);
    for (name, register) in textures {
        assert!(text.contains(&format!("{name} : register(t{register})")), "{text}");
    }
}

#[test]
fn arrays_of_constants_that_are_longer_than_a_module_may_have_are_refused() {
    for vertex in [4097, 1 << 28, u32::MAX] {
        let layout = Layout { length: Length::File { vertex, fragment: 1 }, ..Layout::STAGE3D };
        for target in [Target::Spirv, Target::Wgsl, Target::Hlsl(ShaderModel::V6_0)] {
            let refused = write(&pair(), target, None, &layout);
            assert!(matches!(refused, Err(Error::ConstantLength { length, .. }) if length == vertex), "{refused:?}");
        }
    }
    let layout = Layout { length: Length::File { vertex: 4096, fragment: 1 }, ..Layout::STAGE3D };
    let output = write(&pair(), Target::Wgsl, None, &layout).expect("WGSL");
    assert!(text(output).contains("array<vec4<f32>, 4096>"));
}
