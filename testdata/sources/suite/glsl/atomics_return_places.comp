#version 450
// Each invocation takes a place of its own from a counter, and marks it, so that the marks do not depend on the order.
layout(local_size_x = 8, local_size_y = 2) in;
layout(std430, set = 0, binding = 0) buffer Counter { uint next; };
layout(std430, set = 0, binding = 1) buffer Marks { uint marks[512]; };
shared uint local_next;

void main() {
    if (gl_LocalInvocationIndex == 0u) local_next = 0u;
    barrier();
    uint own = atomicAdd(local_next, 1u);
    uint place = atomicAdd(next, 1u) & 127u;
    atomicOr(marks[place], 256u);
    atomicAdd(marks[128u + own], 1u);
}
