// Uniforms: a structure of floats with an array of structures, one with ints, and a variable of its own.
struct Light {
    position: vec3<f32>,
    power: f32,
    colour: vec3<f32>,
}

struct Scene {
    view: mat4x4<f32>,
    time: f32,
    size: vec2<f32>,
    lights: array<Light, 3>,
}

struct Mode {
    count: i32,
    tint: vec3<f32>,
}

@group(0) @binding(0) var<uniform> scene: Scene;
@group(0) @binding(1) var<uniform> mode: Mode;
@group(0) @binding(2) var<uniform> fade: f32;
@group(1) @binding(0) var skin: texture_2d<f32>;
@group(1) @binding(1) var smooth_sampler: sampler;
@group(1) @binding(2) var sharp_sampler: sampler;

@vertex
fn vertex(@location(0) position: vec3<f32>) -> @builtin(position) vec4<f32> {
    return scene.view * vec4(position, 1.0);
}

@fragment
fn fragment(@builtin(position) at: vec4<f32>) -> @location(0) vec3<f32> {
    let uv = at.xy / scene.size;
    var light = textureSample(skin, smooth_sampler, uv).rgb + textureSampleLevel(skin, sharp_sampler, uv, 0.0).rgb;
    for (var i = 0; i < mode.count; i++) {
        light += scene.lights[i].colour * scene.lights[i].power;
    }
    return light * mode.tint * fade + scene.lights[1].position * scene.time;
}
