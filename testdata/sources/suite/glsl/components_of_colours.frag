#version 450
// Outputs that share a target, each with components of its own.
layout(location = 0) in vec4 a;
layout(location = 0) out vec2 low;
layout(location = 0, component = 2) out float third;
layout(location = 0, component = 3) out float last;
layout(location = 1, component = 0) out vec3 normal;
layout(location = 1, component = 3) out float weight;

void main() {
    low = a.xy;
    third = a.z * 2.0;
    last = 0.5 - a.w;
    normal = a.zyx;
    weight = a.w;
}
