#version 450
// Sums with a carry, differences with a borrow, and products of 64 bits, of ints of any size.
layout(location = 0) flat in uvec4 a;
layout(location = 0) out uvec4 sums;
layout(location = 1) out uvec4 differences;
layout(location = 2) out uvec4 products;
layout(location = 3) out ivec4 signed_products;
layout(set = 0, binding = 0) uniform Numbers { uvec2 m; ivec2 n; };

void main() {
    uvec2 p = a.xy * 0x9e3779b9u + m;
    uvec2 q = a.zw * 0x85ebca6bu - m.yx;
    uvec2 high;
    sums.xy = uaddCarry(p, q, high);
    sums.zw = high;
    differences.xy = usubBorrow(p, q, high);
    differences.zw = high;
    uvec2 low;
    umulExtended(p, q, high, low);
    products = uvec4(high, low);
    ivec2 signed_high, signed_low;
    imulExtended(ivec2(p) - n, ivec2(q), signed_high, signed_low);
    signed_products = ivec4(signed_high, signed_low);
    uint one;
    sums.x ^= uaddCarry(p.x, 0xffffffffu, one);
    sums.y += one;
    imulExtended(int(q.x), -3, signed_high.x, signed_low.x);
    signed_products.x ^= signed_high.x;
}
