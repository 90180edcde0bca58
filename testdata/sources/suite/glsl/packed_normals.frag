#version 450
// Normalised numbers of 8 and 16 bits, packed and unpacked.
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 colour;

void main() {
    vec4 x = a * 0.5 + 0.001;
    vec4 sum = unpackUnorm4x8(packUnorm4x8(x)) + unpackSnorm4x8(packSnorm4x8(x - 0.5));
    sum.xy += unpackUnorm2x16(packUnorm2x16(x.zw));
    sum.zw += unpackSnorm2x16(packSnorm2x16(x.xy - 0.25));
    colour = sum;
}
