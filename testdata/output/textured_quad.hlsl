struct Varyings {
    float4 v0 : TEXCOORD0;
    float4 op : SV_Position;
};

cbuffer VertexConstants : register(b0) { float4 vc[4]; }
Texture2D<float4> fs0 : register(t2);
SamplerState fs0_sampler : register(s3);

Varyings vs_main(float4 va0 : TEXCOORD0, float4 va1 : TEXCOORD1) {
    Varyings output;
    output.op = mul(float4x4(vc[0], vc[1], vc[2], vc[3]), va0);
    output.v0 = va1;
    return output;
}

float4 fs_main(float4 v0 : TEXCOORD0) : SV_Target0 {
    return fs0.Sample(fs0_sampler, v0.xy);
}
