#version 450
// Shifts to the left, arithmetic shifts of ints and logical shifts of uints, by ints and by uints.
layout(location = 0) flat in ivec4 a;
layout(location = 1) flat in uvec4 b;
layout(location = 0) out vec4 colour;

void main() {
    ivec4 by = a & 7;
    ivec4 left = (ivec4(1, 3, 5, 7) << by) - 200;
    ivec4 right = (left - 1000) >> (b & 3u);
    uvec4 logical = (b | 0x80000000u) >> (24 + (by >> 1));
    colour = vec4(left) * 0.01 + vec4(right) * 0.02 + vec4(logical) * 0.5;
}
