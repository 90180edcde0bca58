#include <metal_stdlib>

using namespace metal;

struct BufferSizes {
    uint velocities_size;
    uint positions_size;
};

struct Step {
    float seconds;
    float size;
};

kernel void move_particles(
    uint3 id [[thread_position_in_grid]],
    constant Step& step_1 [[buffer(0)]],
    device const float4* velocities [[buffer(2)]],
    device float4* positions [[buffer(3)]],
    constant BufferSizes& sizes [[buffer(1)]]
) {
    float3 position = float3(0.0);
    float3 position_1 = float3(0.0);
    int axis = 0;
    if (id.x >= uint(int(sizes.positions_size / 16u))) {
        return;
    }
    int value = int(id.x);
    uint index = min(uint(max(value, 0)), sizes.positions_size / 16u - 1u);
    position_1 = positions[index].xyz + (velocities[min(uint(max(value, 0)), sizes.velocities_size / 16u - 1u)].xyz * step_1.seconds);
    axis = 0;
    while (true) {
        if (!(axis < 3)) {
            position = position_1;
            break;
        }
        bool value_1 = axis == 1;
        bool value_2 = axis == 2;
        float value_3 = value_2 ? position_1.z : (value_1 ? position_1.y : position_1.x);
        if (abs(value_3) > step_1.size) {
            float value_4 = ((2.0 * step_1.size) * sign(value_3)) - value_3;
            float3 position_2 = float3((axis == 0) ? value_4 : position_1.x, value_1 ? value_4 : position_1.y, value_2 ? value_4 : position_1.z);
            position_1 = position_2;
        }
        axis = as_type<int>(as_type<uint>(axis) + as_type<uint>(1));
    }
    positions[index] = float4(position, positions[index].w);
}
