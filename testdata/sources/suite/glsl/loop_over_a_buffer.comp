#version 450
// Loops whose bounds and exits depend on values in a buffer.
layout(local_size_x = 4) in;
layout(std430, set = 0, binding = 0) buffer Values { uint values[]; };
layout(std430, set = 0, binding = 1) buffer Result { uvec2 result[]; };

void main() {
    uint i = gl_GlobalInvocationID.x & 3u;
    uint x = (values[i] & 63u) + 1u, steps = 0u;
    while (x != 1u && steps < 40u) {
        x = (x & 1u) == 0u ? x >> 1 : x * 3u + 1u;
        steps++;
    }
    uint largest = 0u;
    for (uint k = 0u; k < 8u; k++) {
        uint other = values[k] & 255u;
        if (other == i) continue;
        largest = max(largest, other);
        if (largest > 250u) break;
    }
    result[i] = uvec2(steps, largest);
}
