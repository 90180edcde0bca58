#version 450
// Barriers for shared memory, for buffers and for both.
layout(local_size_x = 8) in;
layout(std430, set = 0, binding = 0) buffer Values { uint values[]; };
shared uint list[8];

void main() {
    uint i = gl_LocalInvocationIndex;
    list[i] = values[i & 7u] & 255u;
    groupMemoryBarrier();
    barrier();
    uint next = list[(i + 1u) & 7u];
    memoryBarrierShared();
    barrier();
    list[i] = next * 3u;
    memoryBarrier();
    barrier();
    values[i] = list[(i + 3u) & 7u] + i;
    memoryBarrierBuffer();
    barrier();
}
