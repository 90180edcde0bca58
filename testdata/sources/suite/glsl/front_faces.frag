#version 450
// Whether a fragment belongs to the front of its triangle.
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 colour;

void main() {
    colour = gl_FrontFacing ? a : a.wzyx * 0.5;
}
