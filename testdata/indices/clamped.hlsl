cbuffer ComputeConstants : register(b0) { float4 weights[8]; }
ByteAddressBuffer given : register(t512);
RWByteAddressBuffer sums : register(u513);
groupshared float4 tile[16];

uint bytes_of(ByteAddressBuffer buffer) {
    uint ret;
    buffer.GetDimensions(ret);
    return ret;
}

uint bytes_of_rw(RWByteAddressBuffer buffer) {
    uint ret;
    buffer.GetDimensions(ret);
    return ret;
}

[numthreads(16, 1, 1)]
void gather(uint3 place : SV_DispatchThreadID, uint lane : SV_GroupIndex) {
    tile[lane] = (float4)0;
    GroupMemoryBarrierWithGroupSync();
    float slot[4] = { 0.0, 0.0, 0.0, 0.0 };
    int value = int(place.x);
    uint index = min(uint(max(asint(asuint(value) + asuint(int(1))), 0)), bytes_of(given) / 16 - 1u);
    float4 value_1 = asfloat(given.Load4(min(uint(max(value, 0)), bytes_of(given) / 16 - 1u) * 16)) + asfloat(given.Load4(index * 16));
    float4 value_2 = value_1 * weights[clamp(value, 0, 7)];
    int index_1 = clamp(value, 0, 15);
    tile[index_1] = value_2;
    GroupMemoryBarrierWithGroupSync();
    int index_2 = clamp(value, 0, 3);
    slot[index_2] = tile[index_1].x;
    float value_3 = slot[index_2];
    if (1.0 < value_3) {
        uint index_3 = min(uint(max(value, 0)), bytes_of_rw(sums) / 16 - 1u);
        sums.Store4(index_3 * 16, asuint(asfloat(given.Load4(index * 16))));
        sums.Store4(min(uint(max(asint(asuint(value) + asuint(int(2))), 0)), bytes_of_rw(sums) / 16 - 1u) * 16, asuint(asfloat(sums.Load4(index_3 * 16))));
    } else {
        uint index_4 = min(uint(max(value, 0)), bytes_of_rw(sums) / 16 - 1u);
        sums.Store4(index_4 * 16, asuint(value_2));
    }
    sums.Store4(min(5u, bytes_of_rw(sums) / 16 - 1u) * 16, asuint(asfloat(given.Load4(min(5u, bytes_of(given) / 16 - 1u) * 16))));
}
