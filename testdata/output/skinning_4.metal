#include <metal_stdlib>

using namespace metal;

int to_int(float value) {
    return int(clamp(value, -2147483648.0, 2147483520.0));
}

struct Vertex {
    float4 va0 [[attribute(0)]];
    float4 va1 [[attribute(1)]];
    float4 va2 [[attribute(2)]];
    float4 va3 [[attribute(3)]];
    float4 va4 [[attribute(4)]];
};

struct Varyings {
    float4 op [[position]];
    float4 v0 [[user(loc0)]];
    float4 v1 [[user(loc1)]];
};

vertex Varyings vs_main(Vertex input [[stage_in]], constant float4* vc [[buffer(0)]]) {
    int va3_index = to_int(floor(input.va3.x + 0.5));
    float4 vc_1 = vc[clamp(va3_index + 8, 0, 127)];
    float4 vc_2 = vc[clamp(va3_index + 9, 0, 127)];
    float4 vc_3 = vc[clamp(va3_index + 10, 0, 127)];
    int va3_index_1 = to_int(floor(input.va3.y + 0.5));
    float4 vc_4 = vc[clamp(va3_index_1 + 8, 0, 127)];
    float4 vc_5 = vc[clamp(va3_index_1 + 9, 0, 127)];
    float4 vc_6 = vc[clamp(va3_index_1 + 10, 0, 127)];
    float3 vt1 = ((input.va0 * float3x4(vc_1, vc_2, vc_3)) * input.va4.x) + ((input.va0 * float3x4(vc_4, vc_5, vc_6)) * input.va4.y);
    int va3_index_2 = to_int(floor(input.va3.z + 0.5));
    float4 vc_7 = vc[clamp(va3_index_2 + 8, 0, 127)];
    float4 vc_8 = vc[clamp(va3_index_2 + 9, 0, 127)];
    float4 vc_9 = vc[clamp(va3_index_2 + 10, 0, 127)];
    float3 vt1_1 = vt1 + ((input.va0 * float3x4(vc_7, vc_8, vc_9)) * input.va4.z);
    int va3_index_3 = to_int(floor(input.va3.w + 0.5));
    float4 vc_10 = vc[clamp(va3_index_3 + 8, 0, 127)];
    float4 vc_11 = vc[clamp(va3_index_3 + 9, 0, 127)];
    float4 vc_12 = vc[clamp(va3_index_3 + 10, 0, 127)];
    float4 vt1_2 = float4(vt1_1 + ((input.va0 * float3x4(vc_10, vc_11, vc_12)) * input.va4.w), input.va0.w);
    float3 vt0 = (input.va1.xyz * float3x3(vc_4.xyz, vc_5.xyz, vc_6.xyz)) * input.va4.y;
    float3 vt2 = ((input.va1.xyz * float3x3(vc_1.xyz, vc_2.xyz, vc_3.xyz)) * input.va4.x) + vt0;
    float3 vt2_1 = vt2 + ((input.va1.xyz * float3x3(vc_7.xyz, vc_8.xyz, vc_9.xyz)) * input.va4.z);
    float3 vt2_2 = vt2_1 + ((input.va1.xyz * float3x3(vc_10.xyz, vc_11.xyz, vc_12.xyz)) * input.va4.w);
    float3 vt2_3 = vt2_2 * float3x3(vc[4].xyz, vc[5].xyz, vc[6].xyz);
    float4 v1 = float4(vt2_3 * rsqrt(max(dot(vt2_3, vt2_3), 1e-37)), input.va1.w);
    return Varyings { vt1_2 * float4x4(vc[0], vc[1], vc[2], vc[3]), input.va2, v1 };
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
    float ft0 = saturate(dot(input.v1.xyz * rsqrt(max(dot(input.v1.xyz, input.v1.xyz), 1e-37)), fc[0].xyz));
    float4 ft1 = fs0.sample(fs0_sampler, input.v0.xy);
    return float4(ft1.xyz * (ft0 + fc[0].w), ft1.w) * fc[1];
}
