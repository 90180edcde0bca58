// Cube, volume and array textures.
[[vk::binding(0, 0)]] TextureCube sky;
[[vk::binding(1, 0)]] Texture3D cloud;
[[vk::binding(2, 0)]] Texture2DArray pages;
[[vk::binding(3, 0)]] SamplerState filtered;

float4 main(float3 a : A) : SV_Target {
    float4 sum = sky.Sample(filtered, abs(a) + float3(0.0, 0.5, 0.0)) + cloud.Sample(filtered, a);
    return sum * 0.5 + pages.SampleLevel(filtered, float3(a.xy, 1.25), 0.0) + pages.Load(int4(1, 2, 0, 0)) * 0.25;
}
