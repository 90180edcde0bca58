#version 450
// Starfield: a round glow, with rays for the large stars.
layout(location = 0) in vec2 corner;
layout(location = 1) flat in uint kind;
layout(location = 2) in vec3 tint;
layout(location = 0) out vec4 color;

float rays(vec2 p, int count) {
    float best = 0.0;
    for (int i = 0; i < count; i++) {
        float a = float(i) * 3.14159265 / float(count);
        float across = abs(p.x * sin(a) - p.y * cos(a));
        best = max(best, (1.0 - across * 12.0) * (1.0 - length(p)));
    }
    return max(best, 0.0);
}

void main() {
    float r = length(corner);
    if (r > 1.0) discard;
    float glow = exp(-r * r * 8.0) - 0.0003;
    switch (kind) {
        case 0u:
            glow += rays(corner, 4);
            break;
        case 1u:
        case 2u:
            glow *= 0.5;
            break;
    }
    color = vec4(tint * glow, glow);
}
