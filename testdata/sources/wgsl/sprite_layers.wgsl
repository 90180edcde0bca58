// Sprites whose pictures are the layers of one array: a frame of an animation and the next one are mixed.
struct Animation {
    speed: f32,
    time: f32,
    first: u32,
    tint: vec4<f32>,
}

@group(0) @binding(0) var<uniform> animation: Animation;
@group(0) @binding(1) var frames: texture_2d_array<f32>;
@group(0) @binding(2) var smooth_sampler: sampler;
@group(0) @binding(3) var skies: texture_cube_array<f32>;

@fragment
fn main(@location(0) uv: vec2<f32>, @location(1) ray: vec3<f32>) -> @location(0) vec4<f32> {
    let count = textureNumLayers(frames);
    let frame = animation.time * animation.speed;
    let now = (u32(max(frame, 0.0)) + animation.first) % count;
    let next = (now + 1u) % count;
    let a = textureSample(frames, smooth_sampler, uv, now);
    let b = textureSampleLevel(frames, smooth_sampler, uv, next, 1.0);
    let c = textureSampleGrad(frames, smooth_sampler, uv, i32(now), vec2(0.01, 0.0), vec2(0.0, 0.01));
    let d = textureLoad(frames, vec2<i32>(abs(uv) * 3.0), 1, 0);
    let sky = textureSampleLevel(skies, smooth_sampler, ray, 1, 0.0);
    let sprite = mix(a, b, fract(frame)) * 0.5 + c * 0.3 + d * 0.2;
    return mix(sky, sprite * animation.tint, sprite.a);
}
