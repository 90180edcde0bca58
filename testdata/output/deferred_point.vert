#version 450 core
layout(std140, binding = 0) uniform VertexConstants { vec4 vc[6]; };

layout(location = 0) in vec4 va0;
layout(location = 0) smooth out vec4 v0;
layout(location = 1) smooth out vec4 v1;

void main() {
    vec4 vt0 = vec4((va0.xyz * vc[5].x) + vc[4].xyz, vc[4].w);
    vec4 v0_1 = vt0 * mat4x4(vc[0], vc[1], vc[2], vc[3]);
    gl_Position = vec4(v0_1.x, v0_1.y, (v0_1.z * 2.0) - v0_1.w, v0_1.w);
    v0 = v0_1;
    v1 = vt0;
}
