// Menger sponge: ray marching with refining boxes, and a count of the steps as shading.
struct Sponge {
    inverse_view: mat4x4<f32>,
    screen: vec2<f32>,
    levels: i32,
    glow: vec3<f32>,
}

@group(0) @binding(0) var<uniform> sponge: Sponge;

fn box(p: vec3<f32>, half_size: f32) -> f32 {
    let d = abs(p) - half_size;
    return min(max(d.x, max(d.y, d.z)), 0.0) + length(max(d, vec3<f32>(0.0)));
}

fn menger(p: vec3<f32>) -> f32 {
    var d = box(p, 1.0);
    var scale = 1.0;
    var level = 0;
    while level < sponge.levels {
        let a = (p * scale) - 2.0 * floor(p * scale * 0.5) - 1.0;
        scale *= 3.0;
        let r = abs(1.0 - 3.0 * abs(a));
        let cross_distance = (min(max(r.x, r.y), min(max(r.y, r.z), max(r.z, r.x))) - 1.0) / scale;
        d = max(d, cross_distance);
        level++;
    }
    return d;
}

@fragment
fn main(@builtin(position) at: vec4<f32>) -> @location(0) vec4<f32> {
    let ndc = vec2<f32>(at.x / sponge.screen.x * 2.0 - 1.0, 1.0 - at.y / sponge.screen.y * 2.0);
    let eye = sponge.inverse_view[3].xyz;
    let ray = normalize((sponge.inverse_view * vec4<f32>(ndc, -1.5, 0.0)).xyz);
    var t = 0.0;
    var steps = 0u;
    var found = false;
    loop {
        if steps >= 64u || t > 10.0 {
            break;
        }
        let d = menger(eye + ray * t);
        if d < 0.0005 {
            found = true;
            break;
        }
        t += d;
        continuing {
            steps += 1u;
        }
    }
    let shade = f32(steps) / 64.0;
    if !found {
        return vec4<f32>(sponge.glow * shade, 1.0);
    }
    return vec4<f32>(vec3<f32>(1.0 - shade) * (1.0 / (1.0 + 0.1 * t * t)), 1.0);
}
