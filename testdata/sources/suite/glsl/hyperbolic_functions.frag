#version 450
// sinh, cosh, tanh and their inverses.
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 colour;

void main() {
    vec4 x = clamp(a, -1.5, 1.5);
    vec4 sum = sinh(x) + cosh(x.wzyx) + tanh(x);
    sum += asinh(x) + acosh(abs(x) + 1.25) + atanh(x * 0.5);
    colour = sum * 0.25;
}
