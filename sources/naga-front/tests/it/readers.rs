//! The errors of naga's reader, and the names that a source declares.

use std::collections::BTreeSet;

use naga_front::{Options, Refusal, RefusalKind, read};

fn refused(text: &str) -> Vec<Refusal> {
    let Err(refusals) = read(text, &Options::default()) else { panic!("{text} is lifted") };
    refusals
}

#[test]
fn a_source_without_entry_points_is_refused() {
    let none = RefusalKind::NoEntry { name: String::new() };
    assert_eq!(refused("fn f() -> f32 { return 1.0; }")[0].kind, none);
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
    let lifted = read(text, &Options::default()).expect("it is lifted");
    assert_eq!(lifted.declared, BTreeSet::from(["map", "near", "normal", "place", "tint", "uv"].map(String::from)));
}
