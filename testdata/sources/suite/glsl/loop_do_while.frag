#version 450
// A loop that tests its condition after each iteration.
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 colour;

void main() {
    vec2 p = clamp(a.xy, 0.0, 1.0);
    int turns = 0;
    do {
        p = vec2(p.x * 0.5 + p.y, p.y * 0.75 - p.x * 0.25);
        turns++;
    } while (turns < 6 && p.x > 0.125);
    colour = vec4(p, float(turns) * 0.125, 1.0);
}
