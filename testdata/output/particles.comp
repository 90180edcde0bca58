#version 450 core
layout(local_size_x = 64, local_size_y = 1, local_size_z = 1) in;

layout(std140, binding = 0) uniform Step {
    float seconds;
    float size;
} step_1;

layout(std430, binding = 0) readonly buffer VelocitiesBuffer { vec4 velocities[]; };

layout(std430, binding = 1) buffer PositionsBuffer { vec4 positions[]; };


void main() {
    uvec3 id = gl_GlobalInvocationID;
    vec3 position = vec3(0.0);
    vec3 position_1 = vec3(0.0);
    int axis = 0;
    if (id.x >= uint(positions.length())) {
        return;
    }
    int value = int(id.x);
    uint index = min(uint(max(value, 0)), uint(positions.length()) - 1u);
    position_1 = positions[index].xyz + (velocities[min(uint(max(value, 0)), uint(velocities.length()) - 1u)].xyz * step_1.seconds);
    axis = 0;
    while(true) {
        if (!(axis < 3)) {
            position = position_1;
            break;
        }
        bool value_1 = axis == 1;
        bool value_2 = axis == 2;
        float value_3 = value_2 ? position_1.z : (value_1 ? position_1.y : position_1.x);
        if (abs(value_3) > step_1.size) {
            float value_4 = ((2.0 * step_1.size) * sign(value_3)) - value_3;
            vec3 position_2 = vec3((axis == 0) ? value_4 : position_1.x, value_1 ? value_4 : position_1.y, value_2 ? value_4 : position_1.z);
            position_1 = position_2;
        }
        axis = axis + 1;
    }
    positions[index] = vec4(position, positions[index].w);
}
