// Blur: one direction of a Gaussian of nine pixels, with five linear reads.
struct Blur {
    step_near: vec2<f32>,
    step_far: vec2<f32>,
    weights: vec3<f32>,
}

@group(0) @binding(0) var<uniform> blur: Blur;
@group(0) @binding(1) var layer: texture_2d<f32>;
@group(0) @binding(2) var linear: sampler;

@fragment
fn main(@location(0) uv: vec2<f32>) -> @location(0) vec4<f32> {
    var sum = textureSample(layer, linear, uv) * blur.weights.x;
    sum += textureSample(layer, linear, uv + blur.step_near) * blur.weights.y;
    sum += textureSample(layer, linear, uv - blur.step_near) * blur.weights.y;
    sum += textureSample(layer, linear, uv + blur.step_far) * blur.weights.z;
    sum += textureSample(layer, linear, uv - blur.step_far) * blur.weights.z;
    return sum;
}
