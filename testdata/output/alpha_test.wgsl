struct Varyings {
    @builtin(position) op: vec4<f32>,
    @location(0) v0: vec4<f32>,
}

@group(0) @binding(0) var<uniform> vc: array<vec4<f32>, 4>;
@group(0) @binding(1) var<uniform> fc: array<vec4<f32>, 1>;
@group(0) @binding(2) var fs0: texture_2d<f32>;
@group(0) @binding(3) var fs0_sampler: sampler;

@vertex
fn vs_main(@location(0) va0: vec4<f32>, @location(1) va1: vec4<f32>) -> Varyings {
    return Varyings(va0 * mat4x4<f32>(vc[0], vc[1], vc[2], vc[3]), va1);
}

@fragment
fn fs_main(@location(0) v0: vec4<f32>) -> @location(0) vec4<f32> {
    let ft0 = textureSample(fs0, fs0_sampler, v0.xy);
    if ft0.w < fc[0].x {
        discard;
    }
    return vec4<f32>(ft0.xyz, fc[0].y);
}
