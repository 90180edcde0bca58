// Gathers of each component.
[[vk::binding(0, 0)]] Texture2D picture;
[[vk::binding(1, 0)]] SamplerState filtered;

float4 main(float2 uv : TEXCOORD0) : SV_Target {
    float4 sum = picture.Gather(filtered, uv) + picture.GatherGreen(filtered, uv.yx);
    return sum * 0.5 + picture.GatherBlue(filtered, uv) * 0.25 + picture.GatherAlpha(filtered, uv) * 0.125;
}
