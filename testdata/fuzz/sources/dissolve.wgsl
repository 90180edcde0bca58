// Dissolve: a noise texture eats the sprite away, with a glowing rim.
struct Dissolve {
    progress: f32,
    rim: f32,
    rim_color: vec4<f32>,
    noise_scale: vec2<f32>,
}

@group(0) @binding(0) var<uniform> dissolve: Dissolve;
@group(0) @binding(1) var sprite: texture_2d<f32>;
@group(0) @binding(2) var sprite_sampler: sampler;
@group(0) @binding(3) var noise: texture_2d<f32>;
@group(0) @binding(4) var noise_sampler: sampler;

@fragment
fn main(@location(0) uv: vec2<f32>) -> @location(0) vec4<f32> {
    let color = textureSample(sprite, sprite_sampler, uv);
    let grain = textureSample(noise, noise_sampler, uv * dissolve.noise_scale).r;
    let left = grain - dissolve.progress;
    if left < 0.0 {
        discard;
    }
    let burn = 1.0 - saturate(left / dissolve.rim);
    return vec4<f32>(mix(color.rgb, dissolve.rim_color.rgb * color.a, burn * dissolve.rim_color.a), color.a);
}
