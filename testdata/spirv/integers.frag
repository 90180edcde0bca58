#version 450
// Remainders, shifts and bits of integers of both kinds.
layout(location = 0) flat in ivec4 a;
layout(location = 1) flat in uvec4 b;
layout(location = 0) out vec4 colour;
void main() {
    ivec4 r = a % 10 + (a >> 3) + ivec4(b >> 3u) + bitfieldExtract(a, 2, 5) + ivec4(bitfieldInsert(b, uvec4(7u), 4, 3));
    r += bitCount(a) + findLSB(b) + findMSB(a) + ivec4(bitfieldReverse(b)) + (a / ivec4(b)) + ~a;
    colour = vec4(r) + unpackUnorm4x8(b.x) + vec4(unpackSnorm2x16(packSnorm2x16(vec2(a.xy))), intBitsToFloat(a.zw));
}
