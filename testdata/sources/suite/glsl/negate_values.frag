#version 450
// The negation of floats, ints and matrices.
layout(location = 0) in vec4 a;
layout(location = 1) flat in ivec2 b;
layout(location = 0) out vec4 colour;
layout(set = 0, binding = 0) uniform Turn { mat2 turn; };

void main() {
    mat2 back = -turn;
    ivec2 below = -(b & 15);
    colour = -a + vec4(back * a.xy, vec2(below) * 0.1);
}
