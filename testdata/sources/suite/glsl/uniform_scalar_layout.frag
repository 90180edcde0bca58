#version 450
#extension GL_EXT_scalar_block_layout : require
// The layout in which each member is aligned to its components only.
layout(location = 0) in vec4 a;
layout(location = 1) flat in int k;
layout(location = 0) out vec4 colour;
layout(scalar, set = 0, binding = 0) uniform Dense {
    float one;
    vec3 two;
    vec3 list[2];
    mat2x3 turn;
} dense;

void main() {
    vec3 v = dense.two * dense.one + dense.list[k & 1];
    colour = vec4(v + dense.turn * a.xy, dense.list[1].y);
}
