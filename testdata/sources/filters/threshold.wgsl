// Threshold: two colours, divided by luminance with a soft border.
struct Threshold {
    level: f32,
    softness: f32,
    invert: f32,
    low: vec4<f32>,
    high: vec4<f32>,
}

@group(0) @binding(0) var<uniform> p: Threshold;
@group(0) @binding(1) var scan: texture_2d<f32>;
@group(0) @binding(2) var scan_sampler: sampler;

@fragment
fn main(@location(0) uv: vec2<f32>) -> @location(0) vec4<f32> {
    let c = textureSample(scan, scan_sampler, uv);
    let grey = (c.r + c.g + c.b) / 3.0;
    var t = smoothstep(p.level - p.softness, p.level + p.softness, grey);
    if p.invert > 0.5 {
        t = 1.0 - t;
    }
    return mix(p.low, p.high, t) * c.a;
}
