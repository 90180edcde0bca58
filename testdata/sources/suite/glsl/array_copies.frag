#version 450
// Whole arrays and structures with arrays are copied; the copies are independent.
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 colour;
struct Keys { float times[3]; vec2 values[2]; };

void main() {
    Keys one = Keys(float[3](a.x, a.y, a.z), vec2[2](a.xy, a.zw));
    Keys two = one;
    two.times[1] = 0.5;
    two.values = vec2[2](one.values[1], two.values[0] * 2.0);
    float list[3] = two.times;
    list[0] = 0.25;
    colour = vec4(one.times[0] + list[1], two.times[0] + list[0], two.values[0] + one.values[1]);
}
