#version 450
// Products of matrices with different numbers of rows and columns.
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 colour;
layout(set = 0, binding = 0) uniform Matrices {
    mat2x3 left;
    mat4x2 right;
    mat4 square;
} m;

void main() {
    mat4x3 product = m.left * m.right;
    mat4 power = m.square * m.square;
    colour = vec4(product * a, 1.0) * 0.25 + power * a * 0.0625;
}
