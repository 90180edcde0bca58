@group(0) @binding(0) var picture: texture_2d<f32>;
@group(0) @binding(1) var near: sampler;

@fragment
fn main(@location(0) uv: vec2<f32>) -> @location(0) vec4<f32> {
    let a = textureSample(picture, near, uv, vec2(8, 0)); //~ SDLSHADERBC has no operation for samples with an offset outside -8 to 7, or with any offset in a cube texture
    let b = textureGather(1, picture, near, uv, vec2(0, -9)); //~ SDLSHADERBC has no operation for samples with an offset outside -8 to 7, or with any offset in a cube texture
    return a + b;
}
