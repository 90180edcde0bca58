#version 450
// Push constants, at an offset, beside a uniform block.
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 passed;
layout(set = 0, binding = 0) uniform Camera { mat4 transform; };
layout(push_constant) uniform Object {
    layout(offset = 16) vec4 tint;
    mat2 turn;
    float list[3];
    int number;
} object;

void main() {
    gl_Position = transform * vec4(a.xyz * 0.5, 1.0);
    vec2 p = object.turn * a.xy;
    passed = object.tint + vec4(p, object.list[object.number & 1], object.list[2]);
}
