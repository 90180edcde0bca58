struct Varyings {
    float4 v0 : TEXCOORD0;
    float4 v1 : TEXCOORD1;
    float4 op : SV_Position;
};

cbuffer VertexConstants : register(b0) { float4 vc[128]; }
cbuffer FragmentConstants : register(b1) { float4 fc[2]; }
Texture2D<float4> fs0 : register(t2);
SamplerState fs0_sampler : register(s3);

int to_int(float value) {
    return int(clamp(value, -2147483648.0, 2147483520.0));
}

Varyings vs_main(float4 va0 : TEXCOORD0, float4 va1 : TEXCOORD1, float4 va2 : TEXCOORD2, float4 va3 : TEXCOORD3, float4 va4 : TEXCOORD4) {
    int va3_index = to_int(floor(va3.x + 0.5));
    float4 vc_1 = vc[clamp(va3_index + 8, 0, 127)];
    float4 vc_2 = vc[clamp(va3_index + 9, 0, 127)];
    float4 vc_3 = vc[clamp(va3_index + 10, 0, 127)];
    int va3_index_1 = to_int(floor(va3.y + 0.5));
    float4 vc_4 = vc[clamp(va3_index_1 + 8, 0, 127)];
    float4 vc_5 = vc[clamp(va3_index_1 + 9, 0, 127)];
    float4 vc_6 = vc[clamp(va3_index_1 + 10, 0, 127)];
    float3 vt1 = (mul(float3x4(vc_1, vc_2, vc_3), va0) * va4.x) + (mul(float3x4(vc_4, vc_5, vc_6), va0) * va4.y);
    int va3_index_2 = to_int(floor(va3.z + 0.5));
    float4 vc_7 = vc[clamp(va3_index_2 + 8, 0, 127)];
    float4 vc_8 = vc[clamp(va3_index_2 + 9, 0, 127)];
    float4 vc_9 = vc[clamp(va3_index_2 + 10, 0, 127)];
    float3 vt1_1 = vt1 + (mul(float3x4(vc_7, vc_8, vc_9), va0) * va4.z);
    int va3_index_3 = to_int(floor(va3.w + 0.5));
    float4 vc_10 = vc[clamp(va3_index_3 + 8, 0, 127)];
    float4 vc_11 = vc[clamp(va3_index_3 + 9, 0, 127)];
    float4 vc_12 = vc[clamp(va3_index_3 + 10, 0, 127)];
    float4 vt1_2 = float4(vt1_1 + (mul(float3x4(vc_10, vc_11, vc_12), va0) * va4.w), va0.w);
    float3 vt0 = mul(float3x3(vc_4.xyz, vc_5.xyz, vc_6.xyz), va1.xyz) * va4.y;
    float3 vt2 = (mul(float3x3(vc_1.xyz, vc_2.xyz, vc_3.xyz), va1.xyz) * va4.x) + vt0;
    float3 vt2_1 = vt2 + (mul(float3x3(vc_7.xyz, vc_8.xyz, vc_9.xyz), va1.xyz) * va4.z);
    float3 vt2_2 = vt2_1 + (mul(float3x3(vc_10.xyz, vc_11.xyz, vc_12.xyz), va1.xyz) * va4.w);
    float3 vt2_3 = mul(float3x3(vc[4].xyz, vc[5].xyz, vc[6].xyz), vt2_2);
    float4 v1 = float4(vt2_3 * rsqrt(max(dot(vt2_3, vt2_3), 1e-37)), va1.w);
    Varyings output;
    output.op = mul(float4x4(vc[0], vc[1], vc[2], vc[3]), vt1_2);
    output.v0 = va2;
    output.v1 = v1;
    return output;
}

float4 fs_main(float4 v0 : TEXCOORD0, float4 v1 : TEXCOORD1) : SV_Target0 {
    float ft0 = saturate(dot(v1.xyz * rsqrt(max(dot(v1.xyz, v1.xyz), 1e-37)), fc[0].xyz));
    float4 ft1 = fs0.Sample(fs0_sampler, v0.xy);
    return float4(ft1.xyz * (ft0 + fc[0].w), ft1.w) * fc[1];
}
