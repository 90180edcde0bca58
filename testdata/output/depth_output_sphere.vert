#version 450 core
layout(std140, binding = 0) uniform VertexConstants { vec4 vc[9]; };

layout(location = 0) in vec4 va0;
layout(location = 1) in vec4 va1;
layout(location = 2) in vec4 va2;
layout(location = 3) in vec4 va3;
layout(location = 0) smooth out vec4 v0;
layout(location = 1) smooth out vec4 v1;
layout(location = 2) smooth out vec4 v2;

void main() {
    vec3 v1_1 = va0 * mat3x4(vc[0], vc[1], vc[2]);
    vec4 vt0 = vec4(v1_1.xy + (va1.xy * va2.x), v1_1.z - va2.x, vc[8].y);
    vec4 op = vt0 * mat4x4(vc[4], vc[5], vc[6], vc[7]);
    gl_Position = vec4(op.x, op.y, (op.z * 2.0) - op.w, op.w);
    v0 = vec4(va1.xy, vc[8].xx);
    v1 = vec4(v1_1, va2.x);
    v2 = va3;
}
