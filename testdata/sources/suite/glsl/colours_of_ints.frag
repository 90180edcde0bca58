#version 450
// Colours of signed and unsigned ints, of any width, with floats between them.
layout(location = 0) in vec4 a;
layout(location = 1) flat in ivec4 n;
layout(location = 0) out ivec4 whole;
layout(location = 1) out uvec2 two;
layout(location = 2) out vec4 colour;
layout(location = 3) out int one;
layout(location = 4) out uvec3 three;

void main() {
    whole = ivec4(a * 100.0) - n;
    two = uvec2(abs(a.xy) * 1000.0) | 1u;
    colour = a + vec4(n);
    one = -n.x;
    three = uvec3(n.zyx) * 3000000000u;
}
