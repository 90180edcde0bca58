// Julia set: orbit traps of three shapes, kept in a struct that is changed through a pointer.
struct Julia {
    seed: vec2<f32>,
    center: vec2<f32>,
    scale: f32,
    power: i32,
    steps: i32,
}

struct Traps {
    line: f32,
    circle: f32,
    cross_shape: f32,
    last: vec2<f32>,
}

@group(0) @binding(0) var<uniform> julia: Julia;

fn multiply(a: vec2<f32>, b: vec2<f32>) -> vec2<f32> {
    return vec2<f32>(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

fn power(z: vec2<f32>, n: i32) -> vec2<f32> {
    var result = z;
    for (var i = 1; i < n; i++) {
        result = multiply(result, z);
    }
    return result;
}

fn update(traps: ptr<function, Traps>, z: vec2<f32>) -> bool {
    (*traps).last = z;
    if dot(z, z) > 16.0 {
        return false;
    }
    (*traps).line = min((*traps).line, abs(z.x - z.y));
    (*traps).circle = min((*traps).circle, abs(length(z) - 0.7));
    let near = min(abs(z.x), abs(z.y));
    if near < (*traps).cross_shape {
        (*traps).cross_shape = near;
    }
    return true;
}

@fragment
fn main(@location(0) uv: vec2<f32>) -> @location(0) vec4<f32> {
    var z = (uv - 0.5) * julia.scale + julia.center;
    var traps = Traps(10.0, 10.0, 10.0, z);
    var count = 0;
    while update(&traps, z) {
        if count == julia.steps {
            break;
        }
        z = power(z, julia.power) + julia.seed;
        count++;
    }
    let color = vec3<f32>(traps.line, traps.circle, traps.cross_shape * 4.0);
    let ring = fract(atan2(traps.last.y, traps.last.x) * 0.1591549);
    return vec4<f32>(sqrt(saturate(1.0 - color)) * (0.7 + 0.3 * ring), 1.0);
}
