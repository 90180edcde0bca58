#version 450
// The determinants of matrices of each size.
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 colour;
layout(set = 0, binding = 0) uniform Matrices {
    mat2 two;
    mat3 three;
    mat4 four;
} m;

void main() {
    vec3 all = vec3(determinant(m.two), determinant(m.three), determinant(m.four));
    colour = a + vec4(all * 0.125, 1.0);
}
