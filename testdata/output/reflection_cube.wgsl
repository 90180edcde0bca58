struct Varyings {
    @builtin(position) op: vec4<f32>,
    @location(0) v0: vec4<f32>,
    @location(1) v1: vec4<f32>,
}

@group(0) @binding(0) var<uniform> vc: array<vec4<f32>, 8>;
@group(0) @binding(1) var<uniform> fc: array<vec4<f32>, 1>;
@group(0) @binding(2) var fs0: texture_cube<f32>;
@group(0) @binding(3) var fs0_sampler: sampler;
@group(0) @binding(4) var fs1: texture_cube<f32>;
@group(0) @binding(5) var fs1_sampler: sampler;

@vertex
fn vs_main(@location(0) va0: vec4<f32>, @location(1) va1: vec4<f32>) -> Varyings {
    let v0 = vec4<f32>(va0 * mat3x4<f32>(vc[4], vc[5], vc[6]), va0.w) - vc[7];
    let v1 = vec4<f32>(va1.xyz * mat3x3<f32>(vc[4].xyz, vc[5].xyz, vc[6].xyz), va1.w);
    return Varyings(va0 * mat4x4<f32>(vc[0], vc[1], vc[2], vc[3]), v0, v1);
}

@fragment
fn fs_main(@location(0) v0: vec4<f32>, @location(1) v1: vec4<f32>) -> @location(0) vec4<f32> {
    let ft0 = v0.xyz * inverseSqrt(max(dot(v0.xyz, v0.xyz), 1e-37));
    let ft1 = v1.xyz * inverseSqrt(max(dot(v1.xyz, v1.xyz), 1e-37));
    let ft2 = dot(ft1, ft0);
    let ft5 = textureSampleBias(fs1, fs1_sampler, ft1, 3.0);
    let ft4 = ((textureSample(fs0, fs0_sampler, ft0 - (ft1 * (ft2 + ft2))) - ft5) * fc[0].w) + ft5;
    return vec4<f32>(ft4.xyz * fc[0].xyz, ft4.w);
}
