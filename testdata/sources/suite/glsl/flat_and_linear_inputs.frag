#version 450
// Inputs that are not interpolated, and ones that are without and with perspective.
layout(location = 0) in vec4 a;
layout(location = 1) flat in vec2 constant;
layout(location = 2) noperspective in vec2 linear;
layout(location = 3) smooth in vec3 curved;
layout(location = 4) flat in uvec2 numbers;
layout(location = 0) out vec4 colour;

void main() {
    colour = a + vec4(constant, linear) + vec4(curved, 0.5) * 0.5 + vec4(numbers & 7u, 0, 0) * 0.125;
}
