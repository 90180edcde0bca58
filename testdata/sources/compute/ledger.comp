#version 450
// Every atomic function of GLSL, on blocks and shared variables, with results that do not depend on the order.
layout(local_size_x = 64) in;

struct Account {
    vec2 place;
    int balance;
    uint visits;
};

layout(std430, binding = 0) buffer Accounts {
    uint newest;
    int lowest;
    Account accounts[];
};
layout(std430, binding = 1) readonly buffer Given { int given[]; };
layout(std430, binding = 2) buffer Masks {
    int debts[2];
    uint masks[62];
    uvec4 rows[];
};
shared int queue[16];
shared uint first;

void book(int amount) {
    atomicAdd(queue[uint(amount) % 8u], amount);
    atomicMax(queue[8 + uint(amount) % 8u], amount);
}

void main() {
    uint id = gl_GlobalInvocationID.x;
    int amount = given[id];
    book(amount);
    atomicMin(lowest, amount);
    atomicAdd(accounts[id % 4u].balance, amount);
    atomicAdd(accounts[id % 4u].visits, 1u);
    atomicAnd(masks[0], uint(amount) | 0xffffu);
    atomicOr(masks[1], uint(amount) & 0xff00u);
    atomicXor(masks[2], uint(amount));
    atomicMax(masks[3], uint(amount));
    atomicMin(masks[4], uint(amount));
    atomicAdd(rows[id % 3u].z, uint(amount));
    atomicMin(debts[0], amount);
    atomicMax(debts[1], amount);
    if (atomicCompSwap(first, 0u, gl_LocalInvocationIndex + 1u) == 0u) {
        atomicAdd(masks[5], 1u);
    }
    barrier();
    if (gl_LocalInvocationIndex < 16u) {
        masks[8u + gl_WorkGroupID.x * 16u + gl_LocalInvocationIndex] = uint(atomicExchange(queue[gl_LocalInvocationIndex], 5));
    }
}
