struct Transform {
    clip: mat4x4<f32>,
    world: mat3x4<f32>,
    eye: vec4<f32>,
}

struct Vertex {
    @location(0) position: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) uv: vec2<f32>,
}

struct Varyings {
    @builtin(position) clip_position: vec4<f32>,
    @location(0) to_eye: vec4<f32>,
    @location(1) world_normal: vec4<f32>,
    @location(2) uv: vec4<f32>,
}

struct Material {
    to_light: vec3<f32>,
    shininess: f32,
    light: vec3<f32>,
    ambient: vec3<f32>,
    opacity: f32,
}

@group(0) @binding(0) var<uniform> transform: Transform;
@group(0) @binding(1) var<uniform> material: Material;
@group(1) @binding(0) var surface: texture_2d<f32>;
@group(1) @binding(1) var surface_sampler: sampler;

@vertex
fn vs_main(vertex: Vertex) -> Varyings {
    let position = vec4<f32>(vertex.position, 1.0);
    let world_normal = vec4<f32>(vertex.normal * mat3x3<f32>(transform.world[0].xyz, transform.world[1].xyz, transform.world[2].xyz), 1.0);
    return Varyings(position * transform.clip, transform.eye - vec4<f32>(position * transform.world, 1.0), world_normal, vec4<f32>(vertex.uv, 0.0, 1.0));
}

@fragment
fn fs_main(@location(0) to_eye: vec4<f32>, @location(1) world_normal: vec4<f32>, @location(2) uv: vec4<f32>) -> @location(0) vec4<f32> {
    let n = world_normal.xyz * inverseSqrt(max(dot(world_normal.xyz, world_normal.xyz), 1e-37));
    let e = to_eye.xyz * inverseSqrt(max(dot(to_eye.xyz, to_eye.xyz), 1e-37));
    let diffuse = dot(n, material.to_light);
    let highlight = pow(saturate(dot((n * (diffuse + diffuse)) - material.to_light, e)), material.shininess);
    let lit = textureSample(surface, surface_sampler, uv.xy);
    let lit_1 = (lit.xyz * ((material.light * saturate(diffuse)) + material.ambient)) + (material.light * select(highlight, 1.0, material.shininess == 0.0));
    return vec4<f32>(lit_1, lit.w * material.opacity);
}
