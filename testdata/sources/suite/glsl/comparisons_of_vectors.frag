#version 450
// Comparisons by components of floats, ints and uints, and of whole vectors.
layout(location = 0) in vec4 a;
layout(location = 1) flat in ivec3 b;
layout(location = 2) flat in uvec2 c;
layout(location = 0) out vec4 colour;
layout(set = 0, binding = 0) uniform Limits { vec4 f; ivec3 i; uvec2 u; } limits;

void main() {
    vec4 sum = vec4(lessThan(a, limits.f)) + vec4(greaterThanEqual(a, limits.f)) * 2.0;
    sum.xyz += vec3(lessThanEqual(b, limits.i)) + vec3(equal(b & 1, ivec3(1)));
    sum.zw += vec2(greaterThan(c, limits.u)) + vec2(notEqual(c & 3u, uvec2(2u)));
    sum.x += a.xy == limits.f.xy ? 8.0 : 4.0;
    sum.y += b != limits.i ? 8.0 : 4.0;
    colour = sum;
}
