#version 450
// Bit fields that are inserted into ints and uints.
layout(location = 0) flat in ivec4 a;
layout(location = 1) flat in uvec4 b;
layout(location = 0) out vec4 colour;
layout(set = 0, binding = 0) uniform Field { int offset; int bits; };

void main() {
    int from = offset & 7, count = bits & 7;
    ivec4 i = bitfieldInsert(a & 0xffff, ivec4(0x55), from, count);
    uvec4 u = bitfieldInsert(b & 0xffffu, uvec4(a & 63), 3, 5);
    colour = vec4(i) * 0.001 + vec4(u) * 0.002;
}
