// Colour grading: a 3D table of colours, faded in, after an exposure and a white balance.
struct Grade {
    exposure: f32,
    amount: f32,
    table_size: f32,
    white: mat3x3<f32>,
}

@group(0) @binding(0) var<uniform> grade: Grade;
@group(0) @binding(1) var film: texture_2d<f32>;
@group(0) @binding(2) var table: texture_3d<f32>;
@group(0) @binding(3) var clamped: sampler;

fn encode(linear: vec3<f32>) -> vec3<f32> {
    let low = linear * 12.92;
    let high = 1.055 * pow(max(linear, vec3<f32>(0.0)), vec3<f32>(1.0 / 2.4)) - 0.055;
    return select(high, low, linear <= vec3<f32>(0.0031308));
}

@vertex
fn vs_main(@location(0) position: vec2<f32>, @location(1) uv: vec2<f32>) -> Screen {
    var screen: Screen;
    screen.position = vec4<f32>(position, 0.0, 1.0);
    screen.uv = uv;
    return screen;
}

struct Screen {
    @builtin(position) position: vec4<f32>,
    @location(0) uv: vec2<f32>,
}

@fragment
fn fs_main(screen: Screen) -> @location(0) vec4<f32> {
    let source = textureSample(film, clamped, screen.uv);
    let exposed = grade.white * source.rgb * exp2(grade.exposure);
    let encoded = saturate(encode(exposed));
    let inset = encoded * ((grade.table_size - 1.0) / grade.table_size) + 0.5 / grade.table_size;
    let graded = textureSample(table, clamped, inset).rgb;
    return vec4<f32>(mix(encoded, graded, grade.amount), source.a);
}
