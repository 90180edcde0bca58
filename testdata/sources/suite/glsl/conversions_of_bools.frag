#version 450
// Conversions of bools to numbers, and of numbers to bools.
layout(location = 0) in vec4 a;
layout(location = 1) flat in ivec4 b;
layout(location = 2) flat in uvec4 c;
layout(location = 0) out vec4 colour;

void main() {
    bvec4 positive = greaterThan(a, vec4(0.25));
    bvec4 odd = bvec4(b & 1);
    bvec2 some = bvec2(c.xy & 2u);
    bool first = bool(floor(a.x));
    colour = vec4(positive) + vec4(ivec4(odd)) * 2.0 + vec4(uvec2(some), first, int(!first)) * 0.5;
}
