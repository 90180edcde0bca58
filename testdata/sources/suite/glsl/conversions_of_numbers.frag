#version 450
// Conversions between floats, ints and uints. The floats lie within the range of the integers.
layout(location = 0) in vec4 a;
layout(location = 1) flat in ivec4 b;
layout(location = 2) flat in uvec4 c;
layout(location = 0) out vec4 colour;

void main() {
    vec4 within = clamp(a * 100.0, -1000.0, 1000.0);
    ivec4 i = ivec4(within);
    uvec4 u = uvec4(abs(within) + 0.5);
    vec4 f = vec4(b & 4095) - vec4(c & 1023u);
    ivec4 same_bits = ivec4(c) & 15;
    uvec4 other = uvec4(b) >> 28;
    colour = vec4(i) * 0.01 + vec4(u) * 0.02 + f * 0.001 + vec4(same_bits) + vec4(other);
}
