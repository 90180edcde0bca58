// The ways in which a texture is sampled.
[[vk::binding(0, 0)]] Texture2D picture;
[[vk::binding(1, 0)]] SamplerState filtered;

float4 main(float2 uv : TEXCOORD0) : SV_Target {
    float4 sum = picture.Sample(filtered, uv) + picture.SampleLevel(filtered, uv.yx, 1.0);
    sum += picture.SampleBias(filtered, uv, 0.5) + picture.SampleGrad(filtered, uv, float2(0.01, 0.0), float2(0.0, 0.01));
    return sum * 0.25 + picture.Sample(filtered, uv, int2(1, -2)) * 0.125;
}
