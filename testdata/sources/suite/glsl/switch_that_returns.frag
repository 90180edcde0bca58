#version 450
// Returns from the cases of a switch in a function.
layout(location = 0) in vec4 a;
layout(location = 1) flat in int k;
layout(location = 0) out vec4 colour;

vec4 chosen(int which) {
    switch (which) {
    case -1: return a.wzyx;
    case 0: return a * 0.5;
    case 1: if (a.x > 0.5) return vec4(1.0); break;
    case 2147483647: return vec4(0.0);
    }
    return a + 0.25;
}

void main() {
    colour = chosen((k & 3) - 1) + chosen(k & 1) * 0.5;
}
