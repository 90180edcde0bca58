// Snow: points that drift with the wind and wrap around in a box before the camera.
struct Weather {
    view_projection: mat4x4<f32>,
    wind: vec3<f32>,
    time: f32,
    box_min: vec3<f32>,
    flake_size: f32,
    box_size: vec3<f32>,
    aspect: f32,
}

@group(0) @binding(0) var<uniform> weather: Weather;

struct Flake {
    @builtin(position) position: vec4<f32>,
    @location(0) at: vec2<f32>,
    @location(1) @interpolate(flat) shape: i32,
}

fn wrap(p: vec3<f32>) -> vec3<f32> {
    let relative = (p - weather.box_min) / weather.box_size;
    return weather.box_min + fract(relative) * weather.box_size;
}

@vertex
fn vs_main(@location(0) seed: vec4<f32>, @builtin(vertex_index) v: u32) -> Flake {
    let sway = vec3<f32>(sin(weather.time * seed.w + seed.x), 0.0, cos(weather.time * seed.w * 0.7 + seed.z)) * 0.3;
    let p = wrap(seed.xyz + weather.wind * weather.time + sway);
    var clip = weather.view_projection * vec4<f32>(p, 1.0);
    var corner = vec2<f32>(-1.0, -1.0);
    if v % 4u == 1u || v % 4u == 3u {
        corner.x = 1.0;
    }
    if v % 4u >= 2u {
        corner.y = 1.0;
    }
    clip = vec4<f32>(clip.xy + corner * vec2<f32>(1.0, weather.aspect) * weather.flake_size, clip.zw);
    return Flake(clip, corner, i32(seed.w * 10.0) % 3);
}

@fragment
fn fs_main(flake: Flake) -> @location(0) vec4<f32> {
    var cover = 0.0;
    let r = length(flake.at);
    switch flake.shape {
        case 0: {
            cover = 1.0 - smoothstep(0.6, 1.0, r);
        }
        case 1: {
            let turn = atan2(flake.at.y, flake.at.x);
            cover = step(r, 0.5 + 0.4 * cos(6.0 * turn));
        }
        default: {
            cover = max(0.0, 1.0 - abs(flake.at.x) - abs(flake.at.y));
        }
    }
    return vec4<f32>(cover);
}
