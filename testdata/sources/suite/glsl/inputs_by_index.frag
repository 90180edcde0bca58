#version 450
// An array of inputs at a computed index.
layout(location = 0) in vec4 a[3];
layout(location = 3) flat in int k;
layout(location = 0) out vec4 colour;

void main() {
    vec4 sum = a[k & 1];
    for (int i = 0; i < 3; i++) sum += a[i] * float(i);
    colour = sum * 0.25 + a[2][k & 3];
}
