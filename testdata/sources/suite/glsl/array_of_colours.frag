#version 450
// An array of outputs takes one location for each element.
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 colours[2];

void main() {
    for (int i = 0; i < 2; i++) colours[i] = a * (float(i) + 0.5);
    colours[1].w = a.x;
}
