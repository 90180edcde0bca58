#version 450 core
layout(std140, binding = 0) uniform VertexConstants { vec4 vc[1]; };

layout(location = 0) in vec4 va0;
layout(location = 0) smooth out vec4 v0;

void main() {
    gl_Position = vec4(va0.x, va0.y, (va0.z * 2.0) - va0.w, va0.w);
    v0 = va0 * vc[0];
}
