#version 450
// Sums, differences, products and quotients of ints, which are truncated towards zero.
layout(location = 0) flat in ivec4 a;
layout(location = 1) flat in ivec4 b;
layout(location = 0) out vec4 colour;

void main() {
    ivec4 x = a % 100 - 50, y = (b & 7) + 1;
    ivec4 sum = x + y * 3;
    ivec4 difference = x - y;
    ivec4 quotient = (sum * difference) / y;
    int last = (x.x - 1000) / (y.w + 2);
    colour = vec4(quotient) * 0.01 + vec4(last, sum.xyz);
}
