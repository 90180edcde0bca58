// Glass: reflection and refraction of a cube map, with the three colours bent differently.
struct Glass {
    model_view_projection: mat4x4<f32>,
    model: mat4x4<f32>,
    eye: vec3<f32>,
    index: f32,
    tint: vec3<f32>,
    dispersion: f32,
}

@group(0) @binding(0) var<uniform> glass: Glass;
@group(0) @binding(1) var room: texture_cube<f32>;
@group(0) @binding(2) var room_sampler: sampler;

struct Rays {
    @builtin(position) position: vec4<f32>,
    @location(0) incident: vec3<f32>,
    @location(1) normal: vec3<f32>,
}

@vertex
fn vs_main(@location(0) position: vec4<f32>, @location(1) normal: vec3<f32>) -> Rays {
    let world = glass.model * position;
    return Rays(
        glass.model_view_projection * position,
        world.xyz - glass.eye,
        (glass.model * vec4<f32>(normal, 0.0)).xyz,
    );
}

fn bent(i: vec3<f32>, n: vec3<f32>, eta: f32) -> vec3<f32> {
    let r = refract(i, n, eta);
    return textureSample(room, room_sampler, select(r, reflect(i, n), dot(r, r) == 0.0)).rgb;
}

@fragment
fn fs_main(rays: Rays) -> @location(0) vec4<f32> {
    let i = normalize(rays.incident);
    let n = faceForward(normalize(rays.normal), i, normalize(rays.normal));
    let eta = 1.0 / glass.index;
    let through = vec3<f32>(
        bent(i, n, eta - glass.dispersion).r,
        bent(i, n, eta).g,
        bent(i, n, eta + glass.dispersion).b,
    );
    let mirrored = textureSample(room, room_sampler, reflect(i, n)).rgb;
    let facing = 1.0 + dot(i, n);
    let fresnel = mix(0.05, 1.0, facing * facing * facing);
    return vec4<f32>(mix(through * glass.tint, mirrored, fresnel), 1.0);
}
