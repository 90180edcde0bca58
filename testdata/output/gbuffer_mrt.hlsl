struct Varyings {
    float4 v0 : TEXCOORD0;
    float4 v1 : TEXCOORD1;
    float4 op : SV_Position;
};

struct Targets {
    float4 oc : SV_Target0;
    float4 oc1 : SV_Target1;
    float4 oc2 : SV_Target2;
};

cbuffer VertexConstants : register(b0) { float4 vc[8]; }
cbuffer FragmentConstants : register(b1) { float4 fc[3]; }
Texture2D<float4> fs0 : register(t2);
SamplerState fs0_sampler : register(s3);
Texture2D<float4> fs1 : register(t4);
SamplerState fs1_sampler : register(s5);

Varyings vs_main(float4 va0 : TEXCOORD0, float4 va1 : TEXCOORD1, float4 va2 : TEXCOORD2) {
    float4 v1 = float4(mul(float3x3(vc[4].xyz, vc[5].xyz, vc[6].xyz), va1.xyz), dot(va0, vc[6]) * vc[7].x);
    Varyings output;
    output.op = mul(float4x4(vc[0], vc[1], vc[2], vc[3]), va0);
    output.v0 = va2;
    output.v1 = v1;
    return output;
}

Targets fs_main(float4 v0 : TEXCOORD0, float4 v1 : TEXCOORD1) {
    float4 ft0 = fs0.Sample(fs0_sampler, v0.xy);
    float4 ft2 = fs1.Sample(fs1_sampler, v0.xy);
    if (ft0.w < fc[2].x) {
        discard;
    }
    float3 ft3 = ((v1.xyz * rsqrt(max(dot(v1.xyz, v1.xyz), 1e-37))) * fc[2].x) + fc[2].xxx;
    float4 ft4 = frac(fc[0] * min(saturate(v1.w), fc[2].y));
    Targets output;
    output.oc = float4(ft0.xyz, ft2.x);
    output.oc1 = float4(ft3, ft2.y);
    output.oc2 = ft4 - (ft4.yzww * fc[1]);
    return output;
}
