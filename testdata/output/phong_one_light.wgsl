struct Varyings {
    @builtin(position) op: vec4<f32>,
    @location(0) v0: vec4<f32>,
    @location(1) v1: vec4<f32>,
    @location(2) v2: vec4<f32>,
}

@group(0) @binding(0) var<uniform> vc: array<vec4<f32>, 7>;
@group(0) @binding(1) var<uniform> fc: array<vec4<f32>, 4>;
@group(0) @binding(2) var fs0: texture_2d<f32>;
@group(0) @binding(3) var fs0_sampler: sampler;

@vertex
fn vs_main(@location(0) va0: vec4<f32>, @location(1) va1: vec4<f32>, @location(2) va2: vec4<f32>) -> Varyings {
    let v0 = vec4<f32>(va0 * mat3x4<f32>(vc[4], vc[5], vc[6]), va0.w);
    let v1 = vec4<f32>(va1.xyz * mat3x3<f32>(vc[4].xyz, vc[5].xyz, vc[6].xyz), va1.w);
    return Varyings(va0 * mat4x4<f32>(vc[0], vc[1], vc[2], vc[3]), v0, v1, va2);
}

@fragment
fn fs_main(@location(0) v0: vec4<f32>, @location(1) v1: vec4<f32>, @location(2) v2: vec4<f32>) -> @location(0) vec4<f32> {
    let ft0 = v1.xyz * inverseSqrt(max(dot(v1.xyz, v1.xyz), 1e-37));
    let ft1 = fc[3].xyz - v0.xyz;
    let ft2 = dot(ft0, fc[0].xyz);
    let ft2_1 = dot((ft0 * (ft2 + ft2)) - fc[0].xyz, ft1 * inverseSqrt(max(dot(ft1, ft1), 1e-37)));
    let ft2_2 = max(vec2<f32>(ft2, ft2_1), vec2(fc[3].w));
    let ft2_3 = select(pow(abs(ft2_2.y), fc[2].w), 1.0, fc[2].w == 0.0);
    let ft4 = textureSample(fs0, fs0_sampler, v2.xy);
    let ft5 = fc[1].xyz * (ft2_3 * f32(fc[3].w < ft2));
    return vec4<f32>((ft4.xyz * ((fc[1].xyz * ft2_2.x) + fc[2].xyz)) + ft5, ft4.w);
}
