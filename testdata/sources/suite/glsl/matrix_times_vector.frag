#version 450
// Products of matrices of each shape and a vector on the right.
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 colour;
layout(set = 0, binding = 0) uniform Matrices {
    mat4 square;
    mat3 small;
    mat2x4 tall;
    mat4x2 wide;
} m;

void main() {
    vec4 sum = m.square * a;
    sum.xyz += m.small * a.yzw;
    sum += m.tall * a.xz;
    sum.zw -= m.wide * a.wzyx;
    colour = sum * 0.125;
}
