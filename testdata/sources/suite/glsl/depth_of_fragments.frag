#version 450
// A fragment's depth, which is written on both paths.
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 colour;

void main() {
    float depth = clamp(a.z, 0.0, 1.0) * 0.5 + 0.25;
    gl_FragDepth = a.x > 0.5 ? depth : 1.0 - depth;
    colour = vec4(a.xyz, gl_FragDepth);
}
