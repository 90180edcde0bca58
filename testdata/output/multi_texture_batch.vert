#version 450 core
layout(std140, binding = 0) uniform VertexConstants { vec4 vc[4]; };

layout(location = 0) in vec4 va0;
layout(location = 1) in vec4 va1;
layout(location = 2) in vec4 va2;
layout(location = 3) in vec4 va3;
layout(location = 0) smooth out vec4 v0;
layout(location = 1) smooth out vec4 v1;
layout(location = 2) smooth out vec4 v2;

void main() {
    vec4 op = va0 * mat4x4(vc[0], vc[1], vc[2], vc[3]);
    gl_Position = vec4(op.x, op.y, (op.z * 2.0) - op.w, op.w);
    v0 = va1;
    v1 = va2;
    v2 = va3.xxxx;
}
