// Blinn: several directional, point and spot lights from an array in a uniform struct.
struct Light {
    position: vec4<f32>,
    color: vec3<f32>,
    range: f32,
    direction: vec3<f32>,
    cone: f32,
    kind: i32,
}

struct Lights {
    count: i32,
    ambient: vec3<f32>,
    list: array<Light, 8>,
}

struct Material {
    diffuse: vec4<f32>,
    specular: vec3<f32>,
    power: f32,
}

@group(0) @binding(0) var<uniform> lights: Lights;
@group(0) @binding(1) var<uniform> material: Material;

struct Incoming {
    direction: vec3<f32>,
    radiance: vec3<f32>,
}

fn incoming(index: i32, world: vec3<f32>) -> Incoming {
    let light = lights.list[index];
    var result: Incoming;
    result.radiance = light.color;
    if light.kind == 0 {
        result.direction = -light.direction;
        return result;
    }
    let delta = light.position.xyz - world;
    let d = length(delta);
    result.direction = delta / max(d, 0.001);
    let fade = saturate(1.0 - d / light.range);
    result.radiance *= fade * fade;
    if light.kind == 2 {
        let spot = dot(-result.direction, light.direction);
        result.radiance *= smoothstep(light.cone, light.cone + 0.05, spot);
    }
    return result;
}

@fragment
fn main(@location(0) world: vec3<f32>, @location(1) normal: vec3<f32>, @location(2) eye: vec3<f32>) -> @location(0) vec4<f32> {
    let n = normalize(normal);
    let v = normalize(eye - world);
    var sum = lights.ambient * material.diffuse.rgb;
    for (var i = 0; i < min(lights.count, 8); i++) {
        let l = incoming(i, world);
        let facing = dot(n, l.direction);
        if facing <= 0.0 {
            continue;
        }
        let h = normalize(l.direction + v);
        let shine = pow(max(dot(n, h), 0.0), material.power);
        sum += l.radiance * (material.diffuse.rgb * facing + material.specular * shine);
    }
    return vec4<f32>(sum, material.diffuse.a);
}
