// The barriers for memory with synchronisation.
[[vk::binding(0, 0)]] RWStructuredBuffer<uint> values;
groupshared uint list[4];

[numthreads(4, 1, 1)]
void main(uint i : SV_GroupIndex) {
    list[i] = values[i] & 255u;
    AllMemoryBarrierWithGroupSync();
    values[i] = list[3u - i] * 2u;
    DeviceMemoryBarrierWithGroupSync();
    uint other = values[(i + 1u) & 3u];
    GroupMemoryBarrierWithGroupSync();
    list[i] = other;
}
