#version 450
// A sorting network on a local array.
layout(local_size_x = 2) in;
layout(std430, set = 0, binding = 0) buffer Values { float values[]; };

void main() {
    uint base = (gl_GlobalInvocationID.x & 1u) * 5u;
    float list[5];
    for (uint i = 0u; i < 5u; i++) list[i] = values[base + i];
    for (int i = 0; i < 5; i++) {
        for (int k = i & 1; k + 1 < 5; k += 2) {
            float low = min(list[k], list[k + 1]), high = max(list[k], list[k + 1]);
            list[k] = low;
            list[k + 1] = high;
        }
    }
    for (uint i = 0u; i < 5u; i++) values[base + i] = list[i];
}
