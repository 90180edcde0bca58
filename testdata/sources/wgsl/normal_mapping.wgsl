// Normal mapping: a tangent frame from derivatives, and one directional light.
struct Frame {
    mvp: mat4x4<f32>,
    sun: vec3<f32>,
    strength: f32,
}

@group(0) @binding(0) var<uniform> frame: Frame;
@group(1) @binding(0) var color_map: texture_2d<f32>;
@group(1) @binding(1) var normal_map: texture_2d<f32>;
@group(1) @binding(2) var maps: sampler;

struct Surface {
    @builtin(position) position: vec4<f32>,
    @location(0) place: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) uv: vec2<f32>,
}

@vertex
fn vs_main(@location(0) p: vec3<f32>, @location(1) n: vec3<f32>, @location(2) uv: vec2<f32>) -> Surface {
    return Surface(frame.mvp * vec4<f32>(p, 1.0), p, n, uv);
}

fn cotangent_frame(n: vec3<f32>, p: vec3<f32>, uv: vec2<f32>) -> mat3x3<f32> {
    let dp1 = dpdx(p);
    let dp2 = dpdy(p);
    let duv1 = dpdx(uv);
    let duv2 = dpdy(uv);
    let perp2 = cross(dp2, n);
    let perp1 = cross(n, dp1);
    let t = perp2 * duv1.x + perp1 * duv2.x;
    let b = perp2 * duv1.y + perp1 * duv2.y;
    let scale = inverseSqrt(max(dot(t, t), dot(b, b)));
    return mat3x3<f32>(t * scale, b * scale, n);
}

@fragment
fn fs_main(in: Surface) -> @location(0) vec4<f32> {
    let tbn = cotangent_frame(normalize(in.normal), in.place, in.uv);
    var bump = textureSample(normal_map, maps, in.uv).xyz * 2.0 - 1.0;
    bump.x *= frame.strength;
    bump.y *= frame.strength;
    let n = normalize(tbn * bump);
    let light = max(dot(n, -frame.sun), 0.0);
    return textureSample(color_map, maps, in.uv) * vec4<f32>(vec3<f32>(0.1 + 0.9 * light), 1.0);
}
