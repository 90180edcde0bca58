#version 450
// Sums, differences and products of 64 bits.
layout(local_size_x = 1) in;
layout(std430, binding = 0) buffer Numbers { uvec4 a; uvec4 b; uvec4 results[8]; };
void main() {
    if (gl_WorkGroupID.x != 0) return;
    uvec4 carry, high, low;
    results[0] = uaddCarry(a, b, carry);
    results[1] = carry;
    results[2] = usubBorrow(a, b, carry);
    results[3] = carry;
    umulExtended(a, b, high, low);
    results[4] = high;
    results[5] = low;
    ivec2 above, below;
    imulExtended(ivec2(a.xy), ivec2(b.xy), above, below);
    results[6] = uvec4(above, below);
}
