#version 450
// abs and sign of floats and ints.
layout(location = 0) in vec4 a;
layout(location = 1) flat in ivec4 b;
layout(location = 0) out vec4 colour;

void main() {
    ivec4 i = (b & 15) - 8;
    colour = abs(a) + sign(a) * 0.5 + vec4(abs(i)) * 0.1 + vec4(sign(i)) * 0.2 + sign(a.x - a.x);
}
