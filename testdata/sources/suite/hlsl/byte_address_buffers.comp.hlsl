// Buffers of bytes, read and written as words.
[[vk::binding(0, 0)]] ByteAddressBuffer source;
[[vk::binding(1, 0)]] RWByteAddressBuffer result;

[numthreads(4, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) {
    uint at = (id.x & 3u) * 16u;
    uint4 words = source.Load4(at) & 0xffffu;
    result.Store4(at, words.wzyx + id.x);
    result.Store(at + 4u, source.Load(at) >> 8u);
}
