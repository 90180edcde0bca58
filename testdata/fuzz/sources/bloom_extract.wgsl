// Bloom extract: keeps what is brighter than a level, with a quadratic knee.
struct Extract {
    level: f32,
    knee: f32,
    intensity: f32,
}

@group(0) @binding(0) var<uniform> extract: Extract;
@group(0) @binding(1) var hdr: texture_2d<f32>;
@group(0) @binding(2) var hdr_sampler: sampler;

@fragment
fn main(@location(0) uv: vec2<f32>) -> @location(0) vec4<f32> {
    let c = textureSample(hdr, hdr_sampler, uv);
    let bright = max(c.r, max(c.g, c.b));
    var soft = clamp(bright - extract.level + extract.knee, 0.0, 2.0 * extract.knee);
    soft = soft * soft / (4.0 * extract.knee + 0.0001);
    let part = max(soft, bright - extract.level) / max(bright, 0.0001);
    return vec4<f32>(c.rgb * part * extract.intensity, c.a);
}
