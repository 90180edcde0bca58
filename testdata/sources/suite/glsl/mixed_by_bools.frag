#version 450
// mix with a vector of bools chooses each component.
layout(location = 0) in vec4 a;
layout(location = 1) flat in ivec4 b;
layout(location = 0) out vec4 colour;

void main() {
    vec4 floats = mix(a, a.wzyx * 2.0, greaterThan(a, vec4(0.5)));
    ivec4 ints = mix(b & 7, ivec4(9), equal(b & 1, ivec4(1)));
    bvec2 bools = mix(bvec2(true, false), lessThan(a.xy, a.zw), bvec2(b.xy & 2));
    colour = floats + vec4(ints) * 0.1 + vec4(bools, 0.0, 0.0);
}
