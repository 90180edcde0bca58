#version 450
// A vertex shader for Vulkan, whose y points down; out and inout parameters.
layout(location = 0) in vec3 position;
layout(location = 0) out vec3 tint;
layout(set = 0, binding = 0) uniform Camera {
    mat4 view;
    vec4 origin;
} camera;

void move_by(inout vec3 p, float by, out vec3 old) {
    old = p;
    if (by < 0.0) {
        return;
    }
    p += vec3(by, 0.0, by);
}

void main() {
    vec3 p = position;
    vec3 old;
    move_by(p, position.y, old);
    tint = p - old;
    gl_Position = camera.view * vec4(p, 1.0) + camera.origin;
}
