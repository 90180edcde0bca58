#version 450
// The right operand of && and || is evaluated only if it matters.
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 colour;

void main() {
    int steps = 0;
    float x = a.x;
    bool found = x > 0.5 && (steps++, a.y > 0.25) || (x += 0.5) > 0.75;
    while (steps < 5 && (x *= 1.5) < 4.0) steps++;
    colour = vec4(found ? 1.0 : 0.0, float(steps), x * 0.25, a.w);
}
