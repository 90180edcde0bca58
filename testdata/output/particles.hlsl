struct Step {
    float seconds;
    float size;
};

cbuffer ComputeBlock : register(b0) { Step step_1; }
ByteAddressBuffer velocities : register(t512);
RWByteAddressBuffer positions : register(u513);

uint bytes_of_rw(RWByteAddressBuffer buffer) {
    uint ret;
    buffer.GetDimensions(ret);
    return ret;
}

uint bytes_of(ByteAddressBuffer buffer) {
    uint ret;
    buffer.GetDimensions(ret);
    return ret;
}

[numthreads(64, 1, 1)]
void move_particles(uint3 id : SV_DispatchThreadID) {
    float3 position = (float3)0;
    float3 position_1 = (float3)0;
    int axis = 0;
    if (id.x >= uint(int(bytes_of_rw(positions) / 16))) {
        return;
    }
    int value = int(id.x);
    uint index = min(uint(max(value, 0)), bytes_of_rw(positions) / 16 - 1u);
    position_1 = asfloat(positions.Load4(index * 16)).xyz + (asfloat(velocities.Load4(min(uint(max(value, 0)), bytes_of(velocities) / 16 - 1u) * 16)).xyz * step_1.seconds);
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
        axis = asint(asuint(axis) + asuint(int(1)));
    }
    positions.Store4(index * 16, asuint(float4(position, asfloat(positions.Load4(index * 16)).w)));
}
