// Functions with a texture and a sampler as parameters.
[[vk::binding(0, 0)]] Texture2D one;
[[vk::binding(1, 0)]] Texture2D two;
[[vk::binding(2, 0)]] SamplerState filtered;

float4 blurred(Texture2D picture, SamplerState how, float2 uv) {
    return (picture.SampleLevel(how, uv, 0.0) + picture.SampleLevel(how, uv + 0.125, 0.0)) * 0.5;
}

float4 main(float2 uv : TEXCOORD0) : SV_Target {
    return blurred(one, filtered, uv) + blurred(two, filtered, uv.yx) * 0.5;
}
