//! The inputs and errors of naga's readers: languages and their versions, both byte orders, and the names that a source declares.

use std::collections::BTreeSet;

use naga_front::{Options, Refusal, RefusalKind, Source, read};
use sdlbc::FunctionKind;

fn refused(source: &Source<'_>) -> Vec<Refusal> {
    let Err(refusals) = read(source, &Options::default()) else { panic!("{source:?} is lifted") };
    refusals
}

#[test]
fn other_versions_and_profiles_of_glsl_are_refused_by_name() {
    const REMEDY: &str = "write the shader for Vulkan, with `#version 450` (440, 450 and 460 are supported)";
    for (version, said) in [
        ("330 core", "GLSL 330 is not supported"),
        ("300 es", "GLSL 300 is not supported"),
        ("450 compatibility", "this profile of GLSL is not supported"),
    ] {
        // Only the version is reported, although `gl_Color` would be refused as well.
        let text = format!("#version {version}\nout vec4 o;\nvoid main() {{ o = gl_Color; }}\n");
        let refusals = refused(&Source::Glsl { text: &text, stage: FunctionKind::Fragment });
        let [refusal] = &refusals[..] else { panic!("{refusals:?}") };
        assert_eq!(refusal.to_string(), format!("{said}: {REMEDY}"));
        assert_eq!(refusal.position(&text).map(|(line, _)| line), Some(1), "{version}");
    }
}

#[test]
fn a_source_without_entry_points_and_glsl_of_no_stage_are_refused() {
    let none = RefusalKind::NoEntry { name: String::new() };
    assert_eq!(refused(&Source::Wgsl("fn f() -> f32 { return 1.0; }"))[0].kind, none);
    let text = "#version 450\nvoid main() {}\n";
    assert_eq!(refused(&Source::Glsl { text, stage: FunctionKind::Generic })[0].kind, none);
}

#[test]
fn names_are_declared_by_resources_and_arguments_and_by_the_members_of_arguments() {
    let text = "
        struct Light { colour: vec4<f32> }
        struct In { @location(0) normal: vec3<f32>, @builtin(position) place: vec4<f32> }
        @group(0) @binding(0) var<uniform> light: Light;
        @group(0) @binding(1) var<uniform> tint: vec4<f32>;
        @group(0) @binding(2) var map: texture_2d<f32>;
        @group(0) @binding(3) var near: sampler;
        @fragment fn f(in: In, @location(1) uv: vec2<f32>) -> @location(0) vec4<f32> {
            return textureSample(map, near, uv) * tint * light.colour + vec4(in.normal, in.place.x);
        }";
    let lifted = read(&Source::Wgsl(text), &Options::default()).expect("it is lifted");
    assert_eq!(lifted.declared, BTreeSet::from(["map", "near", "normal", "place", "tint", "uv"].map(String::from)));
}
