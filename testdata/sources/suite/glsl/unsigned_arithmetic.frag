#version 450
// Sums, products, quotients and remainders of uints, with a difference that wraps around.
layout(location = 0) flat in uvec4 a;
layout(location = 1) flat in uvec4 b;
layout(location = 0) out vec4 colour;

void main() {
    uvec4 x = a & 1023u, y = (b & 15u) + 1u;
    uvec4 quotient = (x * 5u + y) / y;
    uvec4 rest = x % y;
    uint wrapped = (x.x - 5000u) >> 24;
    colour = vec4(quotient) * 0.01 + vec4(rest) + float(wrapped) * 0.001;
}
