// Colour matrix: a 4 by 5 matrix applied to colours that are not premultiplied.
struct ColorMatrix {
    matrix: mat4x4<f32>,
    offset: vec4<f32>,
}

@group(0) @binding(0) var<uniform> transform: ColorMatrix;
@group(0) @binding(1) var image: texture_2d<f32>;
@group(0) @binding(2) var image_sampler: sampler;

@fragment
fn fs_main(@location(0) uv: vec2<f32>) -> @location(0) vec4<f32> {
    let stored = textureSample(image, image_sampler, uv);
    let straight = vec4<f32>(stored.rgb / max(stored.a, 0.0001), stored.a);
    let changed = saturate(transform.matrix * straight + transform.offset);
    return vec4<f32>(changed.rgb * changed.a, changed.a);
}
