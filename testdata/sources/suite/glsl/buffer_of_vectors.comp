#version 450
// Arrays of vectors of each width; a vec3 takes 16 bytes.
layout(local_size_x = 4) in;
layout(std430, set = 0, binding = 0) buffer Two { vec2 two[]; };
layout(std430, set = 0, binding = 1) buffer Three { vec3 three[]; };
layout(std430, set = 0, binding = 2) buffer Four { vec4 four[]; };

void main() {
    uint i = gl_GlobalInvocationID.x & 3u;
    four[i] = vec4(three[i] * 0.5, two[i].x);
    three[i].y = two[i].y + 0.25;
    two[i] = two[i].yx * 2.0;
}
