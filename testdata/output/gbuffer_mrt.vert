#version 450 core
layout(std140, binding = 0) uniform VertexConstants { vec4 vc[8]; };

layout(location = 0) in vec4 va0;
layout(location = 1) in vec4 va1;
layout(location = 2) in vec4 va2;
layout(location = 0) smooth out vec4 v0;
layout(location = 1) smooth out vec4 v1;

void main() {
    vec4 op = va0 * mat4x4(vc[0], vc[1], vc[2], vc[3]);
    vec4 v1_1 = vec4(va1.xyz * mat3x3(vc[4].xyz, vc[5].xyz, vc[6].xyz), dot(va0, vc[6]) * vc[7].x);
    gl_Position = vec4(op.x, op.y, (op.z * 2.0) - op.w, op.w);
    v0 = va2;
    v1 = v1_1;
}
