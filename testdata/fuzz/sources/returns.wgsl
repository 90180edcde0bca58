// Functions that become generic ones, and functions that are inlined: with early returns, also out of a loop.
struct Hit {
    distance: f32,
    normal: vec3<f32>,
}

fn sphere(p: vec3<f32>) -> f32 {
    if (p.x > 9.0) {
        return 9.0;
    }
    return length(p) - 1.0;
}

fn march(origin: vec3<f32>, hit: ptr<function, Hit>) -> bool {
    var p = origin;
    for (var step = 0; step < 16; step++) {
        let d = sphere(p);
        if (d < 0.01) {
            (*hit).distance = p.z;
            (*hit).normal = normalize(p);
            return true;
        }
        p.z += d;
    }
    return false;
}

fn shade(hit: Hit) -> vec3<f32> {
    if (hit.distance > 5.0) {
        return vec3(0.0);
    }
    return hit.normal * 0.5 + 0.5;
}

@fragment
fn main(@location(0) v: vec2<f32>) -> @location(0) vec4<f32> {
    var hit: Hit;
    if (!march(vec3(v, -3.0), &hit)) {
        return vec4(0.0, 0.0, 0.0, 1.0);
    }
    return vec4(shade(hit), 1.0);
}
