struct Varyings {
    float4 v0 : TEXCOORD0;
    float4 v1 : TEXCOORD1;
    float4 v2 : TEXCOORD2;
    float4 op : SV_Position;
};

cbuffer VertexConstants : register(b0) { float4 vc[4]; }
cbuffer FragmentConstants : register(b1) { float4 fc[1]; }
Texture2D<float4> fs0 : register(t2);
SamplerState fs0_sampler : register(s3);
Texture2D<float4> fs1 : register(t4);
SamplerState fs1_sampler : register(s5);
Texture2D<float4> fs2 : register(t6);
SamplerState fs2_sampler : register(s7);
Texture2D<float4> fs3 : register(t8);
SamplerState fs3_sampler : register(s9);
Texture2D<float4> fs4 : register(t10);
SamplerState fs4_sampler : register(s11);

Varyings vs_main(float4 va0 : TEXCOORD0, float4 va1 : TEXCOORD1, float4 va2 : TEXCOORD2, float4 va3 : TEXCOORD3) {
    Varyings output;
    output.op = mul(float4x4(vc[0], vc[1], vc[2], vc[3]), va0);
    output.v0 = va1;
    output.v1 = va2;
    output.v2 = va3.xxxx;
    return output;
}

float4 fs_main(float4 v0 : TEXCOORD0, float4 v1 : TEXCOORD1, float4 v2 : TEXCOORD2) : SV_Target0 {
    float4 ft1 = (float4)0;
    float ft0 = v2.x + fc[0].x;
    float ft0_1 = ft0 - frac(ft0);
    float2 v0_dx = ddx(v0.xy);
    float2 v0_dy = ddy(v0.xy);
    if (ft0_1 < fc[0].x) {
        ft1 = fs0.SampleGrad(fs0_sampler, v0.xy, v0_dx, v0_dy);
    } else if (ft0_1 < fc[0].y) {
        ft1 = fs1.SampleGrad(fs1_sampler, v0.xy, v0_dx, v0_dy);
    } else if (ft0_1 == fc[0].z) {
        ft1 = fs3.SampleLevel(fs3_sampler, v0.xy, 0.0);
    } else if (ft0_1 == fc[0].w) {
        ft1 = fs4.SampleLevel(fs4_sampler, v0.xy, 0.0);
    } else {
        ft1 = fs2.SampleGrad(fs2_sampler, v0.xy, v0_dx, v0_dy);
    }
    return ft1 * v1;
}
