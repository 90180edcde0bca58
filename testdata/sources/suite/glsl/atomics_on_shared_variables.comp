#version 450
// The eight atomic operations on signed and unsigned ints that the invocations of a workgroup share.
layout(local_size_x = 16) in;
layout(std430, set = 0, binding = 0) buffer Results { uint uints[512]; int ints[512]; };
shared uint sums[8];
shared int signed_sums[8];
shared uint own[16];
shared int signed_own[16];

void main() {
    uint i = gl_LocalInvocationIndex;
    uint place = (gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * 64u;
    // Each workgroup reads what no other writes.
    if (i < 8u) {
        sums[i] = uints[place + i];
        signed_sums[i] = ints[place + i] - 4;
    }
    own[i] = uints[place + i + 8u];
    signed_own[i] = ints[place + i + 8u];
    barrier();
    atomicAdd(sums[0], i);
    atomicMin(sums[1], i + 2u);
    atomicMax(sums[2], i);
    atomicAnd(sums[3], i | 6u);
    atomicOr(sums[4], 1u << i);
    atomicXor(sums[5], i * 3u);
    int s = 5 - int(i);
    atomicAdd(signed_sums[0], s);
    atomicMin(signed_sums[1], s);
    atomicMax(signed_sums[2], s);
    atomicAnd(signed_sums[3], s);
    atomicOr(signed_sums[4], s * 16);
    atomicXor(signed_sums[5], s);
    uint taken = atomicExchange(own[i], i);
    taken += 16u * atomicCompSwap(own[i], i, 7u);
    int signed_taken = atomicExchange(signed_own[i], s);
    signed_taken += 16 * atomicCompSwap(signed_own[i], 5, 9);
    barrier();
    uints[place + i] = i < 8u ? sums[i] : 0u;
    uints[place + 16u + i] = taken;
    uints[place + 32u + i] = own[15u - i];
    ints[place + i] = i < 8u ? signed_sums[i] : 0;
    ints[place + 16u + i] = signed_taken;
    ints[place + 32u + i] = signed_own[15u - i];
}
