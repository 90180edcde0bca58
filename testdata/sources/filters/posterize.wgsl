// Posterise: reduces each channel to a few levels, after a gamma curve.
struct Posterize {
    levels: vec3<f32>,
    gamma: f32,
}

@group(0) @binding(0) var<uniform> poster: Posterize;
@group(0) @binding(1) var art: texture_2d<f32>;
@group(0) @binding(2) var art_sampler: sampler;

@fragment
fn main(@location(0) uv: vec2<f32>, @location(1) tint: vec4<f32>) -> @location(0) vec4<f32> {
    let c = textureSample(art, art_sampler, uv) * tint;
    let curved = pow(max(c.rgb, vec3<f32>(0.0)), vec3<f32>(poster.gamma));
    let stepped = floor(curved * poster.levels + 0.5) / poster.levels;
    let linear = pow(stepped, vec3<f32>(1.0 / poster.gamma));
    return vec4<f32>(linear, c.a);
}
