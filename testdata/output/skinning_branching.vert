#version 450 core
layout(std140, binding = 0) uniform VertexConstants { vec4 vc[250]; };

layout(location = 0) in vec4 va0;
layout(location = 1) in vec4 va1;
layout(location = 2) in vec4 va2;
layout(location = 3) in vec4 va3;
layout(location = 0) smooth out vec4 v0;
layout(location = 1) smooth out vec4 v1;

void main() {
    vec3 vt0_1 = vec3(0.0);
    float v1_1 = 0.0;
    int va2_index = int(floor(va2.x + 0.5));
    vec4 vc_1 = vc[min(max(va2_index + 7, 0), 249)];
    vec3 vt0 = va0 * mat3x4(vc[min(max(va2_index + 5, 0), 249)], vc[min(max(va2_index + 6, 0), 249)], vc_1);
    vt0_1 = vt0;
    v1_1 = vc[4].y;
    if (va3.y != vc[4].x) {
        int va2_index_1 = int(floor(va2.y + 0.5));
        vec4 vc_2 = vc[min(max(va2_index_1 + 7, 0), 249)];
        vec3 vt2 = va0 * mat3x4(vc[min(max(va2_index_1 + 5, 0), 249)], vc[min(max(va2_index_1 + 6, 0), 249)], vc_2);
        vec3 vt0_2 = (vt0 * va3.x) + (vt2 * va3.y);
        float vt1 = vc[4].y + vc[4].y;
        vt0_1 = vt0_2;
        v1_1 = vt1;
        if (va3.z >= vc[4].z) {
            int va2_index_2 = int(floor(va2.z + 0.5));
            vec4 vc_3 = vc[min(max(va2_index_2 + 7, 0), 249)];
            vec3 vt2_1 = va0 * mat3x4(vc[min(max(va2_index_2 + 5, 0), 249)], vc[min(max(va2_index_2 + 6, 0), 249)], vc_3);
            vt0_1 = vt0_2 + (vt2_1 * va3.z);
            v1_1 = vt1 + vc[4].y;
        }
    }
    vec4 op = vec4(vt0_1, vc[4].y) * mat4x4(vc[0], vc[1], vc[2], vc[3]);
    gl_Position = vec4(op.x, op.y, (op.z * 2.0) - op.w, op.w);
    v0 = va1;
    v1 = vec4(v1_1);
}
