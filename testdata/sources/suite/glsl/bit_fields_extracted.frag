#version 450
// Bit fields of ints, which are sign-extended, and of uints.
layout(location = 0) flat in ivec4 a;
layout(location = 1) flat in uvec4 b;
layout(location = 0) out vec4 colour;
layout(set = 0, binding = 0) uniform Field { int offset; int bits; };

void main() {
    int from = offset & 15, count = (bits & 7) + 1;
    ivec4 i = bitfieldExtract(a, from, count);
    uvec4 u = bitfieldExtract(b, 4, 6);
    int none = bitfieldExtract(a.x, from, 0);
    colour = vec4(i) + vec4(u) * 0.1 + float(none);
}
