#version 450
// Depth tests before the shader runs.
layout(early_fragment_tests) in;
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 colour;

void main() {
    colour = a.wzyx * 0.5 + 0.125;
}
