struct Varyings {
    @builtin(position) op: vec4<f32>,
    @location(0) v0: vec4<f32>,
    @location(1) v1: vec4<f32>,
    @location(2) v2: vec4<f32>,
}

@group(0) @binding(0) var<uniform> vc: array<vec4<f32>, 4>;
@group(0) @binding(1) var<uniform> fc: array<vec4<f32>, 1>;
@group(0) @binding(2) var fs0: texture_2d<f32>;
@group(0) @binding(3) var fs0_sampler: sampler;
@group(0) @binding(4) var fs1: texture_2d<f32>;
@group(0) @binding(5) var fs1_sampler: sampler;
@group(0) @binding(6) var fs2: texture_2d<f32>;
@group(0) @binding(7) var fs2_sampler: sampler;
@group(0) @binding(8) var fs3: texture_2d<f32>;
@group(0) @binding(9) var fs3_sampler: sampler;
@group(0) @binding(10) var fs4: texture_2d<f32>;
@group(0) @binding(11) var fs4_sampler: sampler;

@vertex
fn vs_main(@location(0) va0: vec4<f32>, @location(1) va1: vec4<f32>, @location(2) va2: vec4<f32>, @location(3) va3: vec4<f32>) -> Varyings {
    return Varyings(va0 * mat4x4<f32>(vc[0], vc[1], vc[2], vc[3]), va1, va2, va3.xxxx);
}

@fragment
fn fs_main(@location(0) v0: vec4<f32>, @location(1) v1: vec4<f32>, @location(2) v2: vec4<f32>) -> @location(0) vec4<f32> {
    var ft1: vec4<f32>;

    let ft0 = v2.x + fc[0].x;
    let ft0_1 = ft0 - fract(ft0);
    let v0_dx = dpdx(v0.xy);
    let v0_dy = dpdy(v0.xy);
    if ft0_1 < fc[0].x {
        ft1 = textureSampleGrad(fs0, fs0_sampler, v0.xy, v0_dx, v0_dy);
    } else if ft0_1 < fc[0].y {
        ft1 = textureSampleGrad(fs1, fs1_sampler, v0.xy, v0_dx, v0_dy);
    } else if ft0_1 == fc[0].z {
        ft1 = textureSampleLevel(fs3, fs3_sampler, v0.xy, 0.0);
    } else if ft0_1 == fc[0].w {
        ft1 = textureSampleLevel(fs4, fs4_sampler, v0.xy, 0.0);
    } else {
        ft1 = textureSampleGrad(fs2, fs2_sampler, v0.xy, v0_dx, v0_dy);
    }
    return ft1 * v1;
}
