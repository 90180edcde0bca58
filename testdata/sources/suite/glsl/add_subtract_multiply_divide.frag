#version 450
// The four operations on scalars and vectors; the divisor is never zero.
layout(location = 0) in vec4 a;
layout(location = 1) in vec4 b;
layout(location = 0) out vec4 colour;
layout(set = 0, binding = 0) uniform Factors {
    vec4 scale;
    float bias;
} factors;

void main() {
    vec4 sum = a + b * factors.scale;
    vec4 difference = a - factors.bias;
    vec4 quotient = sum / (abs(difference) + 1.0);
    float last = 2.0 / (abs(a.x) + 0.5) - factors.bias;
    colour = quotient * 0.5 + vec4(difference.xy, last, 0.25);
}
