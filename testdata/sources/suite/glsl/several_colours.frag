#version 450
// Outputs to several targets, with fewer than four components in some.
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 colour;
layout(location = 1) out vec2 velocity;
layout(location = 2) out float weight;
layout(location = 3) out vec3 normal;

void main() {
    colour = a;
    velocity = a.xy * 2.0 - 1.0;
    weight = a.z;
    normal = a.wzy;
}
