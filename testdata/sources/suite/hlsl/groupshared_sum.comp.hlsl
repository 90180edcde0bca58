// A sum in shared memory with barriers.
[[vk::binding(0, 0)]] RWStructuredBuffer<float> values;
groupshared float parts[8];

[numthreads(8, 1, 1)]
void main(uint i : SV_GroupIndex) {
    parts[i] = values[i];
    GroupMemoryBarrierWithGroupSync();
    for (uint step = 4u; step > 0u; step >>= 1) {
        if (i < step) parts[i] += parts[i + step];
        GroupMemoryBarrierWithGroupSync();
    }
    values[i] = parts[0] + float(i);
}
