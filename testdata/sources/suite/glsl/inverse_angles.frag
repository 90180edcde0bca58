#version 450
// asin, acos, and atan with one and with two arguments.
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 colour;

void main() {
    vec4 s = clamp(a, -0.9, 0.9);
    vec4 sum = asin(s) + acos(s.wzyx) + atan(a);
    sum.xy += atan(a.xy, abs(a.zw) + 0.25);
    sum.z += atan(a.x + 0.5, -abs(a.y) - 0.5);
    colour = sum;
}
