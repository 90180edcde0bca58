#version 450
// A discard inside a loop and inside a switch.
layout(location = 0) in vec4 a;
layout(location = 1) flat in int k;
layout(location = 0) out vec4 colour;

void main() {
    float sum = 0.0;
    for (int i = 0; i < 5; i++) {
        sum += abs(a.x) * 0.3;
        if (sum > 1.25) discard;
    }
    switch (k & 3) {
    case 2: discard;
    case 1: sum += 1.0;
    }
    colour = vec4(sum, a.yzw);
}
