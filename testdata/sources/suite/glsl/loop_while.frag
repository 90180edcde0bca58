#version 450
// A loop that tests its condition before each iteration.
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 colour;

void main() {
    float x = clamp(abs(a.x), 0.0, 4.0), steps = 0.0;
    while (x < 20.0 && steps < 12.0) {
        x = x * 1.5 + 0.25;
        steps += 1.0;
    }
    colour = vec4(x * 0.03125, steps * 0.0625, a.zw);
}
