#version 450
// A switch whose cases continue, leave and end the loop around it.
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 colour;
layout(set = 0, binding = 0) uniform Program { ivec4 codes; };

void main() {
    float x = a.x;
    int steps = 0;
    for (int i = 0; i < 8; i++) {
        steps++;
        switch ((codes[i & 3] + i) & 3) {
        case 0: x += 0.5; continue;
        case 1: x *= 0.75; break;
        case 2: if (x > 1.5) { x = 1.0; } else continue;
        default: x -= 0.125;
        }
        x += a.y * 0.0625;
        if (x > 3.0) break;
    }
    colour = vec4(x, float(steps) * 0.125, a.zw);
}
