#version 450
// The comparisons of ints and of uints, which differ for large numbers.
layout(location = 0) flat in ivec4 a;
layout(location = 1) flat in ivec4 b;
layout(location = 0) out vec4 colour;

void main() {
    uint x = uint(a.x), y = uint(b.x);
    vec4 signs = vec4(a.x < b.x, a.x <= b.x, a.x > b.x, a.x >= b.x);
    vec4 plain = vec4(x < y, x <= y, x > y, x >= y);
    vec4 same = vec4(a.y == b.y, a.z != b.z, x == y, x != y);
    colour = signs + plain * 2.0 + same * 4.0;
}
