// Hit flash: a sprite flashes in a colour when its bearer is hit, else it is tinted.
struct Flash {
    color: vec3<f32>,
    remaining: f32,
}

@group(0) @binding(0) var<uniform> flash: Flash;
@group(0) @binding(1) var sheet: texture_2d<f32>;
@group(0) @binding(2) var sheet_sampler: sampler;

@fragment
fn main(@location(0) uv: vec2<f32>, @location(1) color: vec4<f32>) -> @location(0) vec4<f32> {
    let texel = textureSample(sheet, sheet_sampler, uv);
    let plain = texel * color;
    let white = vec4<f32>(flash.color * texel.a, texel.a) * color.a;
    let pulse = flash.remaining * (0.5 + 0.5 * cos(flash.remaining * 25.132741));
    return select(plain, mix(plain, white, pulse), flash.remaining > 0.0);
}
