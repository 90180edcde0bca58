// A frame of a video, sampled, read by texel, and measured.

@group(0) @binding(0) var linear: sampler;
@group(0) @binding(1) var frame: texture_external;
@group(0) @binding(2) var picture: texture_2d<f32>;

@fragment
fn main(@location(0) place: vec2<f32>) -> @location(0) vec4<f32> {
    let texel = vec2<u32>(place * vec2<f32>(textureDimensions(frame)));
    return textureSampleBaseClampToEdge(frame, linear, place)
        + textureSampleBaseClampToEdge(picture, linear, place)
        + textureLoad(frame, texel);
}
