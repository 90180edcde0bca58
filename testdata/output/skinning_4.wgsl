struct Varyings {
    @builtin(position) op: vec4<f32>,
    @location(0) v0: vec4<f32>,
    @location(1) v1: vec4<f32>,
}

@group(0) @binding(0) var<uniform> vc: array<vec4<f32>, 128>;
@group(0) @binding(1) var<uniform> fc: array<vec4<f32>, 2>;
@group(0) @binding(2) var fs0: texture_2d<f32>;
@group(0) @binding(3) var fs0_sampler: sampler;

@vertex
fn vs_main(@location(0) va0: vec4<f32>, @location(1) va1: vec4<f32>, @location(2) va2: vec4<f32>, @location(3) va3: vec4<f32>, @location(4) va4: vec4<f32>) -> Varyings {
    let va3_index = i32(floor(va3.x + 0.5));
    let vc_1 = vc[clamp(va3_index + 8i, 0i, 127i)];
    let vc_2 = vc[clamp(va3_index + 9i, 0i, 127i)];
    let vc_3 = vc[clamp(va3_index + 10i, 0i, 127i)];
    let va3_index_1 = i32(floor(va3.y + 0.5));
    let vc_4 = vc[clamp(va3_index_1 + 8i, 0i, 127i)];
    let vc_5 = vc[clamp(va3_index_1 + 9i, 0i, 127i)];
    let vc_6 = vc[clamp(va3_index_1 + 10i, 0i, 127i)];
    let vt1 = ((va0 * mat3x4<f32>(vc_1, vc_2, vc_3)) * va4.x) + ((va0 * mat3x4<f32>(vc_4, vc_5, vc_6)) * va4.y);
    let va3_index_2 = i32(floor(va3.z + 0.5));
    let vc_7 = vc[clamp(va3_index_2 + 8i, 0i, 127i)];
    let vc_8 = vc[clamp(va3_index_2 + 9i, 0i, 127i)];
    let vc_9 = vc[clamp(va3_index_2 + 10i, 0i, 127i)];
    let vt1_1 = vt1 + ((va0 * mat3x4<f32>(vc_7, vc_8, vc_9)) * va4.z);
    let va3_index_3 = i32(floor(va3.w + 0.5));
    let vc_10 = vc[clamp(va3_index_3 + 8i, 0i, 127i)];
    let vc_11 = vc[clamp(va3_index_3 + 9i, 0i, 127i)];
    let vc_12 = vc[clamp(va3_index_3 + 10i, 0i, 127i)];
    let vt1_2 = vec4<f32>(vt1_1 + ((va0 * mat3x4<f32>(vc_10, vc_11, vc_12)) * va4.w), va0.w);
    let vt0 = (va1.xyz * mat3x3<f32>(vc_4.xyz, vc_5.xyz, vc_6.xyz)) * va4.y;
    let vt2 = ((va1.xyz * mat3x3<f32>(vc_1.xyz, vc_2.xyz, vc_3.xyz)) * va4.x) + vt0;
    let vt2_1 = vt2 + ((va1.xyz * mat3x3<f32>(vc_7.xyz, vc_8.xyz, vc_9.xyz)) * va4.z);
    let vt2_2 = vt2_1 + ((va1.xyz * mat3x3<f32>(vc_10.xyz, vc_11.xyz, vc_12.xyz)) * va4.w);
    let vt2_3 = vt2_2 * mat3x3<f32>(vc[4].xyz, vc[5].xyz, vc[6].xyz);
    let v1 = vec4<f32>(vt2_3 * inverseSqrt(max(dot(vt2_3, vt2_3), 1e-37)), va1.w);
    return Varyings(vt1_2 * mat4x4<f32>(vc[0], vc[1], vc[2], vc[3]), va2, v1);
}

@fragment
fn fs_main(@location(0) v0: vec4<f32>, @location(1) v1: vec4<f32>) -> @location(0) vec4<f32> {
    let ft0 = saturate(dot(v1.xyz * inverseSqrt(max(dot(v1.xyz, v1.xyz), 1e-37)), fc[0].xyz));
    let ft1 = textureSample(fs0, fs0_sampler, v0.xy);
    return vec4<f32>(ft1.xyz * (ft0 + fc[0].w), ft1.w) * fc[1];
}
