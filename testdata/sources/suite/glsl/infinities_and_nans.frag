#version 450
// isinf and isnan of numbers that are neither, and of infinities from a uniform's bits.
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 colour;

void main() {
    bvec4 infinite = isinf(a), undefined = isnan(a);
    float large = uintBitsToFloat(0x7f800000u | uint(a.x > 1000.0));
    colour = vec4(not(infinite)) + vec4(undefined) * 2.0 + (isinf(large) ? a * 0.5 : a);
}
