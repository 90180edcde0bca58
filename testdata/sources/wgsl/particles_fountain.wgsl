// Fountain: particles placed by hashes of their index, without any vertex buffer.
struct Emitter {
    view_projection: mat4x4<f32>,
    right: vec3<f32>,
    time: f32,
    up: vec3<f32>,
    life: f32,
    origin: vec3<f32>,
    gravity: f32,
}

@group(0) @binding(0) var<uniform> emitter: Emitter;

fn hash(value: u32) -> u32 {
    var x = value * 747796405u + 2891336453u;
    x = ((x >> ((x >> 28u) + 4u)) ^ x) * 277803737u;
    return (x >> 22u) ^ x;
}

fn random(state: ptr<function, u32>) -> f32 {
    *state = hash(*state);
    return f32(*state & 0xffffffu) / 16777216.0;
}

struct Drop {
    @builtin(position) position: vec4<f32>,
    @location(0) corner: vec2<f32>,
    @location(1) age: f32,
}

@vertex
fn vs_main(@builtin(vertex_index) vertex: u32, @builtin(instance_index) instance: u32) -> Drop {
    var state = instance ^ 0x9e3779b9u;
    let delay = random(&state) * emitter.life;
    let age = (emitter.time + delay) % emitter.life;
    let turn = random(&state) * 6.2831853;
    let spread = sqrt(random(&state)) * 1.5;
    let velocity = vec3<f32>(cos(turn) * spread, 6.0 + random(&state) * 2.0, sin(turn) * spread);
    let center = emitter.origin + velocity * age - vec3<f32>(0.0, 0.5 * emitter.gravity * age * age, 0.0);
    let corner = vec2<f32>(f32(vertex & 1u), f32((vertex >> 1u) & 1u)) * 2.0 - 1.0;
    let size = mix(0.05, 0.15, random(&state));
    let world = center + (emitter.right * corner.x + emitter.up * corner.y) * size;
    var out: Drop;
    out.position = emitter.view_projection * vec4<f32>(world, 1.0);
    out.corner = corner;
    out.age = age / emitter.life;
    return out;
}

@fragment
fn fs_main(drop: Drop) -> @location(0) vec4<f32> {
    let r = dot(drop.corner, drop.corner);
    if r > 1.0 {
        discard;
    }
    let alpha = (1.0 - r) * (1.0 - drop.age);
    return vec4<f32>(mix(vec3<f32>(0.8, 0.9, 1.0), vec3<f32>(0.1, 0.3, 0.8), drop.age) * alpha, alpha);
}
