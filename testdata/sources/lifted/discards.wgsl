// A discard before a sample is done at the end; a second one, which nothing follows that needs neighbours, at once.
@group(0) @binding(0) var image: texture_2d<f32>;
@group(0) @binding(1) var image_sampler: sampler;

@fragment
fn main(@location(0) uv: vec2<f32>) -> @location(0) vec4<f32> {
    if (uv.x < 0.0) {
        discard;
    }
    let colour = textureSample(image, image_sampler, uv);
    if (colour.a < 0.5) {
        discard;
    }
    return colour;
}
