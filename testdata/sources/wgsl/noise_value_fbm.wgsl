// Clouds: fractal sums of value noise with an integer hash, on a moving plane.
struct Sky {
    scroll: vec2<f32>,
    scale: f32,
    octaves: u32,
    cover: f32,
    sharpness: f32,
    zenith: vec3<f32>,
    horizon: vec3<f32>,
}

@group(0) @binding(0) var<uniform> sky: Sky;

fn lattice(cell: vec2<i32>) -> f32 {
    var h = (u32(cell.x) * 0x27d4eb2du) ^ (u32(cell.y) * 0x165667b1u);
    h ^= h >> 15u;
    h *= 0x85ebca77u;
    h ^= h >> 13u;
    return f32(h >> 8u) * (1.0 / 16777216.0);
}

fn value_noise(p: vec2<f32>) -> f32 {
    let base = floor(p);
    let cell = vec2<i32>(base);
    let f = p - base;
    let w = f * f * (3.0 - 2.0 * f);
    let bottom = mix(lattice(cell), lattice(cell + vec2<i32>(1, 0)), w.x);
    let top = mix(lattice(cell + vec2<i32>(0, 1)), lattice(cell + vec2<i32>(1, 1)), w.x);
    return mix(bottom, top, w.y);
}

fn fbm(start: vec2<f32>) -> f32 {
    var p = start;
    var sum = 0.0;
    var amplitude = 0.5;
    let turn = mat2x2<f32>(0.8, 0.6, -0.6, 0.8);
    for (var i = 0u; i < sky.octaves; i++) {
        sum += amplitude * value_noise(p);
        p = turn * p * 2.03;
        amplitude *= 0.5;
    }
    return sum;
}

@fragment
fn main(@location(0) uv: vec2<f32>) -> @location(0) vec4<f32> {
    let p = uv * sky.scale + sky.scroll;
    let warped = p + vec2<f32>(fbm(p + 1.7), fbm(p + 9.2));
    let density = saturate((fbm(warped) - 1.0 + sky.cover) * sky.sharpness);
    let background = mix(sky.horizon, sky.zenith, uv.y);
    return vec4<f32>(mix(background, vec3<f32>(1.0), density), 1.0);
}
