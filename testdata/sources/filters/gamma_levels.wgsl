// Levels: input and output range of each channel, with a gamma of its own.
struct Levels {
    in_low: vec3<f32>,
    in_high: vec3<f32>,
    gamma: vec3<f32>,
    out_low: vec3<f32>,
    out_high: vec3<f32>,
}

@group(0) @binding(0) var<uniform> levels: Levels;
@group(0) @binding(1) var negative: texture_2d<f32>;
@group(0) @binding(2) var negative_sampler: sampler;

@fragment
fn main(@location(0) uv: vec2<f32>) -> @location(0) vec4<f32> {
    let c = textureSample(negative, negative_sampler, uv);
    let unit = saturate((c.rgb - levels.in_low) / (levels.in_high - levels.in_low));
    let bent = exp2(log2(max(unit, vec3<f32>(0.00001))) * levels.gamma);
    return vec4<f32>(levels.out_low + bent * (levels.out_high - levels.out_low), c.a);
}
