#version 450
// fma of scalars and vectors.
layout(location = 0) in vec4 a;
layout(location = 1) in vec4 b;
layout(location = 0) out vec4 colour;

void main() {
    vec4 all = fma(a, b, a.wzyx);
    float one = fma(a.x, 2.0, -b.y);
    colour = all + one * 0.5;
}
