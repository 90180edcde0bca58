#version 450
// The position is written, read and changed by parts.
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 passed;

void main() {
    gl_Position = vec4(a.xy * 0.5, 0.5, 1.0);
    gl_Position.z = clamp(a.z, 0.0, 1.0);
    gl_Position.xy += gl_Position.yx * 0.25;
    passed = gl_Position + a;
}
