#version 450
// frexp and ldexp split and join a number; modf splits off the whole part.
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 colour;

void main() {
    ivec4 exponent;
    vec4 significand = frexp(a + 3.0, exponent);
    vec4 joined = ldexp(significand, exponent - 1);
    vec2 whole;
    vec2 rest = modf(a.xy * 3.0 + 0.03125, whole);
    colour = joined + vec4(exponent) * 0.125 + vec4(rest, whole * 0.25);
}
