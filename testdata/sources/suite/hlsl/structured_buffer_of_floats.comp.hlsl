// A buffer of vectors that is changed in place, and a buffer of matrices.
[[vk::binding(0, 0)]] RWStructuredBuffer<float4> values;
[[vk::binding(1, 0)]] StructuredBuffer<float4x4> turns;

[numthreads(4, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) {
    uint i = id.x & 3u;
    values[i] = mul(turns[i], values[i]);
    values[i].y *= 0.5;
}
