// Moves particles, and turns back those that leave the box.

struct Step {
    seconds: f32,
    size: f32,
}

@group(0) @binding(0) var<uniform> step: Step;
@group(0) @binding(1) var<storage, read> velocities: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read_write> positions: array<vec4<f32>>;

@compute @workgroup_size(64)
fn move_particles(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x >= arrayLength(&positions) {
        return;
    }
    var position = positions[id.x].xyz + velocities[id.x].xyz * step.seconds;
    for (var axis = 0; axis < 3; axis++) {
        if abs(position[axis]) > step.size {
            position[axis] = 2.0 * step.size * sign(position[axis]) - position[axis];
        }
    }
    positions[id.x] = vec4(position, positions[id.x].w);
}
