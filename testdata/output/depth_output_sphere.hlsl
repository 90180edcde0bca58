struct Varyings {
    float4 v0 : TEXCOORD0;
    float4 v1 : TEXCOORD1;
    float4 v2 : TEXCOORD2;
    float4 op : SV_Position;
};

struct Targets {
    float4 oc : SV_Target0;
    float od : SV_Depth;
};

cbuffer VertexConstants : register(b0) { float4 vc[9]; }
cbuffer FragmentConstants : register(b1) { float4 fc[2]; }

Varyings vs_main(float4 va0 : TEXCOORD0, float4 va1 : TEXCOORD1, float4 va2 : TEXCOORD2, float4 va3 : TEXCOORD3) {
    float3 v1 = mul(float3x4(vc[0], vc[1], vc[2]), va0);
    float4 vt0 = float4(v1.xy + (va1.xy * va2.x), v1.z - va2.x, vc[8].y);
    float4 op = mul(float4x4(vc[4], vc[5], vc[6], vc[7]), vt0);
    Varyings output;
    output.op = op;
    output.v0 = float4(va1.xy, vc[8].xx);
    output.v1 = float4(v1, va2.x);
    output.v2 = va3;
    return output;
}

Targets fs_main(float4 v0 : TEXCOORD0, float4 v1 : TEXCOORD1, float4 v2 : TEXCOORD2) {
    float2 ft0 = v0.xy * v0.xy;
    float ft0_1 = ft0.x + ft0.y;
    if (fc[0].x < ft0_1) {
        discard;
    }
    float ft1 = -(sqrt(abs(fc[0].x - ft0_1)));
    float od = saturate(((1.0 / ((ft1 * v1.w) + v1.z)) * fc[0].w) + fc[0].z);
    float3 ft3 = v2.xyz * (saturate(dot(float3(v0.xy, ft1), fc[1].xyz)) + fc[0].y);
    Targets output;
    output.oc = float4(ft3, v2.w);
    output.od = od;
    return output;
}
