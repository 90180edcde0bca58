#version 450
// Push constants with the layout std430, in which elements of an array are close together.
layout(location = 0) in vec4 a;
layout(location = 1) flat in int k;
layout(location = 0) out vec4 colour;
layout(push_constant, std430) uniform Object {
    vec2 offsets[4];
    mat2 turn;
    uint bits;
};

void main() {
    vec2 p = turn * a.xy + offsets[k & 3];
    colour = vec4(p, offsets[2].y, float(bits & 15u) * 0.125);
}
