#include <metal_stdlib>

using namespace metal;

kernel void gather(
    uint3 place [[thread_position_in_grid]],
    uint lane [[thread_index_in_threadgroup]],
    constant float4* weights [[buffer(0)]],
    device const float4* given [[buffer(1)]],
    device float4* sums [[buffer(2)]]
) {
    threadgroup float4 tile[16];
    tile[lane] = float4(0.0);
    threadgroup_barrier(mem_flags::mem_threadgroup);
    float slot[4] = {};
    int value = int(place.x);
    float4 value_1 = given[value] + given[as_type<int>(as_type<uint>(value) + as_type<uint>(1))];
    float4 value_2 = value_1 * weights[value];
    tile[value] = value_2;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    slot[value] = tile[value].x;
    float value_3 = slot[value];
    if (1.0 < value_3) {
        sums[value] = given[as_type<int>(as_type<uint>(value) + as_type<uint>(1))];
        sums[as_type<int>(as_type<uint>(value) + as_type<uint>(2))] = sums[value];
    } else {
        sums[value] = value_2;
    }
    sums[5u] = given[5u];
}
