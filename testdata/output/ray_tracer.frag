#version 450 core
layout(std140, binding = 1) uniform FragmentConstants { vec4 fc[12]; };

layout(location = 0) smooth in vec4 v0;
layout(location = 0) out vec4 oc;

void main() {
    float ft2 = 0.0;
    vec3 ft3 = vec3(0.0);
    vec4 ft4_1 = vec4(0.0);
    vec3 ft4_2 = vec3(0.0);
    vec2 ft12_1 = vec2(0.0);
    float ft12_2 = 0.0;
    float ft7 = 0.0;
    vec3 ft8 = vec3(0.0);
    vec3 ft9_1 = vec3(0.0);
    vec2 ft12_7 = vec2(0.0);
    float ft12_8 = 0.0;
    vec3 ft1 = vec3(v0.xy, fc[0].w);
    vec3 ft1_1 = ft1 * inversesqrt(max(dot(ft1, ft1), 1e-37));
    vec4 ft4 = ((fc[11] - fc[10]) * max(ft1_1.y, fc[6].x)) + fc[10];
    vec3 ft10 = fc[0].xyz - fc[1].xyz;
    float ft11 = dot(ft10, ft1_1);
    float ft11_1 = (ft11 * ft11) - (dot(ft10, ft10) - fc[1].w);
    ft2 = fc[6].w;
    ft3 = fc[6].xxx;
    ft4_1 = ft4;
    if (ft11_1 >= fc[6].x) {
        float ft2_1 = -(ft11 + sqrt(abs(ft11_1)));
        if (ft2_1 >= fc[7].x) {
            if (ft2_1 < fc[6].w) {
                vec3 ft3_1 = (ft1_1 * ft2_1) + ft10;
                ft2 = ft2_1;
                ft3 = ft3_1 * inversesqrt(max(dot(ft3_1, ft3_1), 1e-37));
                ft4_1 = fc[3];
            }
        }
    }
    vec3 ft10_1 = fc[0].xyz - fc[2].xyz;
    float ft11_2 = dot(ft10_1, ft1_1);
    float ft11_3 = (ft11_2 * ft11_2) - (dot(ft10_1, ft10_1) - fc[2].w);
    if (ft11_3 >= fc[6].x) {
        float ft2_2 = -(ft11_2 + sqrt(abs(ft11_3)));
        if (ft2_2 >= fc[7].x) {
            if (ft2_2 < ft2) {
                vec3 ft3_2 = (ft1_1 * ft2_2) + ft10_1;
                ft2 = ft2_2;
                ft3 = ft3_2 * inversesqrt(max(dot(ft3_2, ft3_2), 1e-37));
                ft4_1 = fc[4];
            }
        }
    }
    if (ft1_1.y < fc[6].x) {
        float ft2_3 = (fc[7].z - fc[0].y) / ft1_1.y;
        if (ft2_3 < ft2) {
            vec2 ft11_4 = fract(((ft1_1.xz * ft2_3) + fc[0].xz) * fc[6].z) - vec2(fc[6].z);
            ft2 = ft2_3;
            ft3 = fc[6].xyx;
            ft4_1 = ((ft11_4.x * ft11_4.y) < fc[6].x) ? fc[8] : fc[9];
        }
    }
    vec3 ft5 = ((ft1_1 * ft2) + fc[0].xyz) + (ft3 * fc[7].x);
    ft4_2 = ft4_1.xyz;
    if (ft2 < fc[6].w) {
        float ft12 = dot(ft3, fc[5].xyz);
        ft12_1 = fc[6].xx;
        if (ft12 >= fc[6].x) {
            vec3 ft10_2 = ft5 - fc[1].xyz;
            float ft13 = dot(ft10_2, fc[5].xyz);
            ft12_2 = fc[6].y;
            if (ft13 < fc[6].x) {
                float ft12_3 = (((ft13 * ft13) - (dot(ft10_2, ft10_2) - fc[1].w)) >= fc[6].x) ? fc[6].x : fc[6].y;
                ft12_2 = ft12_3;
            }
            vec3 ft10_3 = ft5 - fc[2].xyz;
            float ft13_1 = dot(ft10_3, fc[5].xyz);
            if (ft13_1 < fc[6].x) {
                float ft12_4 = (((ft13_1 * ft13_1) - (dot(ft10_3, ft10_3) - fc[2].w)) >= fc[6].x) ? fc[6].x : ft12_2;
                ft12_2 = ft12_4;
            }
            vec3 ft10_4 = fc[5].xyz - ft1_1;
            float ft12_5 = pow(clamp(dot(ft10_4 * inversesqrt(max(dot(ft10_4, ft10_4), 1e-37)), ft3), 0.0, 1.0), fc[7].y);
            ft12_1 = vec2(ft12 * ft12_2, ((fc[7].y == 0.0) ? 1.0 : ft12_5) * ft12_2);
        }
        ft4_2 = (ft4_1.xyz * (ft12_1.x + fc[5].w)) + vec3(ft12_1.y * fc[6].z);
    }
    float ft10_5 = dot(ft1_1, ft3);
    vec3 ft6 = ft1_1 - (ft3 * (ft10_5 + ft10_5));
    vec3 ft9 = ((fc[11].xyz - fc[10].xyz) * max(ft6.y, fc[6].x)) + fc[10].xyz;
    vec3 ft10_6 = ft5 - fc[1].xyz;
    float ft11_5 = dot(ft10_6, ft6);
    float ft11_6 = (ft11_5 * ft11_5) - (dot(ft10_6, ft10_6) - fc[1].w);
    ft7 = fc[6].w;
    ft8 = fc[6].xxx;
    ft9_1 = ft9;
    if (ft11_6 >= fc[6].x) {
        float ft7_1 = -(ft11_5 + sqrt(abs(ft11_6)));
        if (ft7_1 >= fc[7].x) {
            if (ft7_1 < fc[6].w) {
                vec3 ft8_1 = (ft6 * ft7_1) + ft10_6;
                ft7 = ft7_1;
                ft8 = ft8_1 * inversesqrt(max(dot(ft8_1, ft8_1), 1e-37));
                ft9_1 = fc[3].xyz;
            }
        }
    }
    vec3 ft10_7 = ft5 - fc[2].xyz;
    float ft11_7 = dot(ft10_7, ft6);
    float ft11_8 = (ft11_7 * ft11_7) - (dot(ft10_7, ft10_7) - fc[2].w);
    if (ft11_8 >= fc[6].x) {
        float ft7_2 = -(ft11_7 + sqrt(abs(ft11_8)));
        if (ft7_2 >= fc[7].x) {
            if (ft7_2 < ft7) {
                vec3 ft8_2 = (ft6 * ft7_2) + ft10_7;
                ft7 = ft7_2;
                ft8 = ft8_2 * inversesqrt(max(dot(ft8_2, ft8_2), 1e-37));
                ft9_1 = fc[4].xyz;
            }
        }
    }
    if (ft6.y < fc[6].x) {
        float ft7_3 = (fc[7].z - ft5.y) / ft6.y;
        if (ft7_3 < ft7) {
            vec2 ft11_9 = fract(((ft6.xz * ft7_3) + ft5.xz) * fc[6].z) - vec2(fc[6].z);
            ft7 = ft7_3;
            ft8 = fc[6].xyx;
            ft9_1 = ((ft11_9.x * ft11_9.y) < fc[6].x) ? fc[8].xyz : fc[9].xyz;
        }
    }
    vec3 ft0 = ((ft6 * ft7) + ft5) + (ft8 * fc[7].x);
    if (ft7 < fc[6].w) {
        float ft12_6 = dot(ft8, fc[5].xyz);
        ft12_7 = fc[6].xx;
        if (ft12_6 >= fc[6].x) {
            vec3 ft10_8 = ft0 - fc[1].xyz;
            float ft13_2 = dot(ft10_8, fc[5].xyz);
            ft12_8 = fc[6].y;
            if (ft13_2 < fc[6].x) {
                float ft12_9 = (((ft13_2 * ft13_2) - (dot(ft10_8, ft10_8) - fc[1].w)) >= fc[6].x) ? fc[6].x : fc[6].y;
                ft12_8 = ft12_9;
            }
            vec3 ft10_9 = ft0 - fc[2].xyz;
            float ft13_3 = dot(ft10_9, fc[5].xyz);
            if (ft13_3 < fc[6].x) {
                float ft12_10 = (((ft13_3 * ft13_3) - (dot(ft10_9, ft10_9) - fc[2].w)) >= fc[6].x) ? fc[6].x : ft12_8;
                ft12_8 = ft12_10;
            }
            vec3 ft10_10 = fc[5].xyz - ft6;
            float ft12_11 = pow(clamp(dot(ft10_10 * inversesqrt(max(dot(ft10_10, ft10_10), 1e-37)), ft8), 0.0, 1.0), fc[7].y);
            ft12_7 = vec2(ft12_6 * ft12_8, ((fc[7].y == 0.0) ? 1.0 : ft12_11) * ft12_8);
        }
        ft9_1 = (ft9_1 * (ft12_7.x + fc[5].w)) + vec3(ft12_7.y * fc[6].z);
    }
    oc = vec4(clamp(ft4_2 + ((ft9_1 - ft4_2) * ft4_1.w), vec3(0.0), vec3(1.0)), fc[6].y);
}
