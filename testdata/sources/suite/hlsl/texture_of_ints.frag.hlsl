// Textures of ints and uints.
[[vk::binding(0, 0)]] Texture2D<int4> heights;
[[vk::binding(1, 0)]] Texture2D<uint2> tiles;

float4 main(float2 uv : TEXCOORD0) : SV_Target {
    int2 at = int2(saturate(uv) * 3.0);
    int4 i = heights.Load(int3(at, 0)) & 255;
    uint2 u = tiles.Load(int3(at.yx, 0)) & 255u;
    return float4(i) * 0.0078125 + float4(u, 0.0, 0.0) * 0.015625;
}
