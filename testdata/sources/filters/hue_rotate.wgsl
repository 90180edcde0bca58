// Hue rotation: turns colours about the grey axis by Rodrigues' formula.
struct Hue {
    angle: f32,
}

@group(0) @binding(0) var<uniform> hue: Hue;
@group(0) @binding(1) var sprite: texture_2d<f32>;
@group(0) @binding(2) var sprite_sampler: sampler;

const AXIS: vec3<f32> = vec3<f32>(0.57735027, 0.57735027, 0.57735027);

fn rotate_hue(c: vec3<f32>, angle: f32) -> vec3<f32> {
    let cosine = cos(angle);
    return c * cosine + cross(AXIS, c) * sin(angle) + AXIS * (dot(AXIS, c) * (1.0 - cosine));
}

@fragment
fn main(@location(0) uv: vec2<f32>) -> @location(0) vec4<f32> {
    let c = textureSample(sprite, sprite_sampler, uv);
    return vec4<f32>(rotate_hue(c.rgb, hue.angle), c.a);
}
