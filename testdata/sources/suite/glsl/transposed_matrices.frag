#version 450
// The transposes of square and other matrices.
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 colour;
layout(set = 0, binding = 0) uniform Matrices {
    mat4 square;
    mat3x2 other;
} m;

void main() {
    mat4 turned = transpose(m.square);
    mat2x3 tall = transpose(m.other);
    colour = turned * a + vec4(tall * a.xy, 0.0);
}
