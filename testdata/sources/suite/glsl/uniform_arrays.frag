#version 450
// Arrays in a block, at constant and at computed indices. In std140 each element takes 16 bytes.
layout(location = 0) in vec4 a;
layout(location = 1) flat in int k;
layout(location = 0) out vec4 colour;
layout(set = 0, binding = 0) uniform Tables {
    float weights[4];
    vec2 places[3];
    vec4 colours[2];
    ivec2 numbers[4];
} tables;

void main() {
    float w = tables.weights[k & 3] + tables.weights[1];
    vec2 p = tables.places[k & 1] + tables.places[2];
    int n = tables.numbers[(k + 1) & 3].y & 7;
    colour = tables.colours[k & 1] * w + vec4(p, float(n), a.x) * 0.25;
}
