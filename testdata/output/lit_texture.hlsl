struct Varyings {
    float4 v0 : TEXCOORD0;
    float4 v1 : TEXCOORD1;
    float4 op : SV_Position;
};

cbuffer VertexConstants : register(b0) { float4 vc[8]; }
cbuffer FragmentConstants : register(b1) { float4 fc[2]; }
Texture2D<float4> fs0 : register(t2);
SamplerState fs0_sampler : register(s3);

Varyings vs_main(float4 va0 : TEXCOORD0, float4 va1 : TEXCOORD1, float4 va2 : TEXCOORD2) {
    float3 vt0 = mul(float3x4(vc[4], vc[5], vc[6]), va1);
    float4 v1 = float4(vt0 * rsqrt(max(dot(vt0, vt0), 1e-37)), vc[7].x);
    Varyings output;
    output.op = mul(float4x4(vc[0], vc[1], vc[2], vc[3]), va0);
    output.v0 = va2;
    output.v1 = v1;
    return output;
}

float4 fs_main(float4 v0 : TEXCOORD0, float4 v1 : TEXCOORD1) : SV_Target0 {
    float4 ft0 = fs0.Sample(fs0_sampler, v0.xy);
    float ft1 = saturate(dot(v1.xyz * rsqrt(max(dot(v1.xyz, v1.xyz), 1e-37)), fc[0].xyz));
    if (ft0.w < fc[1].w) {
        discard;
    }
    return float4(ft0.xyz * ((ft1 * fc[1].x) + fc[1].y), ft0.w);
}
