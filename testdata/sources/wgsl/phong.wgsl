// Phong: one point light with attenuation on a textured mesh.
struct Scene {
    model: mat4x4<f32>,
    view_projection: mat4x4<f32>,
    normal_matrix: mat3x3<f32>,
    eye: vec3<f32>,
    light: vec3<f32>,
    light_color: vec3<f32>,
    shininess: f32,
}

@group(0) @binding(0) var<uniform> scene: Scene;
@group(0) @binding(1) var albedo: texture_2d<f32>;
@group(0) @binding(2) var albedo_sampler: sampler;

struct VertexOut {
    @builtin(position) position: vec4<f32>,
    @location(0) world: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) uv: vec2<f32>,
}

@vertex
fn vs(@location(0) position: vec3<f32>, @location(1) normal: vec3<f32>, @location(2) uv: vec2<f32>) -> VertexOut {
    let world = scene.model * vec4<f32>(position, 1.0);
    return VertexOut(scene.view_projection * world, world.xyz, scene.normal_matrix * normal, uv);
}

fn specular(n: vec3<f32>, to_light: vec3<f32>, to_eye: vec3<f32>) -> f32 {
    if dot(n, to_light) <= 0.0 {
        return 0.0;
    }
    let mirrored = reflect(-to_light, n);
    return pow(max(dot(mirrored, to_eye), 0.0), scene.shininess);
}

@fragment
fn fs(in: VertexOut) -> @location(0) vec4<f32> {
    let base = textureSample(albedo, albedo_sampler, in.uv);
    let n = normalize(in.normal);
    let delta = scene.light - in.world;
    let far = length(delta);
    let to_light = delta / far;
    let attenuation = 1.0 / (1.0 + 0.09 * far + 0.032 * far * far);
    let diffuse = max(dot(n, to_light), 0.0);
    let shine = specular(n, to_light, normalize(scene.eye - in.world));
    let lit = base.rgb * (0.08 + diffuse * attenuation) + scene.light_color * shine * attenuation;
    return vec4<f32>(lit, base.a);
}
