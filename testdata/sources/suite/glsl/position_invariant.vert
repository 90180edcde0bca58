#version 450
// An invariant position and an invariant varying.
invariant gl_Position;
layout(location = 0) in vec4 a;
layout(location = 0) invariant out vec4 passed;

void main() {
    gl_Position = vec4(a.xyz * 0.5, 1.0);
    passed = a * a + 0.25;
}
