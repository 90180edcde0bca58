// Toon: bands of light, a hard highlight, and ink at the silhouette.
struct Toon {
    mvp: mat4x4<f32>,
    light_dir: vec3<f32>,
    bands: u32,
    ink: vec4<f32>,
    paint: vec4<f32>,
}

@group(0) @binding(0) var<uniform> toon: Toon;

struct Fragment {
    @builtin(position) position: vec4<f32>,
    @location(0) normal: vec3<f32>,
    @location(1) view: vec3<f32>,
}

@vertex
fn vs_main(@location(0) position: vec3<f32>, @location(1) normal: vec3<f32>, @location(2) eye: vec3<f32>) -> Fragment {
    var out: Fragment;
    out.position = toon.mvp * vec4<f32>(position, 1.0);
    out.normal = normal;
    out.view = eye - position;
    return out;
}

fn band(value: f32) -> f32 {
    let count = clamp(toon.bands, 1u, 8u);
    for (var i = count; i > 0u; i -= 1u) {
        let edge = f32(i) / f32(count + 1u);
        if value > edge {
            return f32(i) / f32(count);
        }
    }
    return 0.15;
}

@fragment
fn fs_main(in: Fragment, @builtin(front_facing) front: bool) -> @location(0) vec4<f32> {
    let n = normalize(select(-in.normal, in.normal, front));
    let v = normalize(in.view);
    if dot(n, v) < 0.25 {
        return toon.ink;
    }
    let shade = band(dot(n, -toon.light_dir) * 0.5 + 0.5);
    let h = normalize(v - toon.light_dir);
    var color = toon.paint.rgb * shade;
    if pow(max(dot(n, h), 0.0), 64.0) > 0.5 {
        color += vec3<f32>(0.4);
    }
    return vec4<f32>(color, toon.paint.a);
}
