// Products with matrices on either side; by default a float4x4 is stored by columns in HLSL.
[[vk::binding(0, 0)]] cbuffer Matrices { float4x4 whole; float3x2 tall; float2x3 wide; };

float4 main(float4 a : A) : SV_Target {
    float4 p = mul(whole, a) + mul(a, whole) * 0.5;
    p.xyz += mul(tall, a.xy);
    p.xy += mul(wide, a.yzw) + mul(a.xyz, tall);
    return p * 0.125 + whole[1] + whole._m12 + tall[2].xyxy;
}
