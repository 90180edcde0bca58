#version 450
// A loop that only a break in its middle ends.
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 colour;

void main() {
    float x = clamp(a.x, 0.0, 1.0);
    int i = 0;
    for (;;) {
        x += 0.25;
        if (++i > 5) break;
        x *= 0.875;
    }
    colour = vec4(x, float(i), a.zw);
}
