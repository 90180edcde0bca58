#version 450
// A case with a loop that a break leaves, and a switch inside a case.
layout(location = 0) in vec4 a;
layout(location = 1) flat in int k;
layout(location = 0) out vec4 colour;

void main() {
    float sum = 0.0;
    switch (k & 3) {
    case 0:
        for (int i = 0; i < 6; i++) {
            sum += a[i & 3];
            if (sum > 1.0) break;
        }
        break;
    case 1:
        switch (k >> 2 & 1) {
        case 0: sum = a.x; break;
        default: sum = a.y * 2.0;
        }
        sum += 0.25;
        break;
    default:
        sum = a.w;
    }
    colour = vec4(sum, a.yzw);
}
