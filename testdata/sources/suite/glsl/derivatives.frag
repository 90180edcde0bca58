#version 450
// The changes of a smooth value between neighbouring pixels.
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 colour;

void main() {
    vec2 smooth_value = a.xy * a.xy + a.zw;
    colour = vec4(dFdx(smooth_value), dFdy(smooth_value)) * 16.0 + fwidth(a * 2.0);
}
