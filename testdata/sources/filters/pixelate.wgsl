// Pixelate: shows every block of pixels in the colour of its centre.
struct Blocks {
    count: vec2<f32>,
    inverse_count: vec2<f32>,
}

@group(0) @binding(0) var<uniform> blocks: Blocks;
@group(0) @binding(1) var tex: texture_2d<f32>;
@group(0) @binding(2) var smp: sampler;

@fragment
fn main(@location(0) uv: vec2<f32>) -> @location(0) vec4<f32> {
    let cell = floor(uv * blocks.count);
    return textureSample(tex, smp, (cell + vec2<f32>(0.5)) * blocks.inverse_count);
}
