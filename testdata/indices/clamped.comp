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
    uint index = min(uint(max(value + 1, 0)), uint(given.length()) - 1u);
    vec4 value_1 = given[min(uint(max(value, 0)), uint(given.length()) - 1u)] + given[index];
    vec4 value_2 = value_1 * weights[min(max(value, 0), 7)];
    int index_1 = min(max(value, 0), 15);
    tile[index_1] = value_2;
    memoryBarrierShared();
    barrier();
    int index_2 = min(max(value, 0), 3);
    slot[index_2] = tile[index_1].x;
    float value_3 = slot[index_2];
    if (1.0 < value_3) {
        uint index_3 = min(uint(max(value, 0)), uint(sums.length()) - 1u);
        sums[index_3] = given[index];
        sums[min(uint(max(value + 2, 0)), uint(sums.length()) - 1u)] = sums[index_3];
    } else {
        uint index_4 = min(uint(max(value, 0)), uint(sums.length()) - 1u);
        sums[index_4] = value_2;
    }
    sums[min(5u, uint(sums.length()) - 1u)] = given[min(5u, uint(given.length()) - 1u)];
}
