#version 450
// Two clip distances; nothing is clipped where both are positive.
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 passed;
layout(set = 0, binding = 0) uniform Planes { vec4 planes[2]; };
out float gl_ClipDistance[2];

void main() {
    gl_Position = vec4(a.xy * 0.5, 0.5, 1.0);
    for (int i = 0; i < 2; i++) gl_ClipDistance[i] = abs(dot(planes[i], a)) + 0.125;
    passed = a;
}
