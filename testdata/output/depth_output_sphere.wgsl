struct Varyings {
    @builtin(position) op: vec4<f32>,
    @location(0) v0: vec4<f32>,
    @location(1) v1: vec4<f32>,
    @location(2) v2: vec4<f32>,
}

struct Targets {
    @location(0) oc: vec4<f32>,
    @builtin(frag_depth) od: f32,
}

@group(0) @binding(0) var<uniform> vc: array<vec4<f32>, 9>;
@group(0) @binding(1) var<uniform> fc: array<vec4<f32>, 2>;

@vertex
fn vs_main(@location(0) va0: vec4<f32>, @location(1) va1: vec4<f32>, @location(2) va2: vec4<f32>, @location(3) va3: vec4<f32>) -> Varyings {
    let v1 = va0 * mat3x4<f32>(vc[0], vc[1], vc[2]);
    let vt0 = vec4<f32>(v1.xy + (va1.xy * va2.x), v1.z - va2.x, vc[8].y);
    let op = vt0 * mat4x4<f32>(vc[4], vc[5], vc[6], vc[7]);
    return Varyings(op, vec4<f32>(va1.xy, vc[8].xx), vec4<f32>(v1, va2.x), va3);
}

@fragment
fn fs_main(@location(0) v0: vec4<f32>, @location(1) v1: vec4<f32>, @location(2) v2: vec4<f32>) -> Targets {
    let ft0 = v0.xy * v0.xy;
    let ft0_1 = ft0.x + ft0.y;
    if fc[0].x < ft0_1 {
        discard;
    }
    let ft1 = -(sqrt(abs(fc[0].x - ft0_1)));
    let od = saturate(((1.0 / ((ft1 * v1.w) + v1.z)) * fc[0].w) + fc[0].z);
    let ft3 = v2.xyz * (saturate(dot(vec3<f32>(v0.xy, ft1), fc[1].xyz)) + fc[0].y);
    return Targets(vec4<f32>(ft3, v2.w), od);
}
