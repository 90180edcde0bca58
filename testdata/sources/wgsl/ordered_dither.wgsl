// Ordered dither: a constant Bayer matrix, and the picture loaded by whole pixels.
struct Dither {
    levels: f32,
    scale: i32,
    dark: vec3<f32>,
    bright: vec3<f32>,
}

@group(0) @binding(0) var<uniform> dither: Dither;
@group(0) @binding(1) var picture: texture_2d<f32>;

const BAYER = array<i32, 16>(
    0, 8, 2, 10,
    12, 4, 14, 6,
    3, 11, 1, 9,
    15, 7, 13, 5,
);

fn bayer(at: vec2<i32>) -> f32 {
    let wrapped = at & vec2<i32>(3);
    let index = wrapped.y * 4 + wrapped.x;
    return (f32(BAYER[index]) + 0.5) / 16.0;
}

@vertex
fn vs_main(@builtin(vertex_index) index: u32) -> @builtin(position) vec4<f32> {
    const POSITIONS = array<vec2<f32>, 3>(vec2<f32>(-1.0, -1.0), vec2<f32>(3.0, -1.0), vec2<f32>(-1.0, 3.0));
    return vec4<f32>(POSITIONS[index], 0.0, 1.0);
}

@fragment
fn fs_main(@builtin(position) position: vec4<f32>) -> @location(0) vec4<f32> {
    let pixel = vec2<i32>(position.xy) / dither.scale;
    let c = textureLoad(picture, pixel * dither.scale, 0);
    let grey = dot(c.rgb, vec3<f32>(0.2126, 0.7152, 0.0722)) * dither.levels;
    var step_index = floor(grey);
    if fract(grey) > bayer(pixel) {
        step_index += 1.0;
    }
    return vec4<f32>(mix(dither.dark, dither.bright, step_index / dither.levels), c.a);
}
