#version 450
// The usual vertex shader: a position by a matrix, and a varying.
layout(location = 0) in vec4 position;
layout(location = 1) in vec2 uv;
layout(location = 0) out vec2 passed;
layout(set = 0, binding = 0) uniform Camera { mat4 transform; };

void main() {
    gl_Position = transform * position;
    passed = uv * 2.0 - 0.5;
}
