// Storage textures of uints, with layers and with three dimensions.
[[vk::binding(0, 0)]] [[vk::image_format("rgba32ui")]] RWTexture2DArray<uint4> layers;
[[vk::binding(1, 0)]] [[vk::image_format("r32f")]] RWTexture3D<float> deep;

[numthreads(2, 2, 2)]
void main(uint3 id : SV_DispatchThreadID) {
    uint4 texel = layers[id & 1u] & 255u;
    deep[id & 1u] = float(texel.x + texel.w) * 0.25;
}
