#include <metal_stdlib>

using namespace metal;

struct Vertex {
    float4 va0 [[attribute(0)]];
    float4 va1 [[attribute(1)]];
    float4 va2 [[attribute(2)]];
    float4 va3 [[attribute(3)]];
};

struct Varyings {
    float4 op [[position]];
    float4 v0 [[user(loc0)]];
    float4 v1 [[user(loc1)]];
    float4 v2 [[user(loc2)]];
};

vertex Varyings vs_main(Vertex input [[stage_in]], constant float4* vc [[buffer(0)]]) {
    float3 v1 = input.va0 * float3x4(vc[0], vc[1], vc[2]);
    float4 vt0 = float4(v1.xy + (input.va1.xy * input.va2.x), v1.z - input.va2.x, vc[8].y);
    float4 op = vt0 * float4x4(vc[4], vc[5], vc[6], vc[7]);
    return Varyings { op, float4(input.va1.xy, vc[8].xx), float4(v1, input.va2.x), input.va3 };
}

struct Fragment {
    float4 v0 [[user(loc0)]];
    float4 v1 [[user(loc1)]];
    float4 v2 [[user(loc2)]];
};

struct Targets {
    float4 oc [[color(0)]];
    float od [[depth(any)]];
};

fragment Targets fs_main(Fragment input [[stage_in]], constant float4* fc [[buffer(0)]]) {
    float2 ft0 = input.v0.xy * input.v0.xy;
    float ft0_1 = ft0.x + ft0.y;
    if (fc[0].x < ft0_1) {
        discard_fragment();
    }
    float ft1 = -(sqrt(abs(fc[0].x - ft0_1)));
    float od = saturate(((1.0 / ((ft1 * input.v1.w) + input.v1.z)) * fc[0].w) + fc[0].z);
    float3 ft3 = input.v2.xyz * (saturate(dot(float3(input.v0.xy, ft1), fc[1].xyz)) + fc[0].y);
    return Targets { float4(ft3, input.v2.w), od };
}
