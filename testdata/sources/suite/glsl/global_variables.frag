#version 450
// Variables outside functions: constants, ones with initialisers, and ones that functions change.
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 colour;
const vec2 WEIGHTS[3] = vec2[3](vec2(0.5, 0.25), vec2(1.0, 0.0), vec2(0.125));
float half_of_it = a.x * 0.5;
vec4 sum = vec4(0.25);
int calls;

void add(int which) {
    sum.xy += WEIGHTS[which] * half_of_it;
    calls = calls + 1;
}

void main() {
    calls = 0;
    add(0);
    if (a.y > 0.5) add(1);
    add(2);
    colour = sum + float(calls) * 0.125;
}
