#version 450
// Matrices and arrays as attributes.
layout(location = 0) in mat4 model;
layout(location = 4) in mat3x2 small;
layout(location = 7) in vec2 offsets[2];
layout(location = 0) out vec4 passed;

void main() {
    vec4 p = model * vec4(0.25, 0.5, 0.125, 1.0);
    gl_Position = vec4(p.xyz * 0.25, 1.0);
    passed = vec4(small * p.xyz, offsets[0] + offsets[1] * 0.5);
}
