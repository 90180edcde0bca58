struct Varyings {
    @builtin(position) op: vec4<f32>,
    @location(0) v0: vec4<f32>,
    @location(1) v1: vec4<f32>,
}

@group(0) @binding(0) var<uniform> vc: array<vec4<f32>, 4>;
@group(0) @binding(1) var<uniform> fc: array<vec4<f32>, 2>;
@group(0) @binding(2) var fs0: texture_2d<f32>;
@group(0) @binding(3) var fs0_sampler: sampler;

@vertex
fn vs_main(@location(0) va0: vec4<f32>, @location(1) va1: vec4<f32>, @location(2) va2: vec4<f32>) -> Varyings {
    return Varyings(va0 * mat4x4<f32>(vc[0], vc[1], vc[2], vc[3]), va1, va2);
}

@fragment
fn fs_main(@location(0) v0: vec4<f32>, @location(1) v1: vec4<f32>) -> @location(0) vec4<f32> {
    let ft0 = textureSample(fs0, fs0_sampler, v0.xy);
    let ft1 = vec2<f32>(dpdx(ft0.w), dpdy(ft0.w));
    let ft1_1 = ft1 * ft1;
    let ft1_2 = max(sqrt(ft1_1.x + ft1_1.y) * fc[0].y, fc[1].x);
    let ft2 = saturate(((ft0.w - fc[0].x) + ft1_2) / (ft1_2 + ft1_2));
    let ft3 = v1.w * ((ft2 * ft2) * (fc[0].w - (ft2 * fc[0].z)));
    return vec4<f32>(v1.xyz * ft3, ft3);
}
