struct Varyings {
    @builtin(position) op: vec4<f32>,
    @location(0) v0: vec4<f32>,
    @location(1) v1: vec4<f32>,
}

struct Targets {
    @location(0) oc: vec4<f32>,
    @location(1) oc1: vec4<f32>,
    @location(2) oc2: vec4<f32>,
}

@group(0) @binding(0) var<uniform> vc: array<vec4<f32>, 8>;
@group(0) @binding(1) var<uniform> fc: array<vec4<f32>, 3>;
@group(0) @binding(2) var fs0: texture_2d<f32>;
@group(0) @binding(3) var fs0_sampler: sampler;
@group(0) @binding(4) var fs1: texture_2d<f32>;
@group(0) @binding(5) var fs1_sampler: sampler;

@vertex
fn vs_main(@location(0) va0: vec4<f32>, @location(1) va1: vec4<f32>, @location(2) va2: vec4<f32>) -> Varyings {
    let v1 = vec4<f32>(va1.xyz * mat3x3<f32>(vc[4].xyz, vc[5].xyz, vc[6].xyz), dot(va0, vc[6]) * vc[7].x);
    return Varyings(va0 * mat4x4<f32>(vc[0], vc[1], vc[2], vc[3]), va2, v1);
}

@fragment
fn fs_main(@location(0) v0: vec4<f32>, @location(1) v1: vec4<f32>) -> Targets {
    let ft0 = textureSample(fs0, fs0_sampler, v0.xy);
    let ft2 = textureSample(fs1, fs1_sampler, v0.xy);
    if ft0.w < fc[2].x {
        discard;
    }
    let ft3 = ((v1.xyz * inverseSqrt(max(dot(v1.xyz, v1.xyz), 1e-37))) * fc[2].x) + vec3(fc[2].x);
    let ft4 = fract(fc[0] * min(saturate(v1.w), fc[2].y));
    return Targets(vec4<f32>(ft0.xyz, ft2.x), vec4<f32>(ft3, ft2.y), ft4 - (ft4.yzww * fc[1]));
}
