#version 450
// A table of constants at a computed index.
layout(location = 0) in vec4 a;
layout(location = 1) flat in int k;
layout(location = 0) out vec4 colour;
const vec3 PALETTE[4] = vec3[](vec3(1.0, 0.5, 0.25), vec3(0.0, 0.75, 0.5), vec3(0.125), vec3(0.9, 0.1, 0.3));
const int NEXT[4] = int[](2, 3, 1, 0);

void main() {
    int at = k & 3;
    vec3 sum = vec3(0.0);
    for (int i = 0; i < 3; i++) {
        sum += PALETTE[at] * a.xyz;
        at = NEXT[at];
    }
    colour = vec4(sum, float(at) * 0.25);
}
