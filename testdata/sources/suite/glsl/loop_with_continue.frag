#version 450
// Iterations that end early, with code after the continue and in the loop's step.
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 colour;

void main() {
    float sum = 0.0, last = 0.0;
    for (int i = 0; i < 8; i++, last += 0.125) {
        if ((i & 1) == 1) continue;
        sum += a[i & 3];
        if (a.x > 0.5) {
            if (i == 4) continue;
            sum *= 0.75;
        }
        sum += 0.0625;
    }
    colour = vec4(sum, last, a.zw);
}
