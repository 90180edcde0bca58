struct Varyings {
    @builtin(position) op: vec4<f32>,
    @location(0) v0: vec4<f32>,
    @location(1) v1: vec4<f32>,
}

@group(0) @binding(0) var<uniform> vc: array<vec4<f32>, 6>;
@group(0) @binding(1) var<uniform> fc: array<vec4<f32>, 5>;
@group(0) @binding(2) var fs0: texture_2d<f32>;
@group(0) @binding(3) var fs0_sampler: sampler;
@group(0) @binding(4) var fs1: texture_2d<f32>;
@group(0) @binding(5) var fs1_sampler: sampler;
@group(0) @binding(6) var fs2: texture_2d<f32>;
@group(0) @binding(7) var fs2_sampler: sampler;

@vertex
fn vs_main(@location(0) va0: vec4<f32>) -> Varyings {
    let vt0 = vec4<f32>((va0.xyz * vc[5].x) + vc[4].xyz, vc[4].w);
    let v0 = vt0 * mat4x4<f32>(vc[0], vc[1], vc[2], vc[3]);
    return Varyings(v0, v0, vt0);
}

@fragment
fn fs_main(@location(0) v0: vec4<f32>, @location(1) v1: vec4<f32>) -> @location(0) vec4<f32> {
    let ft0 = ((v0.xy / vec2(v0.w)) * fc[4].xy) + vec2(fc[4].x);
    let ft1 = textureSample(fs0, fs0_sampler, ft0);
    let ft2 = textureSample(fs1, fs1_sampler, ft0);
    let ft3 = v1.xyz * ((dot(textureSample(fs2, fs2_sampler, ft0), fc[0]) * fc[4].z) / v1.z);
    let ft4 = fc[2].xyz - ft3;
    let ft4_1 = dot(ft4, ft4);
    let ft4_2 = ft4 * inverseSqrt(ft4_1);
    let ft4_3 = saturate(fc[1].y - (ft4_1 * fc[2].w));
    let ft2_1 = (ft2.xyz * fc[1].x) - vec3(fc[1].y);
    let ft2_2 = ft2_1 * inverseSqrt(max(dot(ft2_1, ft2_1), 1e-37));
    let ft5 = ft4_2 - (ft3 * inverseSqrt(max(dot(ft3, ft3), 1e-37)));
    let ft6 = vec2<f32>(dot(ft2_2, ft4_2), dot(ft2_2, ft5 * inverseSqrt(max(dot(ft5, ft5), 1e-37))));
    let ft6_1 = max(ft6, vec2(fc[1].z));
    let ft6_2 = (ft2.w * fc[1].w) + fc[1].y;
    let ft6_3 = (select(pow(abs(ft6_1.y), ft6_2), 1.0, ft6_2 == 0.0) * ft1.w) * ft6_1.x;
    return vec4<f32>((((ft1.xyz * ft6_1.x) + vec3(ft6_3)) * fc[3].xyz) * (ft4_3 * ft4_3), fc[3].w);
}
