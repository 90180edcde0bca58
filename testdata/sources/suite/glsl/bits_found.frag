#version 450
// The positions of the lowest and the highest set bit; -1 if there is none.
layout(location = 0) flat in ivec4 a;
layout(location = 1) flat in uvec4 b;
layout(location = 0) out vec4 colour;

void main() {
    ivec4 low = findLSB(a) + findLSB(b);
    ivec4 high = findMSB(a - 7) + findMSB(b);
    int none = findLSB(a.x & 0) + findMSB(b.y & 0u) + findMSB(a.z | -1);
    colour = vec4(low) + vec4(high) * 0.5 + float(none);
}
