#version 450
// Products of a vector on the left and matrices of each shape.
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 colour;
layout(set = 0, binding = 0) uniform Matrices {
    mat4 square;
    mat3x2 flat_one;
    mat2x3 tall;
} m;

void main() {
    vec4 sum = a * m.square;
    sum.xyz += a.xy * m.flat_one;
    sum.zw += a.wyx * m.tall;
    colour = sum * 0.125;
}
