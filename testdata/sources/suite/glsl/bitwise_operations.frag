#version 450
// And, or, exclusive or and complement of ints and uints.
layout(location = 0) flat in ivec4 a;
layout(location = 1) flat in uvec4 b;
layout(location = 0) out vec4 colour;

void main() {
    ivec4 i = (a & 0x3c) | (ivec4(b) & 0x81) ^ ivec4(5, 9, 17, 33);
    uvec4 u = (b | 0x10u) & ~uvec4(a) & 0xffu;
    i ^= 3;
    u |= 1u;
    colour = vec4(i & 255) * 0.01 + vec4(u) * 0.02 + vec4(~i.xy & 7, 0, 0);
}
