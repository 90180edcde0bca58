#version 450
// Pairs of half-precision numbers in a uint. The numbers are exact in half precision.
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 colour;

void main() {
    vec4 exact = floor(clamp(a, -8.0, 8.0) * 64.0) / 64.0;
    uint one = packHalf2x16(exact.xy), two = packHalf2x16(exact.zw);
    colour = vec4(unpackHalf2x16(one), unpackHalf2x16(two >> 16 | one << 16));
}
