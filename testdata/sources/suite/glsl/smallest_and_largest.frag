#version 450
// min, max and clamp of floats, ints and uints.
layout(location = 0) in vec4 a;
layout(location = 1) flat in ivec4 b;
layout(location = 2) flat in uvec4 c;
layout(location = 0) out vec4 colour;

void main() {
    vec4 f = min(a, a.wzyx) + max(a, vec4(0.25)) + clamp(a, 0.1, 0.9);
    ivec4 i = min(b, 20) + max(b, ivec4(-20)) - clamp(b, ivec4(-5), ivec4(5));
    i = clamp(i, -1000, 1000);
    uvec4 u = min(c, 30u) + max(c & 7u, uvec4(3u)) + clamp(c, 2u, 9u);
    colour = f + vec4(i) * 0.01 + vec4(u) * 0.02;
}
