#version 450
// The six comparisons of floats.
layout(location = 0) in vec4 a;
layout(location = 1) in vec4 b;
layout(location = 0) out vec4 colour;

void main() {
    float x = floor(a.x * 4.0), y = floor(b.x * 4.0);
    float sum = 0.0;
    if (x < y) sum += 1.0;
    if (x <= y) sum += 2.0;
    if (x > y) sum += 4.0;
    if (x >= y) sum += 8.0;
    if (x == y) sum += 16.0;
    if (x != y) sum += 32.0;
    colour = vec4(sum * 0.125, a.yzw);
}
