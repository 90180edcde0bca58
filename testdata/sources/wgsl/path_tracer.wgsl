// Path tracer: diffuse bounces in a small room, with the state of the random numbers in a private variable.
struct Room {
    eye: vec3<f32>,
    frame: u32,
    lamp: vec3<f32>,
    samples: u32,
    resolution: vec2<f32>,
}

struct Ray {
    origin: vec3<f32>,
    direction: vec3<f32>,
}

struct Hit {
    t: f32,
    normal: vec3<f32>,
    color: vec3<f32>,
    emits: bool,
}

@group(0) @binding(0) var<uniform> room: Room;

var<private> random_state: u32 = 1u;
var<private> bounces: i32;

fn random() -> f32 {
    random_state = random_state * 1664525u + 1013904223u;
    return f32(random_state >> 8u) / 16777216.0;
}

fn random_direction(n: vec3<f32>) -> vec3<f32> {
    let z = random() * 2.0 - 1.0;
    let turn = random() * 6.2831853;
    let r = sqrt(max(0.0, 1.0 - z * z));
    return normalize(n + vec3<f32>(r * cos(turn), r * sin(turn), z) * 0.999);
}

fn sphere(ray: Ray, center: vec3<f32>, radius: f32, color: vec3<f32>, emits: bool, best: ptr<function, Hit>) {
    let oc = ray.origin - center;
    let b = dot(oc, ray.direction);
    let disc = b * b - dot(oc, oc) + radius * radius;
    if disc < 0.0 {
        return;
    }
    let t = -b - sqrt(disc);
    if t < 0.001 || t >= (*best).t {
        return;
    }
    *best = Hit(t, (oc + ray.direction * t) / radius, color, emits);
}

fn trace(first: Ray) -> vec3<f32> {
    var ray = first;
    var carried = vec3<f32>(1.0);
    for (bounces = 0; bounces < 4; bounces++) {
        var hit = Hit(1e9, vec3<f32>(0.0), vec3<f32>(0.0), false);
        sphere(ray, vec3<f32>(0.0, -100.5, 0.0), 100.0, vec3<f32>(0.7), false, &hit);
        sphere(ray, vec3<f32>(-0.6, 0.0, 0.0), 0.5, vec3<f32>(0.8, 0.3, 0.2), false, &hit);
        sphere(ray, vec3<f32>(0.6, 0.0, 0.2), 0.5, vec3<f32>(0.3, 0.5, 0.8), false, &hit);
        sphere(ray, room.lamp, 0.4, vec3<f32>(6.0, 5.5, 5.0), true, &hit);
        if hit.t > 1e8 {
            return carried * mix(vec3<f32>(0.1), vec3<f32>(0.2, 0.3, 0.5), ray.direction.y * 0.5 + 0.5);
        }
        carried *= hit.color;
        if hit.emits {
            return carried;
        }
        ray.origin += ray.direction * hit.t;
        ray.direction = random_direction(hit.normal);
    }
    return vec3<f32>(0.0);
}

@fragment
fn main(@builtin(position) pixel: vec4<f32>) -> @location(0) vec4<f32> {
    random_state = (u32(pixel.x) * 1973u + u32(pixel.y) * 9277u + room.frame * 26699u) | 1u;
    var sum = vec3<f32>(0.0);
    for (var i = 0u; i < room.samples; i++) {
        let jitter = vec2<f32>(random(), random());
        let ndc = ((pixel.xy + jitter - 0.5) * 2.0 - room.resolution) / room.resolution.y;
        sum += trace(Ray(room.eye, normalize(vec3<f32>(ndc.x, -ndc.y, -1.5))));
    }
    return vec4<f32>(sqrt(sum / f32(max(room.samples, 1u))), f32(bounces) * 0.25);
}
