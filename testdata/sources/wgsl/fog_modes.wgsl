// Fog: linear, exponential or height fog over a scene, chosen by a switch with the default in the middle.
struct Fog {
    color: vec4<f32>,
    near: f32,
    far: f32,
    density: f32,
    height: f32,
    mode: i32,
    eye_height: f32,
}

@group(0) @binding(0) var<uniform> fog: Fog;
@group(0) @binding(1) var scene: texture_2d<f32>;
@group(0) @binding(2) var depth: texture_2d<f32>;
@group(0) @binding(3) var point_sampler: sampler;

struct Quad {
    @builtin(position) position: vec4<f32>,
    @location(0) uv: vec2<f32>,
}

@vertex
fn vs_main(@builtin(vertex_index) index: u32) -> Quad {
    let uv = vec2<f32>(vec2<u32>(index & 1u, index >> 1u)) * 2.0;
    return Quad(vec4<f32>(uv * vec2<f32>(2.0, -2.0) + vec2<f32>(-1.0, 1.0), 0.5, 1.0), uv);
}

fn amount(far_away: f32, up: f32) -> f32 {
    var result = 0.0;
    switch fog.mode {
        case 1, 4: {
            let d = far_away * fog.density;
            result = 1.0 - exp(-d * d);
            if fog.mode == 1 {
                break;
            }
            result *= 0.5;
        }
        default: {
            return 0.0;
        }
        case 0: {
            result = (far_away - fog.near) / (fog.far - fog.near);
        }
        case 2, 3, 5: {
            let low = exp(-max(fog.eye_height + up * far_away, 0.0) / fog.height);
            result = (1.0 - exp(-far_away * fog.density)) * low;
        }
    }
    return saturate(result);
}

@fragment
fn fs_main(in: Quad) -> @location(0) vec4<f32> {
    let color = textureSample(scene, point_sampler, in.uv);
    let far_away = textureSample(depth, point_sampler, in.uv).r * fog.far;
    return mix(color, fog.color, amount(far_away, 0.5 - in.uv.y) * fog.color.a);
}
