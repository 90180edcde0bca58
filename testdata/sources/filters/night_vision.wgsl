// Night vision: green amplified light through a gradient map, with grain and a round view.
struct Goggles {
    gain: f32,
    grain: f32,
    time: f32,
    glow_from: f32,
    lens: vec2<f32>,
    phosphor: vec3<f32>,
}

@group(0) @binding(0) var<uniform> goggles: Goggles;
@group(0) @binding(1) var scene: texture_2d<f32>;
@group(0) @binding(2) var gradient: texture_2d<f32>;
@group(0) @binding(3) var noise: texture_2d<f32>;
@group(0) @binding(4) var clamped: sampler;
@group(0) @binding(5) var repeated: sampler;

@fragment
fn main(@location(0) uv: vec2<f32>) -> @location(0) vec4<f32> {
    let seen = dot(textureSample(scene, clamped, uv).rgb, vec3<f32>(0.3, 0.59, 0.11));
    let speck = textureSample(noise, repeated, uv * 3.0 + fract(goggles.time * vec2<f32>(7.1, 3.3))).r;
    let level = saturate(seen * goggles.gain + (speck - 0.5) * goggles.grain);
    let mapped = textureSample(gradient, clamped, vec2<f32>(level, 0.5)).rgb;
    let bloom = max(level - goggles.glow_from, 0.0);
    let round = 1.0 - smoothstep(goggles.lens.x, goggles.lens.y, distance(uv, vec2<f32>(0.5)));
    return vec4<f32>((mapped * goggles.phosphor + bloom) * round, 1.0);
}
