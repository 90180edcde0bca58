struct Varyings {
    @builtin(position) op: vec4<f32>,
    @location(0) v0: vec4<f32>,
    @location(1) v1: vec4<f32>,
}

@group(0) @binding(0) var<uniform> vc: array<vec4<f32>, 8>;
@group(0) @binding(1) var<uniform> fc: array<vec4<f32>, 2>;
@group(0) @binding(2) var fs0: texture_2d<f32>;
@group(0) @binding(3) var fs0_sampler: sampler;

@vertex
fn vs_main(@location(0) va0: vec4<f32>, @location(1) va1: vec4<f32>, @location(2) va2: vec4<f32>) -> Varyings {
    let vt0 = va1 * mat3x4<f32>(vc[4], vc[5], vc[6]);
    let v1 = vec4<f32>(vt0 * inverseSqrt(max(dot(vt0, vt0), 1e-37)), vc[7].x);
    return Varyings(va0 * mat4x4<f32>(vc[0], vc[1], vc[2], vc[3]), va2, v1);
}

@fragment
fn fs_main(@location(0) v0: vec4<f32>, @location(1) v1: vec4<f32>) -> @location(0) vec4<f32> {
    let ft0 = textureSample(fs0, fs0_sampler, v0.xy);
    let ft1 = saturate(dot(v1.xyz * inverseSqrt(max(dot(v1.xyz, v1.xyz), 1e-37)), fc[0].xyz));
    if ft0.w < fc[1].w {
        discard;
    }
    return vec4<f32>(ft0.xyz * ((ft1 * fc[1].x) + fc[1].y), ft0.w);
}
