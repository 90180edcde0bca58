struct Varyings {
    @builtin(position) op: vec4<f32>,
    @location(0) v0: vec4<f32>,
}

@group(0) @binding(0) var<uniform> vc: array<vec4<f32>, 1>;
@group(0) @binding(1) var<uniform> fc: array<vec4<f32>, 12>;

@vertex
fn vs_main(@location(0) va0: vec4<f32>) -> Varyings {
    return Varyings(va0, va0 * vc[0]);
}

@fragment
fn fs_main(@location(0) v0: vec4<f32>) -> @location(0) vec4<f32> {
    var ft2: f32;
    var ft3: vec3<f32>;
    var ft4_1: vec4<f32>;
    var ft4_2: vec3<f32>;
    var ft12_1: vec2<f32>;
    var ft12_2: f32;
    var ft7: f32;
    var ft8: vec3<f32>;
    var ft9_1: vec3<f32>;
    var ft12_7: vec2<f32>;
    var ft12_8: f32;

    let ft1 = vec3<f32>(v0.xy, fc[0].w);
    let ft1_1 = ft1 * inverseSqrt(max(dot(ft1, ft1), 1e-37));
    let ft4 = ((fc[11] - fc[10]) * max(ft1_1.y, fc[6].x)) + fc[10];
    let ft10 = fc[0].xyz - fc[1].xyz;
    let ft11 = dot(ft10, ft1_1);
    let ft11_1 = (ft11 * ft11) - (dot(ft10, ft10) - fc[1].w);
    ft2 = fc[6].w;
    ft3 = fc[6].xxx;
    ft4_1 = ft4;
    if ft11_1 >= fc[6].x {
        let ft2_1 = -(ft11 + sqrt(abs(ft11_1)));
        if ft2_1 >= fc[7].x {
            if ft2_1 < fc[6].w {
                let ft3_1 = (ft1_1 * ft2_1) + ft10;
                ft2 = ft2_1;
                ft3 = ft3_1 * inverseSqrt(max(dot(ft3_1, ft3_1), 1e-37));
                ft4_1 = fc[3];
            }
        }
    }
    let ft10_1 = fc[0].xyz - fc[2].xyz;
    let ft11_2 = dot(ft10_1, ft1_1);
    let ft11_3 = (ft11_2 * ft11_2) - (dot(ft10_1, ft10_1) - fc[2].w);
    if ft11_3 >= fc[6].x {
        let ft2_2 = -(ft11_2 + sqrt(abs(ft11_3)));
        if ft2_2 >= fc[7].x {
            if ft2_2 < ft2 {
                let ft3_2 = (ft1_1 * ft2_2) + ft10_1;
                ft2 = ft2_2;
                ft3 = ft3_2 * inverseSqrt(max(dot(ft3_2, ft3_2), 1e-37));
                ft4_1 = fc[4];
            }
        }
    }
    if ft1_1.y < fc[6].x {
        let ft2_3 = (fc[7].z - fc[0].y) / ft1_1.y;
        if ft2_3 < ft2 {
            let ft11_4 = fract(((ft1_1.xz * ft2_3) + fc[0].xz) * fc[6].z) - vec2(fc[6].z);
            ft2 = ft2_3;
            ft3 = fc[6].xyx;
            ft4_1 = select(fc[9], fc[8], ((ft11_4.x * ft11_4.y) < fc[6].x));
        }
    }
    let ft5 = ((ft1_1 * ft2) + fc[0].xyz) + (ft3 * fc[7].x);
    ft4_2 = ft4_1.xyz;
    if ft2 < fc[6].w {
        let ft12 = dot(ft3, fc[5].xyz);
        ft12_1 = fc[6].xx;
        if ft12 >= fc[6].x {
            let ft10_2 = ft5 - fc[1].xyz;
            let ft13 = dot(ft10_2, fc[5].xyz);
            ft12_2 = fc[6].y;
            if ft13 < fc[6].x {
                let ft12_3 = select(fc[6].y, fc[6].x, (((ft13 * ft13) - (dot(ft10_2, ft10_2) - fc[1].w)) >= fc[6].x));
                ft12_2 = ft12_3;
            }
            let ft10_3 = ft5 - fc[2].xyz;
            let ft13_1 = dot(ft10_3, fc[5].xyz);
            if ft13_1 < fc[6].x {
                let ft12_4 = select(ft12_2, fc[6].x, (((ft13_1 * ft13_1) - (dot(ft10_3, ft10_3) - fc[2].w)) >= fc[6].x));
                ft12_2 = ft12_4;
            }
            let ft10_4 = fc[5].xyz - ft1_1;
            let ft12_5 = pow(saturate(dot(ft10_4 * inverseSqrt(max(dot(ft10_4, ft10_4), 1e-37)), ft3)), fc[7].y);
            ft12_1 = vec2<f32>(ft12 * ft12_2, select(ft12_5, 1.0, fc[7].y == 0.0) * ft12_2);
        }
        ft4_2 = (ft4_1.xyz * (ft12_1.x + fc[5].w)) + vec3(ft12_1.y * fc[6].z);
    }
    let ft10_5 = dot(ft1_1, ft3);
    let ft6 = ft1_1 - (ft3 * (ft10_5 + ft10_5));
    let ft9 = ((fc[11].xyz - fc[10].xyz) * max(ft6.y, fc[6].x)) + fc[10].xyz;
    let ft10_6 = ft5 - fc[1].xyz;
    let ft11_5 = dot(ft10_6, ft6);
    let ft11_6 = (ft11_5 * ft11_5) - (dot(ft10_6, ft10_6) - fc[1].w);
    ft7 = fc[6].w;
    ft8 = fc[6].xxx;
    ft9_1 = ft9;
    if ft11_6 >= fc[6].x {
        let ft7_1 = -(ft11_5 + sqrt(abs(ft11_6)));
        if ft7_1 >= fc[7].x {
            if ft7_1 < fc[6].w {
                let ft8_1 = (ft6 * ft7_1) + ft10_6;
                ft7 = ft7_1;
                ft8 = ft8_1 * inverseSqrt(max(dot(ft8_1, ft8_1), 1e-37));
                ft9_1 = fc[3].xyz;
            }
        }
    }
    let ft10_7 = ft5 - fc[2].xyz;
    let ft11_7 = dot(ft10_7, ft6);
    let ft11_8 = (ft11_7 * ft11_7) - (dot(ft10_7, ft10_7) - fc[2].w);
    if ft11_8 >= fc[6].x {
        let ft7_2 = -(ft11_7 + sqrt(abs(ft11_8)));
        if ft7_2 >= fc[7].x {
            if ft7_2 < ft7 {
                let ft8_2 = (ft6 * ft7_2) + ft10_7;
                ft7 = ft7_2;
                ft8 = ft8_2 * inverseSqrt(max(dot(ft8_2, ft8_2), 1e-37));
                ft9_1 = fc[4].xyz;
            }
        }
    }
    if ft6.y < fc[6].x {
        let ft7_3 = (fc[7].z - ft5.y) / ft6.y;
        if ft7_3 < ft7 {
            let ft11_9 = fract(((ft6.xz * ft7_3) + ft5.xz) * fc[6].z) - vec2(fc[6].z);
            ft7 = ft7_3;
            ft8 = fc[6].xyx;
            ft9_1 = select(fc[9].xyz, fc[8].xyz, ((ft11_9.x * ft11_9.y) < fc[6].x));
        }
    }
    let ft0 = ((ft6 * ft7) + ft5) + (ft8 * fc[7].x);
    if ft7 < fc[6].w {
        let ft12_6 = dot(ft8, fc[5].xyz);
        ft12_7 = fc[6].xx;
        if ft12_6 >= fc[6].x {
            let ft10_8 = ft0 - fc[1].xyz;
            let ft13_2 = dot(ft10_8, fc[5].xyz);
            ft12_8 = fc[6].y;
            if ft13_2 < fc[6].x {
                let ft12_9 = select(fc[6].y, fc[6].x, (((ft13_2 * ft13_2) - (dot(ft10_8, ft10_8) - fc[1].w)) >= fc[6].x));
                ft12_8 = ft12_9;
            }
            let ft10_9 = ft0 - fc[2].xyz;
            let ft13_3 = dot(ft10_9, fc[5].xyz);
            if ft13_3 < fc[6].x {
                let ft12_10 = select(ft12_8, fc[6].x, (((ft13_3 * ft13_3) - (dot(ft10_9, ft10_9) - fc[2].w)) >= fc[6].x));
                ft12_8 = ft12_10;
            }
            let ft10_10 = fc[5].xyz - ft6;
            let ft12_11 = pow(saturate(dot(ft10_10 * inverseSqrt(max(dot(ft10_10, ft10_10), 1e-37)), ft8)), fc[7].y);
            ft12_7 = vec2<f32>(ft12_6 * ft12_8, select(ft12_11, 1.0, fc[7].y == 0.0) * ft12_8);
        }
        ft9_1 = (ft9_1 * (ft12_7.x + fc[5].w)) + vec3(ft12_7.y * fc[6].z);
    }
    return vec4<f32>(saturate(ft4_2 + ((ft9_1 - ft4_2) * ft4_1.w)), fc[6].y);
}
