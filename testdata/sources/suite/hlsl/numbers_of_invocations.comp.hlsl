// The system values of compute shaders.
[[vk::binding(0, 0)]] RWStructuredBuffer<uint4> result;

[numthreads(2, 2, 2)]
void main(uint3 id : SV_DispatchThreadID, uint3 group : SV_GroupID, uint3 own : SV_GroupThreadID, uint at : SV_GroupIndex) {
    uint3 same = group * 2u + own;
    uint i = id.x + id.y * 2u + id.z * 4u;
    if (i < 8u) result[i] = uint4(same, at);
}
