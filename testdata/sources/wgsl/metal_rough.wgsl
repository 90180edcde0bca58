// Metal and roughness: a microfacet BRDF with GGX, Smith and Schlick terms, and tone mapping.
struct Surface {
    base: vec4<f32>,
    metallic: f32,
    roughness: f32,
    exposure: f32,
    sun_direction: vec3<f32>,
    sun_color: vec3<f32>,
    sky_color: vec3<f32>,
    ground_color: vec3<f32>,
}

struct Transform {
    model: mat4x4<f32>,
    clip: mat4x4<f32>,
    eye: vec3<f32>,
}

@group(0) @binding(0) var<uniform> transform: Transform;
@group(1) @binding(0) var<uniform> surface: Surface;

const PI = 3.14159265;

struct Shaded {
    @builtin(position) position: vec4<f32>,
    @location(0) normal: vec3<f32>,
    @location(1) to_eye: vec3<f32>,
}

@vertex
fn vs_main(@location(0) position: vec3<f32>, @location(1) normal: vec3<f32>) -> Shaded {
    let world = transform.model * vec4<f32>(position, 1.0);
    var out: Shaded;
    out.position = transform.clip * world;
    out.normal = (transform.model * vec4<f32>(normal, 0.0)).xyz;
    out.to_eye = transform.eye - world.xyz;
    return out;
}

fn ggx(n_h: f32, alpha: f32) -> f32 {
    let a2 = alpha * alpha;
    let d = n_h * n_h * (a2 - 1.0) + 1.0;
    return a2 / (PI * d * d);
}

fn smith(n_v: f32, n_l: f32, alpha: f32) -> f32 {
    let k = alpha * 0.5;
    return 1.0 / ((n_v * (1.0 - k) + k) * (n_l * (1.0 - k) + k) * 4.0);
}

fn schlick(f0: vec3<f32>, v_h: f32) -> vec3<f32> {
    let m = 1.0 - v_h;
    let m2 = m * m;
    return f0 + (1.0 - f0) * (m2 * m2 * m);
}

fn tone_map(x: vec3<f32>) -> vec3<f32> {
    return saturate((x * (2.51 * x + 0.03)) / (x * (2.43 * x + 0.59) + 0.14));
}

@fragment
fn fs_main(in: Shaded) -> @location(0) vec4<f32> {
    let n = normalize(in.normal);
    let v = normalize(in.to_eye);
    let l = -surface.sun_direction;
    let h = normalize(l + v);
    let n_l = saturate(dot(n, l));
    let n_v = max(dot(n, v), 0.001);
    let alpha = max(surface.roughness * surface.roughness, 0.002);
    let f0 = mix(vec3<f32>(0.04), surface.base.rgb, surface.metallic);
    let f = schlick(f0, saturate(dot(v, h)));
    let specular = f * ggx(saturate(dot(n, h)), alpha) * smith(n_v, n_l, alpha);
    let diffuse = (1.0 - f) * (1.0 - surface.metallic) * surface.base.rgb / PI;
    let ambient = mix(surface.ground_color, surface.sky_color, n.y * 0.5 + 0.5) * surface.base.rgb;
    let radiance = (diffuse + specular) * surface.sun_color * n_l + ambient * 0.3;
    return vec4<f32>(pow(tone_map(radiance * surface.exposure), vec3<f32>(1.0 / 2.2)), surface.base.a);
}
