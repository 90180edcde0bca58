// Marble: gradient noise in three dimensions bends the veins of a stone.
struct Stone {
    mvp: mat4x4<f32>,
    vein: vec4<f32>,
    ground: vec4<f32>,
    turbulence: f32,
    frequency: f32,
}

@group(0) @binding(0) var<uniform> stone: Stone;

struct V {
    @builtin(position) position: vec4<f32>,
    @location(0) local: vec3<f32>,
}

@vertex
fn vs(@location(0) position: vec4<f32>) -> V {
    var v: V;
    v.position = stone.mvp * position;
    v.local = position.xyz / position.w;
    return v;
}

fn gradient(cell: vec3<f32>) -> vec3<f32> {
    let q = vec3<f32>(
        dot(cell, vec3<f32>(127.1, 311.7, 74.7)),
        dot(cell, vec3<f32>(269.5, 183.3, 246.1)),
        dot(cell, vec3<f32>(113.5, 271.9, 124.6)),
    );
    return fract(sin(q) * 43758.547) * 2.0 - 1.0;
}

fn noise(p: vec3<f32>) -> f32 {
    let i = floor(p);
    let f = p - i;
    let u = f * f * f * (f * (f * 6.0 - 15.0) + 10.0);
    var corners: array<f32, 8>;
    for (var k = 0u; k < 8u; k++) {
        let o = vec3<f32>(f32(k & 1u), f32((k >> 1u) & 1u), f32(k >> 2u));
        corners[k] = dot(gradient(i + o), f - o);
    }
    let x00 = mix(corners[0], corners[1], u.x);
    let x10 = mix(corners[2], corners[3], u.x);
    let x01 = mix(corners[4], corners[5], u.x);
    let x11 = mix(corners[6], corners[7], u.x);
    return mix(mix(x00, x10, u.y), mix(x01, x11, u.y), u.z);
}

@fragment
fn fs(in: V) -> @location(0) vec4<f32> {
    var sum = 0.0;
    var size = 1.0;
    for (var octave = 0; octave < 4; octave++) {
        sum += abs(noise(in.local * size * 3.0)) / size;
        size += size;
    }
    let t = sin((in.local.x + sum * stone.turbulence) * stone.frequency) * 0.5 + 0.5;
    return mix(stone.ground, stone.vein, pow(t, 3.0));
}
