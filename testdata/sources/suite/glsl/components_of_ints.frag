#version 450
// Flat inputs and outputs of ints that share locations.
layout(location = 0) flat in ivec2 one;
layout(location = 0, component = 2) flat in ivec2 two;
layout(location = 1) flat in uint three;
layout(location = 1, component = 1) flat in uvec3 four;
layout(location = 0) out ivec2 colour;
layout(location = 0, component = 2) out ivec2 rest;
layout(location = 1) out uvec4 other;

void main() {
    colour = one * 3 - two;
    rest = two.yx;
    other = uvec4(three, four) << 2;
}
