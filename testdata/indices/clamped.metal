#include <metal_stdlib>

using namespace metal;

struct BufferSizes {
    uint given_size;
    uint sums_size;
};

kernel void gather(
    uint3 place [[thread_position_in_grid]],
    uint lane [[thread_index_in_threadgroup]],
    constant float4* weights [[buffer(0)]],
    device const float4* given [[buffer(2)]],
    device float4* sums [[buffer(3)]],
    constant BufferSizes& sizes [[buffer(1)]]
) {
    threadgroup float4 tile[16];
    tile[lane] = float4(0.0);
    threadgroup_barrier(mem_flags::mem_threadgroup);
    float slot[4] = {};
    int value = int(place.x);
    uint index = min(uint(max(as_type<int>(as_type<uint>(value) + as_type<uint>(1)), 0)), sizes.given_size / 16u - 1u);
    float4 value_1 = given[min(uint(max(value, 0)), sizes.given_size / 16u - 1u)] + given[index];
    float4 value_2 = value_1 * weights[clamp(value, 0, 7)];
    int index_1 = clamp(value, 0, 15);
    tile[index_1] = value_2;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    int index_2 = clamp(value, 0, 3);
    slot[index_2] = tile[index_1].x;
    float value_3 = slot[index_2];
    if (1.0 < value_3) {
        uint index_3 = min(uint(max(value, 0)), sizes.sums_size / 16u - 1u);
        sums[index_3] = given[index];
        sums[min(uint(max(as_type<int>(as_type<uint>(value) + as_type<uint>(2)), 0)), sizes.sums_size / 16u - 1u)] = sums[index_3];
    } else {
        uint index_4 = min(uint(max(value, 0)), sizes.sums_size / 16u - 1u);
        sums[index_4] = value_2;
    }
    sums[min(5u, sizes.sums_size / 16u - 1u)] = given[min(5u, sizes.given_size / 16u - 1u)];
}
