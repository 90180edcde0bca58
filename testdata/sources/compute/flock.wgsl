// Boids: each bird flies towards the middle of its flock and away from birds that are too close. A bird is a structure, and the parameters
// lie before the birds.

struct Bird {
    position: vec3<f32>,
    mass: f32,
    velocity: vec3<f32>,
    flock: u32,
}

struct Parameters {
    seconds: f32,
    distance: f32,
    counts: vec2<u32>,
}

struct Birds {
    parameters: Parameters,
    birds: array<Bird>,
}

@group(0) @binding(0) var<storage, read> before: Birds;
@group(0) @binding(1) var<storage, read_write> after: Birds;

fn away(from_bird: Bird, other: Bird) -> vec3<f32> {
    let way = from_bird.position - other.position;
    let close = dot(way, way) < before.parameters.distance * before.parameters.distance;
    return select(vec3<f32>(0.0), way, close);
}

@compute @workgroup_size(8)
fn fly(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x >= arrayLength(&before.birds) || id.x >= arrayLength(&after.birds) {
        return;
    }
    let own = before.birds[id.x];
    var middle = vec3<f32>(0.0);
    var apart = vec3<f32>(0.0);
    var mass = 0.0;
    for (var other = 0u; other < arrayLength(&before.birds); other++) {
        let bird = before.birds[other];
        if other != id.x && bird.flock == own.flock {
            middle += bird.position * bird.mass;
            mass += bird.mass;
            apart += away(own, bird);
        }
    }
    after.birds[id.x] = own;
    if mass > 0.0 {
        after.birds[id.x].velocity += (middle / mass - own.position) * 0.125 + apart * 0.5;
    }
    after.birds[id.x].position += after.birds[id.x].velocity * before.parameters.seconds;
    if id.x == 0u {
        after.parameters.counts.y = before.parameters.counts.x + 1u;
    }
}
