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
    float3 vt0 = input.va1 * float3x4(vc[4], vc[5], vc[6]);
    float4 v1 = float4(vt0 * rsqrt(max(dot(vt0, vt0), 1e-37)), vc[7].x);
    return Varyings { input.va0 * float4x4(vc[0], vc[1], vc[2], vc[3]), input.va2, v1 };
}

struct Fragment {
    float4 v0 [[user(loc0)]];
    float4 v1 [[user(loc1)]];
};

fragment float4 fs_main(
    Fragment input [[stage_in]],
    constant float4* fc [[buffer(0)]],
    texture2d<float> fs0 [[texture(0)]],
    sampler fs0_sampler [[sampler(0)]]
) {
    float4 ft0 = fs0.sample(fs0_sampler, input.v0.xy);
    float ft1 = saturate(dot(input.v1.xyz * rsqrt(max(dot(input.v1.xyz, input.v1.xyz), 1e-37)), fc[0].xyz));
    if (ft0.w < fc[1].w) {
        discard_fragment();
    }
    return float4(ft0.xyz * ((ft1 * fc[1].x) + fc[1].y), ft0.w);
}
