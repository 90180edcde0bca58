#version 450
// The depth test precedes the shader, so the depth that the shader writes has no effect.

layout(early_fragment_tests) in;

layout(location = 0) in vec4 tint;
layout(location = 0) out vec4 colour;

void main() {
    gl_FragDepth = tint.x * 0.25 + 0.5;
    colour = tint + gl_FragDepth;
}
