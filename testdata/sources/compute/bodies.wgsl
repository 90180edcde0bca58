// The pull of all bodies on each: a position and a mass each.

@group(0) @binding(0) var<storage, read> bodies: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read_write> pulls: array<vec4<f32>>;

fn pull(at: vec3<f32>, other: u32) -> vec3<f32> {
    let body = bodies[other];
    let way = body.xyz - at;
    let distance = dot(way, way) + 0.25;
    return way * (body.w / distance);
}

@compute @workgroup_size(4)
fn attract(@builtin(global_invocation_id) id: vec3<u32>) {
    var sum = vec3(0.0);
    for (var other = 0u; other < arrayLength(&bodies); other++) {
        sum += pull(bodies[id.x].xyz, other);
    }
    pulls[id.x] = vec4(sum, 0.0);
}
