#version 450 core
layout(local_size_x = 128, local_size_y = 1, local_size_z = 1) in;

layout(std430, binding = 0) readonly buffer NumbersBuffer { uint numbers[]; };

layout(std430, binding = 1) buffer SumsBuffer { uint sums[]; };

shared uint tile_2[128];


void main() {
    if (gl_LocalInvocationID == uvec3(0u)) {
        tile_2 = uint[128](0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u);
    }
    memoryBarrierShared();
    barrier();
    uvec3 id = gl_GlobalInvocationID;
    uint lane = gl_LocalInvocationIndex;
    uint distance_1 = 0u;
    uint sum = 0u;
    int value = int(id.x);
    int value_1 = int(lane);
    int index = min(max(value_1, 0), 127);
    tile_2[index] = numbers[min(uint(max(value, 0)), uint(numbers.length()) - 1u)];
    memoryBarrierShared();
    barrier();
    distance_1 = 1u;
    while(true) {
        if (!(distance_1 < 128u)) {
            break;
        }
        uint value_2 = tile_2[index];
        sum = value_2;
        if (lane >= distance_1) {
            sum = value_2 + tile_2[min(max(int(lane - distance_1), 0), 127)];
        }
        memoryBarrierShared();
        barrier();
        tile_2[index] = sum;
        memoryBarrierShared();
        barrier();
        distance_1 = distance_1 * 2u;
    }
    sums[min(uint(max(value, 0)), uint(sums.length()) - 1u)] = tile_2[index];
}
