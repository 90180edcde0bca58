#version 450 core
layout(local_size_x = 16, local_size_y = 1, local_size_z = 1) in;

layout(std140, binding = 0) uniform ComputeConstants { vec4 weights[8]; };

layout(std430, binding = 0) readonly buffer GivenBuffer { vec4 given[]; };

layout(std430, binding = 1) buffer SumsBuffer { vec4 sums[]; };

shared vec4 tile[16];


void main() {
    if (gl_LocalInvocationID == uvec3(0u)) {
        tile = vec4[16](vec4(0.0), vec4(0.0), vec4(0.0), vec4(0.0), vec4(0.0), vec4(0.0), vec4(0.0), vec4(0.0), vec4(0.0), vec4(0.0), vec4(0.0), vec4(0.0), vec4(0.0), vec4(0.0), vec4(0.0), vec4(0.0));
    }
    memoryBarrierShared();
    barrier();
    uvec3 place = gl_GlobalInvocationID;
    float slot[4] = float[4](0.0, 0.0, 0.0, 0.0);
    int value = int(place.x);
    vec4 value_1 = given[value] + given[value + 1];
    vec4 value_2 = value_1 * weights[value];
    tile[value] = value_2;
    memoryBarrierShared();
    barrier();
    slot[value] = tile[value].x;
    float value_3 = slot[value];
    if (1.0 < value_3) {
        sums[value] = given[value + 1];
        sums[value + 2] = sums[value];
    } else {
        sums[value] = value_2;
    }
    sums[5u] = given[5u];
}
