#version 450
// Discards in the entry point, and in a function that it calls.
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 colour;

float tested(float x) {
    if (x > 0.9) discard;
    return x * 2.0;
}

void main() {
    if (a.x < 0.1) discard;
    colour = vec4(tested(a.y), tested(a.z), a.xw);
}
