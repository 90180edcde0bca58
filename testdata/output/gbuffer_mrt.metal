#include <metal_stdlib>

using namespace metal;

struct Vertex {
    float4 va0 [[attribute(0)]];
    float4 va1 [[attribute(1)]];
    float4 va2 [[attribute(2)]];
};

struct Varyings {
    float4 op [[position]];
    float4 v0 [[user(loc0)]];
    float4 v1 [[user(loc1)]];
};

vertex Varyings vs_main(Vertex input [[stage_in]], constant float4* vc [[buffer(0)]]) {
    float4 v1 = float4(input.va1.xyz * float3x3(vc[4].xyz, vc[5].xyz, vc[6].xyz), dot(input.va0, vc[6]) * vc[7].x);
    return Varyings { input.va0 * float4x4(vc[0], vc[1], vc[2], vc[3]), input.va2, v1 };
}

struct Fragment {
    float4 v0 [[user(loc0)]];
    float4 v1 [[user(loc1)]];
};

struct Targets {
    float4 oc [[color(0)]];
    float4 oc1 [[color(1)]];
    float4 oc2 [[color(2)]];
};

fragment Targets fs_main(
    Fragment input [[stage_in]],
    constant float4* fc [[buffer(0)]],
    texture2d<float> fs0 [[texture(0)]],
    sampler fs0_sampler [[sampler(0)]],
    texture2d<float> fs1 [[texture(1)]],
    sampler fs1_sampler [[sampler(1)]]
) {
    float4 ft0 = fs0.sample(fs0_sampler, input.v0.xy);
    float4 ft2 = fs1.sample(fs1_sampler, input.v0.xy);
    if (ft0.w < fc[2].x) {
        discard_fragment();
    }
    float3 ft3 = ((input.v1.xyz * rsqrt(max(dot(input.v1.xyz, input.v1.xyz), 1e-37))) * fc[2].x) + float3(fc[2].x);
    float4 ft4 = fract(fc[0] * min(saturate(input.v1.w), fc[2].y));
    return Targets { float4(ft0.xyz, ft2.x), float4(ft3, ft2.y), ft4 - (ft4.yzww * fc[1]) };
}
