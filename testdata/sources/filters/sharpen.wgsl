// Sharpen: adds the difference between a pixel and its four neighbours.
struct Sharpen {
    texel: vec2<f32>,
    amount: f32,
    limit: f32,
}

@group(0) @binding(0) var<uniform> sharpen: Sharpen;
@group(0) @binding(1) var photo: texture_2d<f32>;
@group(0) @binding(2) var photo_sampler: sampler;

fn at(uv: vec2<f32>, dx: f32, dy: f32) -> vec3<f32> {
    return textureSample(photo, photo_sampler, uv + sharpen.texel * vec2<f32>(dx, dy)).rgb;
}

@fragment
fn main(@location(0) uv: vec2<f32>) -> @location(0) vec4<f32> {
    let middle = textureSample(photo, photo_sampler, uv);
    let around = at(uv, -1.0, 0.0) + at(uv, 1.0, 0.0) + at(uv, 0.0, -1.0) + at(uv, 0.0, 1.0);
    let detail = clamp(middle.rgb - around * 0.25, vec3<f32>(-sharpen.limit), vec3<f32>(sharpen.limit));
    return vec4<f32>(max(middle.rgb + detail * sharpen.amount, vec3<f32>(0.0)), middle.a);
}
