#version 450
// Specialisation constants of each type, and values computed from them.
layout(constant_id = 0) const int COUNT = 3;
layout(constant_id = 1) const uint BITS = 5u;
layout(constant_id = 2) const float GAIN = 0.75;
layout(constant_id = 3) const bool BRIGHT = true;
layout(constant_id = 4) const bool DARK = false;
const int TWICE = COUNT * 2 + 1;
const bool BOTH = BRIGHT && !DARK;
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 colour;

void main() {
    float list[COUNT];
    for (int i = 0; i < COUNT; i++) list[i] = a[i & 3] * GAIN;
    vec4 sum = vec4(list[0], list[COUNT - 1], float(TWICE) * 0.1, float(BITS >> 1u));
    colour = BOTH ? sum : sum.wzyx;
}
