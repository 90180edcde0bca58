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
    return Varyings { input.va0 * float4x4(vc[0], vc[1], vc[2], vc[3]), input.va1, input.va2, input.va3.xxxx };
}

struct Fragment {
    float4 v0 [[user(loc0)]];
    float4 v1 [[user(loc1)]];
    float4 v2 [[user(loc2)]];
};

fragment float4 fs_main(
    Fragment input [[stage_in]],
    constant float4* fc [[buffer(0)]],
    texture2d<float> fs0 [[texture(0)]],
    sampler fs0_sampler [[sampler(0)]],
    texture2d<float> fs1 [[texture(1)]],
    sampler fs1_sampler [[sampler(1)]],
    texture2d<float> fs2 [[texture(2)]],
    sampler fs2_sampler [[sampler(2)]],
    texture2d<float> fs3 [[texture(3)]],
    sampler fs3_sampler [[sampler(3)]],
    texture2d<float> fs4 [[texture(4)]],
    sampler fs4_sampler [[sampler(4)]]
) {
    float4 ft1 = float4(0.0);
    float ft0 = input.v2.x + fc[0].x;
    float ft0_1 = ft0 - fract(ft0);
    float2 v0_dx = dfdx(input.v0.xy);
    float2 v0_dy = dfdy(input.v0.xy);
    if (ft0_1 < fc[0].x) {
        ft1 = fs0.sample(fs0_sampler, input.v0.xy, gradient2d(v0_dx, v0_dy));
    } else if (ft0_1 < fc[0].y) {
        ft1 = fs1.sample(fs1_sampler, input.v0.xy, gradient2d(v0_dx, v0_dy));
    } else if (ft0_1 == fc[0].z) {
        ft1 = fs3.sample(fs3_sampler, input.v0.xy, level(0.0));
    } else if (ft0_1 == fc[0].w) {
        ft1 = fs4.sample(fs4_sampler, input.v0.xy, level(0.0));
    } else {
        ft1 = fs2.sample(fs2_sampler, input.v0.xy, gradient2d(v0_dx, v0_dy));
    }
    return ft1 * input.v1;
}
