// Chroma key: makes pixels near a key colour transparent, and removes its spill.
struct Key {
    color: vec3<f32>,
    near: f32,
    far: f32,
    despill: f32,
}

@group(0) @binding(0) var<uniform> key: Key;
@group(0) @binding(1) var studio: texture_2d<f32>;
@group(0) @binding(2) var studio_sampler: sampler;

fn chroma(c: vec3<f32>) -> vec2<f32> {
    let y = dot(c, vec3<f32>(0.299, 0.587, 0.114));
    return vec2<f32>(0.564 * (c.b - y), 0.713 * (c.r - y));
}

@fragment
fn main(@location(0) uv: vec2<f32>) -> @location(0) vec4<f32> {
    let shot = textureSample(studio, studio_sampler, uv);
    let away = distance(chroma(shot.rgb), chroma(key.color));
    let alpha = saturate((away - key.near) / (key.far - key.near));
    var rgb = shot.rgb;
    rgb.g = mix(rgb.g, min(rgb.g, (rgb.r + rgb.b) * 0.5), key.despill);
    return vec4<f32>(rgb * alpha, shot.a * alpha);
}
