// Adjustment of saturation, contrast and brightness in this order.
struct Adjust {
    saturation: f32,
    contrast: f32,
    brightness: f32,
    pivot: f32,
}

@group(0) @binding(0) var<uniform> adjust: Adjust;
@group(0) @binding(1) var t: texture_2d<f32>;
@group(0) @binding(2) var s: sampler;

@fragment
fn main(@location(0) uv: vec2<f32>) -> @location(0) vec4<f32> {
    let texel = textureSample(t, s, uv);
    let grey = vec3<f32>(dot(texel.rgb, vec3<f32>(0.2126, 0.7152, 0.0722)));
    var c = mix(grey, texel.rgb, adjust.saturation);
    c = (c - adjust.pivot) * adjust.contrast + adjust.pivot;
    c += adjust.brightness;
    return vec4<f32>(clamp(c, vec3<f32>(0.0), vec3<f32>(1.0)) * texel.a, texel.a);
}
