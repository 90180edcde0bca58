#version 450
// Buffers that are coherent, volatile, restricted, only read and only written.
layout(local_size_x = 4) in;
layout(std430, set = 0, binding = 0) coherent restrict buffer One { float one[]; };
layout(std430, set = 0, binding = 1) volatile buffer Two { float two[]; };
layout(std430, set = 0, binding = 2) restrict readonly buffer Three { float three[]; };
layout(std430, set = 0, binding = 3) buffer Four { readonly vec2 given; writeonly vec2 written; } four;

void main() {
    uint i = gl_GlobalInvocationID.x & 3u;
    one[i] = two[i] + three[i] * 0.5;
    two[i] = one[i] * 2.0;
    if (i == 0u) four.written = four.given.yx;
}
