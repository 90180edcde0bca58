// Wave: the picture swims as if seen through moving water.
struct Wave {
    amplitude: vec2<f32>,
    frequency: vec2<f32>,
    phase: f32,
}

@group(0) @binding(0) var<uniform> wave: Wave;
@group(0) @binding(1) var scene: texture_2d<f32>;
@group(0) @binding(2) var scene_sampler: sampler;

@fragment
fn main(@location(0) uv: vec2<f32>) -> @location(0) vec4<f32> {
    var p = uv;
    p.x += sin(uv.y * wave.frequency.y + wave.phase) * wave.amplitude.x;
    p.y += cos(uv.x * wave.frequency.x - wave.phase * 0.7) * wave.amplitude.y;
    let inside = step(vec2<f32>(0.0), p) * step(p, vec2<f32>(1.0));
    return textureSample(scene, scene_sampler, p) * inside.x * inside.y;
}
