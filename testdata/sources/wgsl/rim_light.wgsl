// Rim light: a Fresnel edge over half-Lambert shading, with vertex colours.
struct Rim {
    world: mat4x4<f32>,
    view: mat4x4<f32>,
    projection: mat4x4<f32>,
    color: vec4<f32>,
    power: f32,
    bias: f32,
}

@group(0) @binding(0) var<uniform> rim: Rim;

struct Out {
    @builtin(position) clip: vec4<f32>,
    @location(0) view_normal: vec3<f32>,
    @location(1) view_place: vec3<f32>,
    @location(2) tint: vec3<f32>,
}

@vertex
fn vs_main(@location(0) place: vec3<f32>, @location(1) normal: vec3<f32>, @location(2) tint: vec3<f32>) -> Out {
    let model_view = rim.view * rim.world;
    let upper = mat3x3<f32>(model_view[0].xyz, model_view[1].xyz, model_view[2].xyz);
    let seen = model_view * vec4<f32>(place, 1.0);
    var out: Out;
    out.clip = rim.projection * seen;
    out.view_normal = upper * normal;
    out.view_place = seen.xyz;
    out.tint = tint;
    return out;
}

@fragment
fn fs_main(in: Out) -> @location(0) vec4<f32> {
    let n = normalize(in.view_normal);
    let v = normalize(-in.view_place);
    let half_lambert = pow(n.y * 0.5 + 0.5, 2.0);
    let fresnel = rim.bias + (1.0 - rim.bias) * pow(1.0 - saturate(dot(n, v)), rim.power);
    return vec4<f32>(in.tint * half_lambert + rim.color.rgb * (fresnel * rim.color.a), 1.0);
}
