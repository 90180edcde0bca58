#version 450 core
layout(std140, binding = 0) uniform VertexConstants { vec4 vc[128]; };

layout(location = 0) in vec4 va0;
layout(location = 1) in vec4 va1;
layout(location = 2) in vec4 va2;
layout(location = 3) in vec4 va3;
layout(location = 4) in vec4 va4;
layout(location = 0) smooth out vec4 v0;
layout(location = 1) smooth out vec4 v1;

void main() {
    int va3_index = int(floor(va3.x + 0.5));
    vec4 vc_1 = vc[min(max(va3_index + 8, 0), 127)];
    vec4 vc_2 = vc[min(max(va3_index + 9, 0), 127)];
    vec4 vc_3 = vc[min(max(va3_index + 10, 0), 127)];
    int va3_index_1 = int(floor(va3.y + 0.5));
    vec4 vc_4 = vc[min(max(va3_index_1 + 8, 0), 127)];
    vec4 vc_5 = vc[min(max(va3_index_1 + 9, 0), 127)];
    vec4 vc_6 = vc[min(max(va3_index_1 + 10, 0), 127)];
    vec3 vt1 = ((va0 * mat3x4(vc_1, vc_2, vc_3)) * va4.x) + ((va0 * mat3x4(vc_4, vc_5, vc_6)) * va4.y);
    int va3_index_2 = int(floor(va3.z + 0.5));
    vec4 vc_7 = vc[min(max(va3_index_2 + 8, 0), 127)];
    vec4 vc_8 = vc[min(max(va3_index_2 + 9, 0), 127)];
    vec4 vc_9 = vc[min(max(va3_index_2 + 10, 0), 127)];
    vec3 vt1_1 = vt1 + ((va0 * mat3x4(vc_7, vc_8, vc_9)) * va4.z);
    int va3_index_3 = int(floor(va3.w + 0.5));
    vec4 vc_10 = vc[min(max(va3_index_3 + 8, 0), 127)];
    vec4 vc_11 = vc[min(max(va3_index_3 + 9, 0), 127)];
    vec4 vc_12 = vc[min(max(va3_index_3 + 10, 0), 127)];
    vec4 vt1_2 = vec4(vt1_1 + ((va0 * mat3x4(vc_10, vc_11, vc_12)) * va4.w), va0.w);
    vec4 op = vt1_2 * mat4x4(vc[0], vc[1], vc[2], vc[3]);
    vec3 vt0 = (va1.xyz * mat3x3(vc_4.xyz, vc_5.xyz, vc_6.xyz)) * va4.y;
    vec3 vt2 = ((va1.xyz * mat3x3(vc_1.xyz, vc_2.xyz, vc_3.xyz)) * va4.x) + vt0;
    vec3 vt2_1 = vt2 + ((va1.xyz * mat3x3(vc_7.xyz, vc_8.xyz, vc_9.xyz)) * va4.z);
    vec3 vt2_2 = vt2_1 + ((va1.xyz * mat3x3(vc_10.xyz, vc_11.xyz, vc_12.xyz)) * va4.w);
    vec3 vt2_3 = vt2_2 * mat3x3(vc[4].xyz, vc[5].xyz, vc[6].xyz);
    gl_Position = vec4(op.x, op.y, (op.z * 2.0) - op.w, op.w);
    v0 = va2;
    v1 = vec4(vt2_3 * inversesqrt(max(dot(vt2_3, vt2_3), 1e-37)), va1.w);
}
