#version 450
// The bits of floats as ints and uints, and back.
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 colour;

void main() {
    ivec4 i = floatBitsToInt(a);
    uvec4 u = floatBitsToUint(abs(a) + 1.0);
    vec4 magnitude = intBitsToFloat(i & 0x7fffffff);
    vec4 exponent = vec4(u >> 23) - 127.0;
    float power = uintBitsToFloat((u.x & 0x7f800000u) + 0x00800000u);
    colour = clamp(magnitude, 0.0, 100.0) + exponent + power * 0.25;
}
