// Ray marching: spheres on a floor as signed distances, with soft shading.
struct View {
    eye: vec3<f32>,
    focal: f32,
    forward: vec3<f32>,
    time: f32,
    resolution: vec2<f32>,
}

@group(0) @binding(0) var<uniform> view: View;

struct Hit {
    distance: f32,
    material: i32,
}

fn closer(a: Hit, b: Hit) -> Hit {
    if a.distance < b.distance {
        return a;
    }
    return b;
}

fn scene(p: vec3<f32>) -> Hit {
    var best = Hit(p.y, 0);
    for (var i = 0; i < 3; i++) {
        let phase = view.time + f32(i) * 2.1;
        let c = vec3<f32>(sin(phase) * 1.5, 0.5 + 0.3 * cos(phase * 1.3), cos(phase) * 1.5);
        best = closer(best, Hit(length(p - c) - 0.5, i + 1));
    }
    return best;
}

fn march(origin: vec3<f32>, direction: vec3<f32>, material: ptr<function, i32>) -> f32 {
    var t = 0.02;
    *material = -1;
    for (var steps = 0; steps < 80; steps += 1) {
        let hit = scene(origin + direction * t);
        if hit.distance < 0.001 * t {
            *material = hit.material;
            return t;
        }
        t += hit.distance;
        if t > 40.0 {
            break;
        }
    }
    return 40.0;
}

fn normal_at(p: vec3<f32>) -> vec3<f32> {
    let e = vec2<f32>(0.001, 0.0);
    return normalize(vec3<f32>(
        scene(p + e.xyy).distance - scene(p - e.xyy).distance,
        scene(p + e.yxy).distance - scene(p - e.yxy).distance,
        scene(p + e.yyx).distance - scene(p - e.yyx).distance,
    ));
}

@vertex
fn vs_main(@builtin(vertex_index) i: u32) -> @builtin(position) vec4<f32> {
    let corner = vec2<f32>(f32((i << 1u) & 2u), f32(i & 2u));
    return vec4<f32>(corner * 2.0 - 1.0, 0.0, 1.0);
}

@fragment
fn fs_main(@builtin(position) pixel: vec4<f32>) -> @location(0) vec4<f32> {
    let ndc = (pixel.xy * 2.0 - view.resolution) / view.resolution.y;
    let side = normalize(cross(view.forward, vec3<f32>(0.0, 1.0, 0.0)));
    let above = cross(side, view.forward);
    let ray = normalize(view.forward * view.focal + side * ndc.x - above * ndc.y);
    var material: i32;
    let t = march(view.eye, ray, &material);
    let sky = mix(vec3<f32>(0.7, 0.8, 0.9), vec3<f32>(0.2, 0.4, 0.8), saturate(ray.y));
    if material < 0 {
        return vec4<f32>(sky, 1.0);
    }
    let p = view.eye + ray * t;
    var base = vec3<f32>(0.9, 0.3, 0.2);
    if material == 0 {
        base = vec3<f32>(0.4 + 0.3 * abs((floor(p.x) + floor(p.z)) % 2.0));
    } else if material == 2 {
        base = base.zxy;
    }
    let lambert = max(dot(normal_at(p), normalize(vec3<f32>(0.5, 1.0, 0.3))), 0.0);
    return vec4<f32>(mix(base * (0.2 + lambert), sky, 1.0 - exp(-0.002 * t * t)), 1.0);
}
