struct Varyings {
    @builtin(position) op: vec4<f32>,
    @location(0) v0: vec4<f32>,
    @location(1) v1: vec4<f32>,
}

@group(0) @binding(0) var<uniform> vc: array<vec4<f32>, 250>;
@group(0) @binding(1) var<uniform> fc: array<vec4<f32>, 1>;
@group(0) @binding(2) var fs0: texture_2d<f32>;
@group(0) @binding(3) var fs0_sampler: sampler;

@vertex
fn vs_main(@location(0) va0: vec4<f32>, @location(1) va1: vec4<f32>, @location(2) va2: vec4<f32>, @location(3) va3: vec4<f32>) -> Varyings {
    var vt0_1: vec3<f32>;
    var v1: f32;

    let va2_index = i32(floor(va2.x + 0.5));
    let vc_1 = vc[clamp(va2_index + 7i, 0i, 249i)];
    let vt0 = va0 * mat3x4<f32>(vc[clamp(va2_index + 5i, 0i, 249i)], vc[clamp(va2_index + 6i, 0i, 249i)], vc_1);
    vt0_1 = vt0;
    v1 = vc[4].y;
    if va3.y != vc[4].x {
        let va2_index_1 = i32(floor(va2.y + 0.5));
        let vc_2 = vc[clamp(va2_index_1 + 7i, 0i, 249i)];
        let vt2 = va0 * mat3x4<f32>(vc[clamp(va2_index_1 + 5i, 0i, 249i)], vc[clamp(va2_index_1 + 6i, 0i, 249i)], vc_2);
        let vt0_2 = (vt0 * va3.x) + (vt2 * va3.y);
        let vt1 = vc[4].y + vc[4].y;
        vt0_1 = vt0_2;
        v1 = vt1;
        if va3.z >= vc[4].z {
            let va2_index_2 = i32(floor(va2.z + 0.5));
            let vc_3 = vc[clamp(va2_index_2 + 7i, 0i, 249i)];
            let vt2_1 = va0 * mat3x4<f32>(vc[clamp(va2_index_2 + 5i, 0i, 249i)], vc[clamp(va2_index_2 + 6i, 0i, 249i)], vc_3);
            vt0_1 = vt0_2 + (vt2_1 * va3.z);
            v1 = vt1 + vc[4].y;
        }
    }
    return Varyings(vec4<f32>(vt0_1, vc[4].y) * mat4x4<f32>(vc[0], vc[1], vc[2], vc[3]), va1, vec4(v1));
}

@fragment
fn fs_main(@location(0) v0: vec4<f32>, @location(1) v1: vec4<f32>) -> @location(0) vec4<f32> {
    let ft0 = v1.x * fc[0].x;
    let ft1 = textureSample(fs0, fs0_sampler, v0.xy);
    return ((vec4<f32>(ft0, fc[0].z, fc[0].y - ft0, fc[0].y) - ft1) * fc[0].w) + ft1;
}
