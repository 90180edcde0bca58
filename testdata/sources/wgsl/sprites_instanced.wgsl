// Instanced sprites: six vertices a quad, with rotation and a frame of a sheet per instance.
struct Camera {
    view: mat3x3<f32>,
    sheet_size: vec2<f32>,
}

struct Instance {
    @location(0) position: vec2<f32>,
    @location(1) size: vec2<f32>,
    @location(2) angle: f32,
    @location(3) frame: u32,
    @location(4) color: vec4<f32>,
}

struct Varyings {
    @builtin(position) clip: vec4<f32>,
    @location(0) uv: vec2<f32>,
    @location(1) color: vec4<f32>,
}

@group(0) @binding(0) var<uniform> camera: Camera;
@group(1) @binding(0) var sheet: texture_2d<f32>;
@group(1) @binding(1) var sheet_sampler: sampler;

const CORNERS = array<vec2<f32>, 6>(
    vec2<f32>(0.0, 0.0), vec2<f32>(1.0, 0.0), vec2<f32>(0.0, 1.0),
    vec2<f32>(0.0, 1.0), vec2<f32>(1.0, 0.0), vec2<f32>(1.0, 1.0),
);

fn rotation(angle: f32) -> mat2x2<f32> {
    let s = sin(angle);
    let c = cos(angle);
    return mat2x2<f32>(c, s, -s, c);
}

@vertex
fn vs_main(@builtin(vertex_index) index: u32, sprite: Instance) -> Varyings {
    var corners = CORNERS;
    let corner = corners[index % 6u];
    let local = rotation(sprite.angle) * ((corner - 0.5) * sprite.size);
    let world = camera.view * vec3<f32>(local + sprite.position, 1.0);
    let columns = u32(camera.sheet_size.x);
    let cell = vec2<f32>(f32(sprite.frame % columns), f32(sprite.frame / columns));
    var result: Varyings;
    result.clip = vec4<f32>(world.xy, 0.0, 1.0);
    result.uv = (cell + corner) / camera.sheet_size;
    result.color = sprite.color;
    return result;
}

@fragment
fn fs_main(in: Varyings) -> @location(0) vec4<f32> {
    let texel = textureSample(sheet, sheet_sampler, in.uv);
    if texel.a * in.color.a < 0.004 {
        discard;
    }
    return texel * in.color;
}
