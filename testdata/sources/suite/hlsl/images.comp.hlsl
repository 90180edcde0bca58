// Storage textures: one is read, one is written.
[[vk::binding(0, 0)]] [[vk::image_format("rgba32f")]] RWTexture2D<float4> source;
[[vk::binding(1, 0)]] [[vk::image_format("rgba32f")]] RWTexture2D<float4> target;

[numthreads(4, 4, 1)]
void main(uint3 id : SV_DispatchThreadID) {
    uint2 at = id.xy & 3u;
    float4 texel = source[at.yx];
    target[at] = texel.bgra * 0.5;
}
