#version 450
// Attributes of ints and uints, and varyings of the same types.
layout(location = 0) in ivec3 a;
layout(location = 1) in uvec2 b;
layout(location = 2) in float c;
layout(location = 0) flat out ivec3 numbers;
layout(location = 1) flat out uint bits;

void main() {
    numbers = (a % 10) * 2 - int(b.x & 7u);
    bits = (b.x ^ b.y) & 255u;
    gl_Position = vec4(float(a.x & 3) * 0.25, c * 0.125, 0.5, 1.0);
}
