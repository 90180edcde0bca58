#version 450 core
layout(std140, binding = 0) uniform VertexConstants { vec4 vc[4]; };

layout(location = 0) in vec4 va0;
layout(location = 1) in vec4 va1;
layout(location = 0) smooth out vec4 v0;

void main() {
    vec4 op = va0 * mat4x4(vc[0], vc[1], vc[2], vc[3]);
    gl_Position = vec4(op.x, op.y, (op.z * 2.0) - op.w, op.w);
    v0 = va1;
}
