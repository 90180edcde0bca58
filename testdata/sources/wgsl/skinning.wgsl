// Skinning: four bones a vertex from a palette of matrices with dynamic indices.
struct Palette {
    bones: array<mat4x4<f32>, 48>,
}

struct Camera {
    view_projection: mat4x4<f32>,
    light: vec3<f32>,
}

@group(0) @binding(0) var<uniform> camera: Camera;
@group(1) @binding(0) var<uniform> palette: Palette;
@group(2) @binding(0) var skin: texture_2d<f32>;
@group(2) @binding(1) var skin_sampler: sampler;

struct Vertex {
    @location(0) position: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) uv: vec2<f32>,
    @location(3) joints: vec4<u32>,
    @location(4) weights: vec4<f32>,
}

struct Skinned {
    @builtin(position) position: vec4<f32>,
    @location(0) normal: vec3<f32>,
    @location(1) uv: vec2<f32>,
}

@vertex
fn vs_main(v: Vertex) -> Skinned {
    var bone = palette.bones[v.joints.x] * v.weights.x;
    bone += palette.bones[v.joints.y] * v.weights.y;
    bone += palette.bones[v.joints.z] * v.weights.z;
    bone += palette.bones[v.joints.w] * v.weights.w;
    let upright = mat3x3<f32>(bone[0].xyz, bone[1].xyz, bone[2].xyz);
    var out: Skinned;
    out.position = camera.view_projection * (bone * vec4<f32>(v.position, 1.0));
    out.normal = normalize(upright * v.normal);
    out.uv = v.uv;
    return out;
}

@fragment
fn fs_main(in: Skinned) -> @location(0) vec4<f32> {
    let wrap = saturate(dot(in.normal, camera.light) * 0.6 + 0.4);
    return textureSample(skin, skin_sampler, in.uv) * vec4<f32>(wrap, wrap, wrap, 1.0);
}
