#version 450
// The eight atomic operations on signed and unsigned ints of storage buffers: each invocation changes elements of its own, whose
// values before the change are known, and all invocations change the same totals.
layout(local_size_x = 8) in;
layout(std430, set = 0, binding = 0) buffer Own { uint uints[512]; int ints[512]; };
layout(std430, set = 0, binding = 1) buffer Totals { uint total[8]; int signed_total[8]; };
layout(std430, set = 0, binding = 2) writeonly buffer Before { uint uints_before[512]; int ints_before[512]; };

void main() {
    uint i = gl_GlobalInvocationID.y * 16u + gl_GlobalInvocationID.x;
    uint at = i * 8u;
    uint n = gl_GlobalInvocationID.x + 3u;
    uints_before[at] = atomicAdd(uints[at], n);
    uints_before[at + 1u] = atomicMin(uints[at + 1u], n);
    uints_before[at + 2u] = atomicMax(uints[at + 2u], n);
    uints_before[at + 3u] = atomicAnd(uints[at + 3u], n);
    uints_before[at + 4u] = atomicOr(uints[at + 4u], n);
    uints_before[at + 5u] = atomicXor(uints[at + 5u], n);
    uints_before[at + 6u] = atomicExchange(uints[at + 6u], n);
    uints_before[at + 7u] = atomicCompSwap(uints[at + 7u], 3u, n);
    int s = 2 - int(n);
    ints_before[at] = atomicAdd(ints[at], s);
    ints_before[at + 1u] = atomicMin(ints[at + 1u], s);
    ints_before[at + 2u] = atomicMax(ints[at + 2u], s);
    ints_before[at + 3u] = atomicAnd(ints[at + 3u], s);
    ints_before[at + 4u] = atomicOr(ints[at + 4u], s);
    ints_before[at + 5u] = atomicXor(ints[at + 5u], s);
    ints_before[at + 6u] = atomicExchange(ints[at + 6u], s);
    ints_before[at + 7u] = atomicCompSwap(ints[at + 7u], 3, s);
    atomicAdd(total[0], n);
    atomicMin(total[1], n);
    atomicMax(total[2], n);
    atomicAnd(total[3], n | 5u);
    atomicOr(total[4], n);
    atomicXor(total[5], n);
    atomicAdd(signed_total[0], s);
    atomicMin(signed_total[1], s);
    atomicMax(signed_total[2], s);
    atomicAnd(signed_total[3], s);
    atomicOr(signed_total[4], s);
    atomicXor(signed_total[5], s);
}
