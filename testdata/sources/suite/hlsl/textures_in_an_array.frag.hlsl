// An array of textures at constant indices.
[[vk::binding(0, 0)]] Texture2D pictures[3];
[[vk::binding(4, 0)]] SamplerState filtered;

float4 main(float2 uv : TEXCOORD0) : SV_Target {
    return pictures[0].Sample(filtered, uv) + pictures[2].Sample(filtered, uv.yx) * 0.5;
}
