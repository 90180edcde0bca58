#version 450
// Seven segments: a clock's digits from bits of a table, lit through smoked glass.
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 color;

layout(set = 0, binding = 0) uniform Clock {
    int number;
    int digits;
    vec4 lit;
    vec4 unlit;
} clock;

const uint SEGMENTS[10] = uint[10](0x3fu, 0x06u, 0x5bu, 0x4fu, 0x66u, 0x6du, 0x7du, 0x07u, 0x7fu, 0x6fu);

float bar(vec2 p, vec2 from, vec2 to) {
    vec2 along = to - from;
    float t = clamp(dot(p - from, along) / dot(along, along), 0.08, 0.92);
    return length(p - from - along * t) - 0.05;
}

int digit_at(int place) {
    int n = clock.number;
    for (int i = 0; i < place; i++)
        n /= 10;
    return n % 10;
}

float segment(int i, vec2 p) {
    switch (i) {
        case 0: return bar(p, vec2(0.2, 0.9), vec2(0.8, 0.9));
        case 1: return bar(p, vec2(0.8, 0.9), vec2(0.8, 0.5));
        case 2: return bar(p, vec2(0.8, 0.5), vec2(0.8, 0.1));
        case 3: return bar(p, vec2(0.2, 0.1), vec2(0.8, 0.1));
        case 4: return bar(p, vec2(0.2, 0.5), vec2(0.2, 0.1));
        case 5: return bar(p, vec2(0.2, 0.9), vec2(0.2, 0.5));
    }
    return bar(p, vec2(0.2, 0.5), vec2(0.8, 0.5));
}

void main() {
    float wide = uv.x * float(clock.digits);
    int place = clock.digits - 1 - int(wide);
    uint bits = SEGMENTS[digit_at(place)];
    vec2 p = vec2(fract(wide), uv.y);
    color = vec4(0.02, 0.02, 0.02, 1.0);
    for (int i = 0; i < 7; i++) {
        float d = segment(i, p);
        if (d > 0.0)
            continue;
        bool on = ((bits >> uint(i)) & 1u) == 1u;
        color = on ? clock.lit : clock.unlit;
        break;
    }
}
