cbuffer ComputeConstants : register(b0) { float4 weights[8]; }
ByteAddressBuffer given : register(t512);
RWByteAddressBuffer sums : register(u513);
groupshared float4 tile[16];

[numthreads(16, 1, 1)]
void gather(uint3 place : SV_DispatchThreadID, uint lane : SV_GroupIndex) {
    tile[lane] = (float4)0;
    GroupMemoryBarrierWithGroupSync();
    float slot[4] = { 0.0, 0.0, 0.0, 0.0 };
    int value = int(place.x);
    float4 value_1 = asfloat(given.Load4(value * 16)) + asfloat(given.Load4(asint(asuint(value) + asuint(int(1))) * 16));
    float4 value_2 = value_1 * weights[value];
    tile[value] = value_2;
    GroupMemoryBarrierWithGroupSync();
    slot[value] = tile[value].x;
    float value_3 = slot[value];
    if (1.0 < value_3) {
        sums.Store4(value * 16, asuint(asfloat(given.Load4(asint(asuint(value) + asuint(int(1))) * 16))));
        sums.Store4(asint(asuint(value) + asuint(int(2))) * 16, asuint(asfloat(sums.Load4(value * 16))));
    } else {
        sums.Store4(value * 16, asuint(value_2));
    }
    sums.Store4(80, asuint(asfloat(given.Load4(80))));
}
