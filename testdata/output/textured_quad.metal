#include <metal_stdlib>

using namespace metal;

struct Vertex {
    float4 va0 [[attribute(0)]];
    float4 va1 [[attribute(1)]];
};

struct Varyings {
    float4 op [[position]];
    float4 v0 [[user(loc0)]];
};

vertex Varyings vs_main(Vertex input [[stage_in]], constant float4* vc [[buffer(0)]]) {
    return Varyings { input.va0 * float4x4(vc[0], vc[1], vc[2], vc[3]), input.va1 };
}

struct Fragment {
    float4 v0 [[user(loc0)]];
};

fragment float4 fs_main(Fragment input [[stage_in]], texture2d<float> fs0 [[texture(0)]], sampler fs0_sampler [[sampler(0)]]) {
    return fs0.sample(fs0_sampler, input.v0.xy);
}
