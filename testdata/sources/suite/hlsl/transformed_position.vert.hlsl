// The usual vertex shader, with a structure of outputs.
[[vk::binding(0, 0)]] cbuffer Camera { float4x4 transform; };
struct Output { float4 position : SV_Position; float2 uv : TEXCOORD0; float3 normal : NORMAL; };

Output main(float4 position : POSITION, float2 uv : TEXCOORD0, float3 normal : NORMAL) {
    Output result;
    result.position = mul(transform, position);
    result.uv = uv * 2.0 - 0.5;
    result.normal = normalize(abs(normal) + 0.25);
    return result;
}
