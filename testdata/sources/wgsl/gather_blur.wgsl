// A blur of four gathers: sixteen texels of each component with a weight for each gather.
@group(0) @binding(0) var<uniform> texel: vec2<f32>;
@group(0) @binding(1) var picture: texture_2d<f32>;
@group(0) @binding(2) var picture_sampler: sampler;

fn mean(four: vec4<f32>) -> f32 {
    return dot(four, vec4(0.25));
}

@fragment
fn main(@location(0) uv: vec2<f32>) -> @location(0) vec4<f32> {
    var sum = vec4(0.0);
    for (var i = 0; i < 4; i++) {
        let corner = vec2(f32(i & 1), f32(i >> 1u)) * 2.0 - 1.0;
        let at = uv + corner * texel;
        let red = mean(textureGather(0, picture, picture_sampler, at));
        let green = mean(textureGather(1, picture, picture_sampler, at));
        let blue = mean(textureGather(2, picture, picture_sampler, at));
        let alpha = mean(textureGather(3, picture, picture_sampler, at));
        sum += vec4(red, green, blue, alpha) * 0.25;
    }
    return sum;
}
