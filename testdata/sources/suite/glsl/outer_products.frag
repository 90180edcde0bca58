#version 450
// The matrix of the products of two vectors' components.
layout(location = 0) in vec4 a;
layout(location = 1) in vec3 b;
layout(location = 0) out vec4 colour;

void main() {
    mat3x4 wide = outerProduct(a, b);
    mat2x3 tall = outerProduct(b, a.xy);
    colour = wide * b + vec4(tall * a.zw, 0.5);
}
