// Box blur: the mean of a pixel and its eight neighbours, written out.
struct Box {
    texel: vec2<f32>,
    mixing: f32,
}

@group(0) @binding(0) var<uniform> box: Box;
@group(0) @binding(1) var t: texture_2d<f32>;
@group(0) @binding(2) var s: sampler;

@fragment
fn main(@location(0) uv: vec2<f32>) -> @location(0) vec4<f32> {
    let x = vec2<f32>(box.texel.x, 0.0);
    let y = vec2<f32>(0.0, box.texel.y);
    let center = textureSample(t, s, uv);
    let above = textureSample(t, s, uv - x - y) + textureSample(t, s, uv - y) + textureSample(t, s, uv + x - y);
    let beside = textureSample(t, s, uv - x) + textureSample(t, s, uv + x);
    let below = textureSample(t, s, uv - x + y) + textureSample(t, s, uv + y) + textureSample(t, s, uv + x + y);
    return mix(center, (center + above + beside + below) / 9.0, box.mixing);
}
