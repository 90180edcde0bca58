#version 450
// The number of set bits, and the bits in the opposite order.
layout(location = 0) flat in ivec4 a;
layout(location = 1) flat in uvec4 b;
layout(location = 0) out vec4 colour;

void main() {
    ivec4 counts = bitCount(a) + bitCount(b);
    uvec4 turned = bitfieldReverse(b) >> 20;
    int last = bitfieldReverse(a.x & 0xff) >> 24;
    colour = vec4(counts) + vec4(turned) * 0.001 + float(last) * 0.01;
}
