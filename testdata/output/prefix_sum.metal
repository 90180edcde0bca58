#include <metal_stdlib>

using namespace metal;

struct BufferSizes {
    uint numbers_size;
    uint sums_size;
};

kernel void prefix_sum(
    uint3 id [[thread_position_in_grid]],
    uint lane [[thread_index_in_threadgroup]],
    device const uint* numbers [[buffer(1)]],
    device uint* sums [[buffer(2)]],
    constant BufferSizes& sizes [[buffer(0)]]
) {
    threadgroup uint tile_2[128];
    tile_2[lane] = 0u;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    uint distance_1 = 0u;
    uint sum = 0u;
    int value = int(id.x);
    int value_1 = int(lane);
    int index = clamp(value_1, 0, 127);
    tile_2[index] = numbers[min(uint(max(value, 0)), sizes.numbers_size / 4u - 1u)];
    threadgroup_barrier(mem_flags::mem_threadgroup);
    distance_1 = 1u;
    while (true) {
        if (!(distance_1 < 128u)) {
            break;
        }
        uint value_2 = tile_2[index];
        sum = value_2;
        if (lane >= distance_1) {
            sum = value_2 + tile_2[clamp(int(lane - distance_1), 0, 127)];
        }
        threadgroup_barrier(mem_flags::mem_threadgroup);
        tile_2[index] = sum;
        threadgroup_barrier(mem_flags::mem_threadgroup);
        distance_1 = distance_1 * 2u;
    }
    sums[min(uint(max(value, 0)), sizes.sums_size / 4u - 1u)] = tile_2[index];
}
