#version 450
// A storage buffer by the vertex's number.
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 passed;
layout(std430, set = 0, binding = 1) readonly buffer Offsets { vec4 offsets[]; };

void main() {
    vec4 own = offsets[gl_VertexIndex & 3];
    gl_Position = vec4(a.xy + clamp(own.xy, -0.5, 0.5), 0.5, 1.0);
    passed = own * a;
}
