struct Step {
    seconds: f32,
    size: f32,
}

@group(0) @binding(0) var<uniform> step_1: Step;
@group(0) @binding(512) var<storage> velocities: array<vec4<f32>>;
@group(0) @binding(513) var<storage, read_write> positions: array<vec4<f32>>;

@compute @workgroup_size(64, 1, 1)
fn move_particles(@builtin(global_invocation_id) id: vec3<u32>) {
    var position: vec3<f32>;
    var position_1: vec3<f32>;
    var axis: i32;

    if id.x >= u32(i32(arrayLength(&positions))) {
        return;
    }
    let value = i32(id.x);
    let index = min(u32(max(value, 0i)), arrayLength(&positions) - 1u);
    position_1 = positions[index].xyz + (velocities[min(u32(max(value, 0i)), arrayLength(&velocities) - 1u)].xyz * step_1.seconds);
    axis = 0i;
    loop {
        if !(axis < 3i) {
            position = position_1;
            break;
        }
        let value_1 = axis == 1i;
        let value_2 = axis == 2i;
        let value_3 = select(select(position_1.x, position_1.y, value_1), position_1.z, value_2);
        if abs(value_3) > step_1.size {
            let value_4 = ((2.0 * step_1.size) * sign(value_3)) - value_3;
            let position_2 = vec3<f32>(select(position_1.x, value_4, axis == 0i), select(position_1.y, value_4, value_1), select(position_1.z, value_4, value_2));
            position_1 = position_2;
        }
        axis = axis + 1i;
    }
    positions[index] = vec4<f32>(position, positions[index].w);
    return;
}
